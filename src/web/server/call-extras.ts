import type { CommandParts } from '../../workflow/policy/command-parts.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Offers } from '../../views/call-card.ts';
import type { Project } from '../../workflow/project/project.ts';
import { openRequests } from '../../workflow/requests/find-request.ts';
import type { CallChange } from '../../views/call-changes.ts';
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
};

type LookedAt = Pick<Project, 'root' | 'state' | 'hideSecrets'>;

/** Of the calls that wait: found once for each, and anew when a human has decided on one. */
export class CallExtras {
  readonly #sources: FindExtras;
  #offers: Offers = new Map();
  #commands: ReadonlyMap<string, CommandParts> = new Map();
  #changes: ReadonlyMap<string, readonly CallChange[]> = new Map();
  #looked: ReadonlySet<string> = new Set();
  /** The looks that go on, one after the other. */
  #looking: Promise<void> | undefined;

  constructor(sources: FindExtras) {
    this.#sources = sources;
  }

  of(id: string): Extras {
    return {
      offer: this.#offers.get(id),
      command: this.#commands.get(id),
      changes: this.#changes.get(id),
    };
  }

  /** Looks for those of calls that have come since, and waits for whoever does. @returns whether there were any */
  async look(project: LookedAt): Promise<boolean> {
    const waiting = openRequests(project.state).filter(({ asked }) => asked.approval !== undefined);
    const ids = new Set(waiting.map(({ id }) => id));
    const isKnown = ids.size === this.#looked.size && ids.isSubsetOf(this.#looked);
    this.#looked = ids;
    if (!isKnown) this.#begin(() => this.#find(project, waiting));
    const looking = this.#looking;
    await looking;
    return looking !== undefined;
  }

  /** What one finds is not overwritten by what was found before. */
  #begin(find: () => Promise<void>): void {
    const looking: Promise<void> = Promise.resolve(this.#looking)
      .then(find)
      .finally(() => {
        if (this.#looking === looking) this.#looking = undefined;
      });
    this.#looking = looking;
  }

  async #find(project: LookedAt, waiting: readonly RequestState[]): Promise<void> {
    // A card without them is a card all the same.
    const [offers, commands, changes] = await Promise.allSettled([
      this.#sources.offersFor(waiting),
      this.#sources.partsOf(waiting),
      this.#changesOf(project, waiting),
    ]);
    this.#offers = offers.status === 'fulfilled' ? offers.value : new Map();
    this.#commands = commands.status === 'fulfilled' ? commands.value : new Map();
    this.#changes = changes.status === 'fulfilled' ? changes.value : new Map();
  }

  /** Files are read once for each call. */
  async #changesOf(
    project: LookedAt,
    waiting: readonly RequestState[],
  ): Promise<ReadonlyMap<string, readonly CallChange[]>> {
    const known = this.#changes;
    const found = waiting.map(
      async (request) =>
        [request.id, known.get(request.id) ?? (await comparedChanges(project, request))] as const,
    );
    return new Map(await Promise.all(found));
  }
}
