import type { EndReason } from '../../events/end-reason.ts';
import type { ProgramExit } from '../../lib/processes/start-group.ts';
import type { RunView } from '../reconcile/runner-view.ts';

/** How an agent ended, or why there never was one. */
export type Ending = { readonly exit: ProgramExit } | { readonly problem: string };

/** Why the runner ends an agent, and in words where there is more to say. */
type Stop = { readonly reason: EndReason; readonly detail: string | undefined };

/** How far an attempt has come: it works, is stopped perhaps, and has ended. It never goes back. */
export class AttemptCourse {
  #state:
    | { readonly is: 'working' }
    | { readonly is: 'stopping'; readonly stop: Stop }
    | { readonly is: 'ended'; readonly stop: Stop | undefined; readonly ending: Ending } = { is: 'working' };

  get phase(): RunView['phase'] {
    return this.#state.is;
  }

  /** Why it was or is being ended by the runner; `undefined`: it was not. */
  get stopped(): Stop | undefined {
    return this.#state.is === 'working' ? undefined : this.#state.stop;
  }

  /** `undefined`: it has not ended. */
  get ending(): Ending | undefined {
    return this.#state.is === 'ended' ? this.#state.ending : undefined;
  }

  /** The first reason counts. */
  stop(stop: Stop): void {
    if (this.#state.is === 'working') this.#state = { is: 'stopping', stop };
  }

  end(ending: Ending): void {
    this.#state = { is: 'ended', stop: this.stopped, ending };
  }
}
