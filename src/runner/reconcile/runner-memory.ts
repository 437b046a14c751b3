import type { StoredEvent } from '../../events/envelope.ts';
import type { SprintState } from '../../machines/project-state.ts';
import { nameOf } from '../../machines/status-words.ts';
import type { Attempt } from '../attempt/attempt.ts';
import type { Job } from '../jobs/job.ts';
import { parkMs } from './parking.ts';
import { ownPart, shareOf } from './share.ts';
import { awaitsHuman, hasCompleted, isAttemptOver, mustConnect } from './run-facts.ts';
import type { RunnerView, RunPolicy } from './runner-view.ts';

/** What a runner knows and the log does not: its processes, its timers, how far it has come. */
export class RunnerMemory {
  /** By run id, until their end stands in the log. */
  readonly attempts = new Map<string, Attempt>();
  /** By job id, until what they have to say stands in the log. */
  readonly jobs = new Map<string, Job>();
  /** Ids of tasks that may start. */
  readonly prepared = new Set<string>();
  /** Ids of tasks whose commit may have to be made. */
  readonly toCommit = new Set<string>();
  /** Ids of tasks whose worktrees cannot be removed. */
  readonly kept = new Set<string>();
  /** Why the worktrees of tasks could not be set up, by task id. */
  readonly setupProblems = new Map<string, string>();
  /** From when on tasks may be left to others, ms since the epoch. */
  sharesFrom = 0;
  entered = false;
  recovered = false;
  takenUp = false;
  /** It was about to say so: whether the log has it is not known where that fails. */
  mayHaveBegun = false;
  /** What tells this run from others in the log, where machines share that. */
  run: string | undefined;
  /** It was said how an agent completes a task. */
  hasToldHow = false;
  stopReason: string | undefined;
  /** Why nothing new is begun. */
  drainReason: string | undefined;

  /** Takes note of what the log says of the agents at work: each event of theirs is a sign of life. */
  note({ type, data }: StoredEvent): void {
    const attempt = 'runId' in data && data.runId !== undefined ? this.attempts.get(data.runId) : undefined;
    attempt?.vitals.noteEvent(type === 'tool.requested' ? data.callId : undefined);
    if (type === 'tool.returned' || type === 'tool.failed' || type === 'tool.denied')
      for (const each of this.attempts.values()) each.vitals.noteReturn(data.callId);
  }

  /** Looks at the agents at work. `now`: ms since the epoch. */
  look(sprint: SprintState, { limits, parking }: Pick<RunPolicy, 'limits' | 'parking'>, now: number): void {
    for (const attempt of this.attempts.values()) {
      const run = attempt.view();
      const seen = { awaitsHuman: awaitsHuman(sprint, run), isConnected: !mustConnect(sprint, run) };
      attempt.look({ now, ...seen, parkMs: parkMs(sprint, run, parking) }, limits);
    }
  }

  /** All that decisions depend on at this instant, ms since the epoch. */
  view(
    whole: SprintState | undefined,
    known: Pick<RunnerView, 'policy' | 'spending' | 'limits' | 'retryAt' | 'now'>,
  ): RunnerView {
    const { share: rules } = known.policy;
    const sprint = whole && ownPart(whole, rules);
    // Meanwhile somebody may work on what was looked at.
    if (sprint && nameOf(sprint.machine.value) === 'active.paused') this.prepared.clear();
    const { attempts, prepared, toCommit, kept, entered, recovered, takenUp, stopReason, drainReason } = this;
    const runs = [...attempts.values()].map((attempt) => {
      attempt.throwIfFailed();
      const run = attempt.view();
      if (sprint && hasCompleted(sprint, run) && isAttemptOver(sprint, run))
        attempt.noteCompletion(known.now);
      return attempt.view();
    });
    const jobs = [...this.jobs.values()].map((job) => {
      job.throwIfFailed();
      return job.view();
    });
    const own = { prepared, toCommit, kept, entered, recovered, takenUp, stopReason, drainReason };
    const share = whole && rules ? { share: shareOf(whole, rules), sharesFrom: this.sharesFrom } : {};
    return { sprint, ...share, runs, jobs, ...own, ...known };
  }
}
