import { setTimeout as pause } from 'node:timers/promises';
import type { CommandParts } from '../../workflow/policy/command-parts.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Offers } from '../../views/calls/call-card.ts';
import { KeyedQueue } from '../../lib/keyed-queue.ts';
import type { Project } from '../../workflow/project/project.ts';
import { openRequests } from '../../workflow/requests/find-request.ts';
import type { CallChange } from '../../views/calls/call-changes.ts';
import { seeChanges } from '../../views/calls/seen-changes.ts';
import { namesFiles } from '../../workflow/requests/compare-files.ts';
import { SeenFiles } from '../../workflow/requests/seen-files.ts';
import { comparedChanges, type ComparedChanges } from './compared-changes.ts';

/** Who asks for a question waits so long for what is found of its call, in ms: the rest comes when it is there. */
const LONGEST_MS = 2_000;

/** What finds what the cards of calls have beside the call: it loads the policy when the first call waits. */
export type FindExtras = {
  /** The rules that the answers of humans amount to, by the id of the request. */
  readonly offersFor: (waiting: readonly RequestState[]) => Promise<Offers>;
  /** Their commands, taken apart. */
  readonly partsOf: (waiting: readonly RequestState[]) => Promise<ReadonlyMap<string, CommandParts>>;
};

/**
 * How far what a call would make of files is compared with them: not yet, it is, or that could not be done. `withheld`:
 * that is not for whoever asks.
 */
export type Comparison = 'pending' | 'done' | 'failed' | 'withheld';

/** What there is to say of a call beside itself. */
export type Extras = {
  readonly offer?: readonly string[] | undefined;
  readonly command?: CommandParts | undefined;
  /** What it would make of files, compared with them. */
  readonly changes?: readonly CallChange[] | undefined;
  /** That in short: it comes back with the yes of who has seen it. */
  readonly seen?: string | undefined;
  /** Absent: it names no file that is looked at. */
  readonly comparison?: Comparison | undefined;
  /** How often that has become something else. */
  readonly revision?: number | undefined;
};

/** What a call would make of files. */
type Compared = ComparedChanges & { readonly revision: number };

/** What goes on for them. */
const kinds = ['find', 'compare'] as const;

type LookedAt = Pick<Project, 'root' | 'state' | 'hideSecrets'>;

/** Of the calls that wait: found once for each, and anew when a human has decided on one, or a file of one has changed. */
export class CallExtras {
  readonly #sources: FindExtras;
  #offers: Offers = new Map();
  #commands: ReadonlyMap<string, CommandParts> = new Map();
  #compared: ReadonlyMap<string, Compared> = new Map();
  #taken = this.#compared;
  #looked: ReadonlySet<string> = new Set();
  readonly #files = new SeenFiles(seeChanges.pathsOf);
  /** What is found is not overwritten by what was found before. A comparison waits for none of the rest. */
  readonly #turns = new KeyedQueue();
  /** The comparison that has not begun yet, and the calls that come first in it. */
  #renewal: Promise<void> | undefined;
  readonly #first = new Set<string>();

  constructor(sources: FindExtras) {
    this.#sources = sources;
  }

  /** @param seesFiles - Whether they are for somebody who may see what stands in files. */
  of(request: RequestState, { seesFiles }: { readonly seesFiles: boolean }): Extras {
    const { id } = request;
    const compared = this.#compared.get(id);
    const about = this.aboutFiles(request);
    return {
      offer: this.#offers.get(id),
      command: this.#commands.get(id),
      ...about,
      ...(seesFiles
        ? { changes: compared?.changes, seen: compared?.seen }
        : { comparison: about.comparison && 'withheld' }),
    };
  }

  /**
   * How far the files of a call are compared, and how often that has become something else: it says nothing of what is in
   * them.
   */
  aboutFiles(request: RequestState): Pick<Extras, 'comparison' | 'revision'> {
    const compared = this.#compared.get(request.id);
    if (
      request.phase !== 'open' ||
      (compared ? compared.seen === undefined : !namesFiles(request.asked.approval, seeChanges))
    )
      return {};
    if (!compared) return { comparison: 'pending' };
    return { comparison: compared.failed === undefined ? 'done' : 'failed', revision: compared.revision };
  }

