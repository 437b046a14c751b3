import { setTimeout as pause } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import type { RunOptions } from '../../events/descriptors/sprint-events.ts';
import { subjectOf, type StoredEvent } from '../../events/envelope.ts';
import type { RequestState, UsageLimit } from '../../machines/project-state.ts';
import type { HeldPolicy } from '../../gateway/permission/held-policy.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { SprintFolder } from '../../workflow/sprint/sprint-folders.ts';
import { TemporaryEdits } from '../temporary-edits/temporary-edits.ts';
import { leaveRun } from './leave-run.ts';
import { RetryPolicy } from './retry-policy.ts';
import { performAction, RUNNER, runnerName, type ActionDeps } from './perform-action.ts';
import { reconcile } from '../reconcile/reconcile.ts';
import { retryTimes } from '../reconcile/retry-times.ts';
import type { Sharing } from '../jobs/sharing.ts';
import { RunNap } from './run-nap.ts';
import { RunNews } from './run-news.ts';
import type { RunnerListeners } from './runner-events.ts';
import { RunnerMemory } from '../reconcile/runner-memory.ts';
import type { RunEnd } from './run-end.ts';
import type { RunnerView, RunPolicy } from '../reconcile/runner-view.ts';
import { createStartAttempt } from '../attempt/start-attempt.ts';
import type { TaskPlans } from '../plan/task-plans.ts';
import { messageOf } from '../../lib/message-of.ts';

/** What a worker says of what a human took out. */
export const TAKEN_OUT = 'it was taken out of the queue';

/** What a driver needs. The caller holds the sprint's lock. */
export type DriverParts = {
  readonly project: Project;
  readonly folder: SprintFolder;
  readonly plans: TaskPlans;
  /** As whoever started the run said. */
  readonly options?: RunOptions | undefined;
  readonly policy: Pick<
    RunPolicy,
    'wait' | 'concurrency' | 'failFast' | 'isolation' | 'paths' | 'keepsFailed' | 'share'
  >;
  /** By what tasks are left to other workers. */
  readonly sharing?: Sharing | undefined;
  /** Usage limits that are known when the run begins are not waited for. */
  readonly despiteLimit: boolean;
  /** Instead of the configured limit, in ms. */
  readonly completionGraceMs: number | undefined;
  readonly retryDelayMs: number;
  readonly killGraceMs: number;
  readonly listeners: RunnerListeners;
  /** The environment that agents inherit. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly agentPolicy: HeldPolicy;
  /** The worker that runs it, as the log names it; `undefined`: none. */
  readonly worker: string | undefined;
} & Pick<ActionDeps, 'assertFree'>;

/** Does what {@link reconcile} says, until it says that the run has ended. */
export class SprintDriver {
  readonly #project: Project;
  readonly #stream: string;
  readonly #memory = new RunnerMemory();
  readonly #news: RunNews;
  readonly #actions: ActionDeps & { readonly temporaryEdits: TemporaryEdits };
  readonly #parts: DriverParts;
  /** Usage limits that are not waited for. */
  #disregarded: readonly UsageLimit[] = [];
  /** As configured at the beginning of the turn. */
  #policy: RunPolicy | undefined;
  readonly #retries = new RetryPolicy();
  /** The log has had its own `sprint.started`. */
  #isBegun = false;
  /** Aborts when {@link stop} is called. */
  readonly #stopped = new AbortController();
  /** When it was called first, in ms of a clock that only goes forward. */
  #stoppedAt: number | undefined;
  readonly #nap: RunNap;

