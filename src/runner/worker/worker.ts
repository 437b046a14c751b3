import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { CliffordError } from '../../errors.ts';
import { backoffMs } from '../../lib/time/backoff.ts';
import { spanText } from '../../lib/time/duration.ts';
import { subjectOf } from '../../events/envelope.ts';
import { mayBeTriedAgain } from '../../events/log/may-be-tried-again.ts';
import type { HeldJob, Job, JobQueue } from '../../events/queue/job-queue.ts';
import type { SprintRunner } from '../sprint/sprint-runner.ts';
import { placeLabel } from './who-has-work.ts';
import { workOn } from './work-on.ts';
import type { JobDeps } from './worker-deps.ts';
import type { WorkerEvents } from './worker-events.ts';

/** How to work. */
export type WorkerOptions = Pick<
  JobDeps,
  | 'home'
  | 'labels'
  | 'worker'
  | 'project'
  | 'commands'
  | 'env'
  | 'configMemory'
  | 'accepts'
  | 'agentCmd'
  | 'losses'
> & {
  readonly queue: JobQueue;
  /** Leave after one sprint; where none waits, at once. */
  readonly once: boolean;
};

/** How long at most a worker without a sprint waits until it looks again, in ms: of one that another one lost nobody tells. */
const LOOK_EVERY_MS = 5_000;
/** The same once it has heard of one, in ms: what is heard of may be in the queue a moment later. */
const LOOK_SOON_MS = 250;
/** How long it waits when the queue cannot be asked, in ms. */
const TROUBLE_MS = 2_000;
/** How long it takes nothing after it could not begin what it took, in ms: longer each time. */
const TAKES_NOTHING = { firstMs: 15_000, longestMs: 600_000 };

/** How long it leaves to others what they alone can do, as nobody here has agreed to it, or its work is there, in ms. */
const TO_OTHERS_MS = 600_000;

/**
 * Takes sprints from the queue, one at a time, and runs each as `clifford run` does. One use per instance.
 *
 * A worker holds nothing that another one could not go on with: who has a sprint is in the log, and what it made is pushed.
 */
export class Worker extends EventEmitter<WorkerEvents> {
  readonly #options: WorkerOptions;
  readonly #drained = new AbortController();
  readonly #stopped = new AbortController();
  readonly #killed = new AbortController();
  #leaving: string | undefined;
  #unfit = 0;
  /** What others can do and this one cannot, and until when it leaves that to them, as `performance.now()` has it. */
  readonly #forOthers = new Map<string, number>();
  #runner: SprintRunner | undefined;

  constructor(options: WorkerOptions) {
    super();
    this.#options = options;
  }

  /** Works until it is told to leave. @throws an error of the log or the queue that waiting does not mend. */
  async run(): Promise<void> {
    const { queue, labels, once, worker } = this.#options;
    const depart = queue.attend([...labels, placeLabel(worker)]);
    this.#drained.signal.addEventListener('abort', depart, { once: true });
    while (this.#leaving === undefined) {
      const job = await this.#next();
      if (job) await this.#workOn(job);
      if (once) return;
    }
  }

  /** How many times in a row it could not begin what it took. 0: this machine is fit for work, as far as it knows. */
  get unfit(): number {
    return this.#unfit;
  }

  /** Takes no other sprint; hands back the one it has as soon as the tasks under way have ended. Safe to call twice. */
  drain(reason: string): void {
    this.#leaving ??= reason;
    this.#drained.abort();
    this.#runner?.drain(reason);
  }

  /** The same at once: agents are ended (SIGTERM, grace, SIGKILL), and the attempt counts for nothing. */
  stop(reason: string): void {
    this.drain(reason);
    this.#stopped.abort();
    void this.#runner?.stop(reason);
  }

  /** The same without a grace for anything. */
  kill(reason: string): void {
    this.stop(reason);
    this.#killed.abort();
    void this.#runner?.kill(reason);
  }

  async #workOn(job: HeldJob): Promise<void> {
    const left = await workOn(this.#jobDeps(), job);
    this.#unfit = left.lacks === undefined ? 0 : this.#unfit + 1;
    this.emit('leave', left);
    // For other sprints it lacks nothing then.
    if (left.lacks === 'agreement' || left.lacks === 'work')
      this.#forOthers.set(keyOf(job), performance.now() + TO_OTHERS_MS);
    if (left.lacks !== 'files' || this.#options.once) return;
    const waitMs = backoffMs(TAKES_NOTHING, this.#unfit - 1);
    // Another machine may be able to: this one would only take it again, and again.
    this.emit('problem', `takes nothing for ${spanText(waitMs)}, since it could not begin ${left.sprint}`);
    await rest(waitMs, this.#drained.signal);
  }

  #jobDeps(): JobDeps {
    return {
      ...this.#options,
      listeners: this,
      leaving: () => this.#leaving,
      stopped: this.#stopped.signal,
      killed: this.#killed.signal,
      onRunner: (runner) => {
        this.#runner = runner;
        if (this.#leaving === undefined) return;
        if (this.#stopped.signal.aborted) void runner?.stop(this.#leaving);
        else runner?.drain(this.#leaving);
      },
    };
  }

  /** The next sprint for this worker; `undefined`: it leaves, or there is none and it does not wait. */
  async #next(): Promise<HeldJob | undefined> {
    const { queue, labels, once } = this.#options;
    const leaving = this.#drained.signal;
    let isIdle = false;
    let isInTrouble = false;
    let lookMs = LOOK_EVERY_MS;
    while (!leaving.aborted) {
      // Listens before it looks: what is added in between wakes it.
      const looked = new AbortController();
      const changed = queue.changed({ signal: AbortSignal.any([leaving, looked.signal]) });
      try {
        const job = await queue.take(
          labels,
          (each) => (this.#forOthers.get(keyOf(each)) ?? 0) > performance.now(),
        );
        isInTrouble = false;
        if (job && leaving.aborted) await job.giveBack();
        else if (job) return job;
        if (once) return undefined;
        if (!isIdle) this.emit('idle');
        isIdle = true;
        const heard = changed.then(() => LOOK_SOON_MS);
        lookMs = await Promise.race([heard, rest(lookMs, leaving).then(() => LOOK_EVERY_MS)]);
      } catch (error) {
        if (once || !mayBeTriedAgain(error) || !(error instanceof CliffordError)) throw error;
        if (!isInTrouble) this.emit('problem', `${error.message}; it is tried again`);
        isInTrouble = true;
        await rest(TROUBLE_MS, leaving);
      } finally {
        looked.abort();
      }
    }
    return undefined;
  }
}

/** Waits, in ms, or until it is time to leave. */
async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined);
}

/** Of a job as it was added: added again, it may have other files. */
function keyOf({ sprint, task, at }: Job): string {
  return `${subjectOf(sprint, task)} ${at}`;
}