  /** Looks for those of calls that have come since, and waits for whoever does. @returns whether there were any */
  async look(project: LookedAt): Promise<boolean> {
    const waiting = callsOf(project);
    const ids = new Set(waiting.map(({ id }) => id));
    const isKnown = ids.size === this.#looked.size && ids.isSubsetOf(this.#looked);
    this.#looked = ids;
    if (!isKnown) {
      void this.#begin('find', () => this.#find(waiting));
      void this.#begin('compare', () => this.#compare(project));
    }
    const going = kinds.flatMap((kind) => this.#turns.last(kind) ?? []);
    await Promise.allSettled(going);
    return going.length > 0;
  }

  /**
   * Compares those calls anew whose files have changed since; whoever asks for that before it has begun waits for the same.
   *
   * @param first - One that comes before the others, by its id: somebody is about to decide on it.
   */
  async renew(project: LookedAt, first?: string): Promise<void> {
    if (first !== undefined) this.#first.add(first);
    this.#renewal ??= this.#begin('compare', () => {
      this.#renewal = undefined;
      return this.#compare(project);
    });
    await this.#renewal;
  }

  /**
   * Has all that is found of the calls that wait as it is now, or, where that takes longer, whatever there is after 2 s.
   *
   * @param first - As for {@link renew}.
   */
  async ready(project: LookedAt, first?: string): Promise<void> {
    if (first !== undefined) this.#first.add(first);
    const over = new AbortController();
    const all = this.look(project).then(() => this.renew(project, first));
    await Promise.race([all, pause(LONGEST_MS, undefined, { signal: over.signal })]).finally(() =>
      over.abort(),
    );
  }

  /** Whether calls have been compared since this was asked last, for whoever asks. */
  takeCompared(): boolean {
    const isNew = this.#compared !== this.#taken;
    this.#taken = this.#compared;
    return isNew;
  }

  /** In its turn. Where one fails, what was found before stays. */
  #begin(kind: (typeof kinds)[number], work: () => Promise<void>): Promise<void> {
    return this.#turns.take(kind, work).catch(() => undefined);
  }

  /** A card without them is a card all the same. */
  async #find(waiting: readonly RequestState[]): Promise<void> {
    const [offers, commands] = await Promise.allSettled([
      this.#sources.offersFor(waiting),
      this.#sources.partsOf(waiting),
    ]);
    this.#offers = offers.status === 'fulfilled' ? offers.value : new Map();
    this.#commands = commands.status === 'fulfilled' ? commands.value : new Map();
  }

  /**
   * Files are read when their call comes, when they have changed, and again where that could not be done. One call after the other:
   * each has its time for itself, and is shown once it is there.
   */
  async #compare(project: LookedAt): Promise<void> {
    const first = [...this.#first];
    this.#first.clear();
    const waiting = callsOf(project);
    const changed = new Set(await this.#files.changed(project, waiting, first));
    const ids = new Set(waiting.map(({ id }) => id));
    if ([...this.#compared.keys()].some((id) => !ids.has(id)))
      this.#compared = new Map([...this.#compared].filter(([id]) => ids.has(id)));
    const isFirst = ({ id }: RequestState) => first.includes(id);
    const inTurn = [...waiting.filter(isFirst), ...waiting.filter((request) => !isFirst(request))];
    for (const request of inTurn) {
      const before = this.#compared.get(request.id);
      if (before && before.failed === undefined && !changed.has(request)) continue;
      const now = await compared(project, request, before);
      if (now !== before) this.#compared = new Map(this.#compared).set(request.id, now);
    }
  }
}

async function compared(
  project: LookedAt,
  request: RequestState,
  before: Compared | undefined,
): Promise<Compared> {
  const found = await comparedChanges(project, request);
  // What fails again as before is no news.
  if (before && found.failed !== undefined && before.seen === found.seen) return before;
  const revision = before === undefined ? 0 : before.revision + (before.seen === found.seen ? 0 : 1);
  return { ...found, revision };
}

function callsOf({ state }: LookedAt): readonly RequestState[] {
  return openRequests(state).filter(({ asked }) => asked.approval !== undefined);
}
