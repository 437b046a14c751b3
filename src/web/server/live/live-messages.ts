import { requestById } from '../../../workflow/requests/find-request.ts';
import type { Caller } from '../callers/caller.ts';
import { presentSprint } from '../present/present-sprint.ts';
import { isAlwaysTaken, isPrivateDecider, presentReader, presentState } from '../present/present-state.ts';
import { questionFor } from '../present/question-for.ts';
import type { Serving } from '../serving.ts';
import { snapshotOf, type Snapshot } from './snapshot.ts';

/** What is told in one go: each made once for all who get it. */
export class LiveMessages {
  readonly #serving: Serving;
  readonly #made = new Map<string, Snapshot | undefined>();

  constructor(serving: Serving) {
    this.#serving = serving;
  }

  /** How everything stands, and what of that is a reader's own. */
  state(caller: Caller): Snapshot {
    const common = this.#once('state', () => presentState(this.#serving));
    return new Map([...snapshotOf({ reader: presentReader(caller, this.#serving) }), ...(common ?? [])]);
  }

  /** `undefined`: there is no such sprint. */
  sprint(id: string): Snapshot | undefined {
    return this.#once(`sprint ${id}`, () => {
      const { sprints, project, processes, called, titles } = this.#serving;
      const known = sprints.known().find((each) => each.id === id);
      return known && presentSprint(known, project.state, { processes, called, titles: titles.of(id) });
    });
  }

  /** `undefined`: there is no such question. */
  question(id: string, caller: Caller): Snapshot | undefined {
    const mayAlways = isAlwaysTaken(caller, this.#serving);
    const seesFiles = isPrivateDecider(caller, this.#serving);
    return this.#once(`question ${id} ${mayAlways} ${seesFiles}`, () => {
      const request = requestById(this.#serving.project.state, id);
      return request && questionFor(request, caller, this.#serving);
    });
  }

  #once(name: string, make: () => object | undefined): Snapshot | undefined {
    if (!this.#made.has(name)) {
      const value = make();
      this.#made.set(name, value && snapshotOf(value));
    }
    return this.#made.get(name);
  }
}