  constructor(parts: DriverParts) {
    const { project, folder, listeners } = parts;
    this.#parts = parts;
    this.#project = project;
    this.#stream = folder.manifest.id;
    this.#news = new RunNews(this.#stream, listeners);
    this.#nap = new RunNap(project, this.#stream);
    const memory = this.#memory;
    // The sprint is another worker's, who has begun it.
    if (parts.policy.share?.as === 'helper') memory.entered = memory.takenUp = true;
    if (project.isShared && parts.worker === undefined) memory.run = `runner-${uuidv7()}`;
    const temporaryEdits = new TemporaryEdits(project.dir, (note) => this.#news.problem(note));
    this.#actions = {
      ...parts,
      by: RUNNER,
      isolation: parts.policy.isolation,
      isHelper: this.#isHelper,
      memory,
      temporaryEdits,
      view: () => this.#view(),
      startAttempt: createStartAttempt({
        ...parts,
        memory,
        temporaryEdits,
        onNews: () => this.#nap.wake(),
        by: RUNNER,
      }),
      onEntered: () => listeners.emit('start', { sprint: this.#stream }),
      onNews: () => this.#nap.wake(),
    };
  }

  /** Runs the sprint. Whatever happens, no agent is left when it returns or throws. */
  async run(): Promise<RunEnd> {
    if (this.#parts.despiteLimit) this.#disregarded = this.#project.state.limits;
    this.#news.disregardEnded(this.#requests());
    // Listens between two waits, too: the log would be watched anew for each.
    const unsubscribe = this.#project.subscribe((events) => {
      for (const event of events) this.#take(event);
      this.#mark(events);
    });
    if (this.#isTakenOut()) this.stop(TAKEN_OUT);
    let reason = '';
    try {
      for (;;) {
        const end = await this.#turnWithRetries();
        if (!end) continue;
        reason = end.outcome === 'stopped' ? end.reason : `${end.outcome}: ${end.reason}`;
        return end;
      }
    } catch (error) {
      reason = messageOf(error);
      throw error;
    } finally {
      unsubscribe();
      await leaveRun(this.#actions, reason);
    }
  }

  /** Ends the agents and then the run, which can be resumed. Safe to call twice. */
  stop(reason: string): void {
    this.#memory.stopReason ??= reason;
    this.#stoppedAt ??= performance.now();
    this.#stopped.abort();
    // Not at the next turn: the log may be away, and the turn that is under way waits for it.
    for (const attempt of this.#memory.attempts.values()) attempt.stop('stopped');
    for (const job of this.#memory.jobs.values()) job.stop();
    this.#nap.wake();
  }

  /** Begins nothing new, and ends the run when what is under way has ended. Safe to call twice. */
  drain(reason: string): void {
    this.#memory.drainReason ??= reason;
    this.#nap.wake();
  }

  /** Ends the agents at once, without the time that {@link stop} gives them. */
  kill(): void {
    for (const attempt of this.#memory.attempts.values()) attempt.kill();
  }

  /** A turn that a new try may mend is taken again after a pause. What it would have recorded is kept. */
  async #turnWithRetries(): Promise<RunEnd | undefined> {
    const triedAt = performance.now();
    try {
      const end = await this.#turn();
      this.#retries.noteSuccess();
      return end;
    } catch (error) {
      const stoppedAt = this.#stoppedAt;
      const wait = this.#retries.pauseAfter(error, { now: performance.now(), triedAt, stoppedAt });
      if (!wait) throw error;
      if (wait.isNews && error instanceof Error) this.#news.problem(`${error.message}; it is tried again`);
      const how = stoppedAt === undefined ? { signal: this.#stopped.signal } : {};
      await pause(wait.pauseMs, undefined, how).catch(() => undefined);
      return undefined;
    }
  }

  async #turn(): Promise<RunEnd | undefined> {
    this.#policy = await this.#currentPolicy();
    await this.#project.refresh();
    this.#news.unwritten(this.#project.unwritten().map(({ message }) => message));
    this.#news.requests(this.#requests());
    // From here to the nap nothing is awaited, so that nothing can happen unseen.
    const seen = this.#nap.seen();
    this.#look(this.#policy);
    for (const action of reconcile(this.#view())) {
      if (action.do === 'end') return action.end;
      if (action.do === 'wait') {
        this.#news.wait(action);
        await this.#nap.sleep(seen, action.until);
      } else await performAction(this.#actions, action);
    }
    return undefined;
  }

  /** Looked up anew with every turn: a budget that was raised or a limit that was lifted counts soon. */
  async #currentPolicy(): Promise<RunPolicy> {
    const { plans, policy, completionGraceMs } = this.#parts;
    const { limits, ...rules } = await plans.rules();
    // Of a worktree nobody else changes the files.
    const areFilesJudged = rules.areFilesJudged && policy.isolation !== 'worktrees';
    return {
      ...policy,
      ...rules,
      areFilesJudged,
      limits: { ...limits, exit: completionGraceMs ?? limits.exit },
    };
  }

  #view(): RunnerView {
    const { state } = this.#project;
    if (!this.#policy) throw new Error('there is no policy before the first turn');
    const { spending } = state;
    const disregarded = this.#disregarded;
    const limits = state.limits.filter(
      ({ agent, at }) => !disregarded.some((known) => known.agent === agent && known.at === at),
    );
    const sprint = state.streams.get(this.#stream);
    const { retryDelayMs } = this.#parts;
    const now = Date.now();
    const retryAt = retryTimes(sprint, { limits, disregarded, retryDelayMs, now });
    return this.#memory.view(sprint, { policy: this.#policy, spending, limits, retryAt, now });
  }

  #look(policy: RunPolicy): void {
    const sprint = this.#project.state.streams.get(this.#stream);
    if (!sprint) return;
    this.#memory.look(sprint, policy, Date.now());
    for (const run of this.#view().runs) this.#news.silence(run, policy);
  }

  #take(event: StoredEvent): void {
    this.#memory.note(event);
    if (
      event.type === 'runner.recalled' &&
      event.subject === this.#stream &&
      event.data.runner === runnerName &&
      !this.#isAnother(event.data.run)
    )
      this.stop(`${event.data.by} stopped it`);
    if (event.type === 'sprint.started' && event.subject === this.#stream) {
      this.#isBegun ||= event.data.run === this.#memory.run;
      // One that came before, and is over, is nobody's who has it now.
      if (this.#isBegun && this.#isAnother(event.data.run))
        this.stop(`another run has taken it up: ${event.data.runner}`);
    }
    if (
      event.type === (this.#isHelper ? 'offer.taken' : 'job.taken') &&
      event.subject === this.#held &&
      event.data.worker !== this.#parts.worker
    )
      this.stop(`worker ${event.data.worker} has taken it over`);
    if (event.type === 'job.cancelled' && this.#isTakenOut()) this.stop(TAKEN_OUT);
  }

  #isAnother(run: string | undefined): boolean {
    return run !== undefined && this.#memory.run !== undefined && run !== this.#memory.run;
  }

  /** A human has taken it out of the queue, and so from the worker that runs it. */
  #isTakenOut(): boolean {
    const sprint = this.#project.state.streams.get(this.#stream);
    return this.#parts.worker !== undefined && sprint?.leftQueue?.outcome === 'cancelled';
  }

  /** It works on a task that the worker of the sprint has left to it. */
  get #isHelper(): boolean {
    return this.#parts.policy.share?.as === 'helper';
  }

  /** What this worker has: the subject of the events that say so. */
  get #held(): string {
    const { share } = this.#parts.policy;
    return subjectOf(this.#stream, share?.as === 'helper' ? share.taskId : undefined);
  }

  #mark(events: readonly StoredEvent[]): void {
    for (const attempt of this.#memory.attempts.values()) attempt.mark(events);
  }

  #requests(): Iterable<RequestState> {
    return this.#project.state.streams.get(this.#stream)?.requests.values() ?? [];
  }
}
