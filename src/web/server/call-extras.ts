import type { CommandParts } from '../../workflow/policy/command-parts.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Offers } from '../../views/call-card.ts';
import type { Project } from '../../workflow/project/project.ts';
import { openRequests } from '../../workflow/requests/find-request.ts';

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
};

/** Of the calls that wait: found once for each, and anew when a human has decided on one. */
export class CallExtras {
  readonly #find: FindExtras;
  #offers: Offers = new Map();
  #commands: ReadonlyMap<string, CommandParts> = new Map();
  #looked: ReadonlySet<string> = new Set();

  constructor(find: FindExtras) {
    this.#find = find;
  }

  of(id: string): Extras {
    return { offer: this.#offers.get(id), command: this.#commands.get(id) };
  }

  /** Looks for those of calls that have come since. @returns whether there were any */
  async look({ state }: Pick<Project, 'state'>): Promise<boolean> {
    const waiting = openRequests(state).filter(({ asked }) => asked.approval !== undefined);
    const ids = new Set(waiting.map(({ id }) => id));
    if (ids.size === this.#looked.size && ids.isSubsetOf(this.#looked)) return false;
    this.#looked = ids;
    // A card without them is a card all the same.
    const [offers, commands] = await Promise.allSettled([
      this.#find.offersFor(waiting),
      this.#find.partsOf(waiting),
    ]);
    this.#offers = offers.status === 'fulfilled' ? offers.value : new Map();
    this.#commands = commands.status === 'fulfilled' ? commands.value : new Map();
    return true;
  }
}
