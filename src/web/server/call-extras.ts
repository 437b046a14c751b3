import type { CommandParts } from '../../workflow/policy/command-parts.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Offers } from '../../views/call-card.ts';
import type { Project } from '../../workflow/project/project.ts';
import { openRequests } from '../../workflow/requests/find-request.ts';
import { changedPaths, type CallChange } from '../../views/call-changes.ts';
import { SeenFiles } from '../../workflow/requests/seen-files.ts';
import { comparedChanges } from './compared-changes.ts';

/** What finds what the cards of calls have beside the call: it loads the policy when the first call waits. */
export type FindExtras = {
  /** The rules that the answers of humans amount to, by the id of the request. */
  readonly offersFor: (waiting: readonly RequestState[]) => Promise<Offers>;
  /** Their commands, taken apart. */
  readonly partsOf: (waiting: readonly RequestState[]) => Promise<ReadonlyMap<string, CommandParts>>;
};

/** What there is to say of a call beside itself. */
export type Extras = {
  readonly offer?: readonly string[] | undefined;
  readonly command?: CommandParts | undefined;
  /** What it would make of files, compared with them. */
  readonly changes?: readonly CallChange[] | undefined;
  /** That in short: it comes back with the yes of who has seen it. */
  readonly seen?: string | undefined;
  /** How often that has become something else. */
  readonly revision?: number | undefined;
};

/** What a call would make of files. */
type Compared = {
  readonly changes: readonly CallChange[];
  readonly seen: string | undefined;
  readonly revision: number;
};

type LookedAt = Pick<Project, 'root' | 'state' | 'hideSecrets'>;

/** Of the calls that wait: found once for each, and anew when a human has decided on one, or a file of one has changed. */
export class CallExtras {
  readonly #sources: FindExtras;
  #offers: Offers = new Map();
  #commands: ReadonlyMap<string, CommandParts> = new Map();
  #compared: ReadonlyMap<string, Compared> = new Map();
  #taken = this.#compared;
  #looked: ReadonlySet<string> = new Set();
  readonly #files = new SeenFiles(changedPaths);
  /** The looks that go on, one after the other. */
  #looking: Promise<void> | undefined;

  constructor(sources: FindExtras) {
    this.#sources = sources;
  }

  /** @param seesFiles - Whether they are for somebody who may see what stands in files. */
  of(id: string, { seesFiles }: { readonly seesFiles: boolean }): Extras {
    const compared = this.#compared.get(id);
    return {
      offer: this.#offers.get(id),
      command: this.#commands.get(id),
      revision: compared?.revision,
      ...(seesFiles && { changes: compared?.changes, seen: compared?.seen }),
    };
  }

  /** Looks for those of calls that have come since, and waits for whoever does. @returns whether there were any */
  async look(project: LookedAt): Promise<boolean> {
    const waiting = callsOf(project);
    const ids = new Set(waiting.map(({ id }) => id));
    const isKnown = ids.size === this.#looked.size && ids.isSubsetOf(this.#looked);
    this.#looked = ids;
    const looking = isKnown ? this.#looking : this.#begin(() => this.#find(project, waiting));
    await looking;
    return looking !== undefined;
  }

  /** Compares those calls anew whose files have changed since. */
  async renew(project: LookedAt): Promise<void> {
    await this.#begin(async () => {
      this.#compared = await this.#compare(project, callsOf(project)).catch(() => this.#compared);
    });
  }

  /** Whether calls have been compared since this was asked last, for whoever asks. */
  takeCompared(): boolean {
    const isNew = this.#compared !== this.#taken;
    this.#taken = this.#compared;
    return isNew;
  }

  /** What one finds is not overwritten by what was found before. */
  #begin(find: () => Promise<void>): Promise<void> {
    const looking: Promise<void> = Promise.resolve(this.#looking)
      .then(find)
      .finally(() => {
        if (this.#looking === looking) this.#looking = undefined;
      });
    this.#looking = looking;
    return looking;
  }

  async #find(project: LookedAt, waiting: readonly RequestState[]): Promise<void> {
    // A card without them is a card all the same.
    const [offers, commands, compared] = await Promise.allSettled([
      this.#sources.offersFor(waiting),
      this.#sources.partsOf(waiting),
      this.#compare(project, waiting),
    ]);
    this.#offers = offers.status === 'fulfilled' ? offers.value : new Map();
    this.#commands = commands.status === 'fulfilled' ? commands.value : new Map();
    this.#compared = compared.status === 'fulfilled' ? compared.value : new Map();
  }

  /** Files are read when their call comes, and when they have changed. */
  async #compare(
    project: LookedAt,
    waiting: readonly RequestState[],
  ): Promise<ReadonlyMap<string, Compared>> {
    const known = this.#compared;
    const changed = await this.#files.changed(project, waiting);
    if (changed.length === 0 && waiting.length === known.size) return known;
    const found = waiting.map(async (request) => {
      const before = known.get(request.id);
      const isAsBefore = before !== undefined && !changed.includes(request);
      return [request.id, isAsBefore ? before : await compared(project, request, before)] as const;
    });
    return new Map(await Promise.all(found));
  }
}

async function compared(
  project: LookedAt,
  request: RequestState,
  before: Compared | undefined,
): Promise<Compared> {
  const { changes, seen } = await comparedChanges(project, request);
  const revision = before === undefined ? 0 : before.revision + (before.seen === seen ? 0 : 1);
  return { changes, seen, revision };
}

function callsOf({ state }: LookedAt): readonly RequestState[] {
  return openRequests(state).filter(({ asked }) => asked.approval !== undefined);
}
