import type { SprintState } from '../machines/project-state.ts';
import type { Attempt } from './attempt.ts';
import { hasCompleted, isAttemptOver } from './run-facts.ts';
import type { RunnerView, RunPolicy } from './runner-view.ts';

/** What a runner knows and the log does not: its processes, its timers, how far it has come. */
export class RunnerMemory {
  /** By run id, until their end stands in the log. */
  readonly attempts = new Map<string, Attempt>();
  /** By task id, ms since the epoch. */
  readonly retryAt = new Map<string, number>();
  entered = false;
  recovered = false;
  takenUp = false;
  stopReason: string | undefined;

  /** All that decisions depend on at this instant, ms since the epoch. */
  view(sprint: SprintState | undefined, policy: RunPolicy, now: number): RunnerView {
    const { attempts, retryAt, entered, recovered, takenUp, stopReason } = this;
    const runs = [...attempts.values()].map((attempt) => {
      attempt.throwIfStuck();
      const run = attempt.view();
      if (sprint && hasCompleted(sprint, run) && isAttemptOver(sprint, run)) attempt.noteCompletion(now);
      return attempt.view();
    });
    return { sprint, runs, retryAt, entered, recovered, takenUp, stopReason, now, policy };
  }
}
