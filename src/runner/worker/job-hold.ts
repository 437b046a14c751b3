import { CliffordError } from '../../errors.ts';
import type { HeldJob } from '../../events/queue/job-queue.ts';

/** How often a job is extended while it is held: so many times in the time that the queue waits. */
const TIMES = 3;
/** How long at most between two tries while the queue is away, in ms: what nobody could extend others may have as soon as it is back. */
const AGAIN_MS = 1_000;

/** Tells the queue that the worker of a job lives, until it is ended. */
export class JobHold {
  readonly #job: HeldJob;
  readonly #gone = new AbortController();
  readonly #report: (problem: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #isAway = false;

  constructor(job: HeldJob, report: (problem: string) => void) {
    this.#job = job;
    this.#report = report;
    // At once, too: when a job was handed out the server forgets with a restart, when it was heard of it keeps.
    this.#schedule(0);
  }

  /** Aborts when the job was taken out of the queue, or moved in it. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(afterMs: number): void {
    const waitMs = Math.max(0, this.#isAway ? Math.min(afterMs, AGAIN_MS) : afterMs);
    this.#timer = setTimeout(() => void this.#extend(), waitMs);
  }

  async #extend(): Promise<void> {
    const begun = performance.now();
    try {
      const state = await this.#job.extend();
      this.#isAway = false;
      if (state === 'gone') return this.#gone.abort();
    } catch (error) {
      // Without the queue the work goes on: whether another worker has it by then is said by the log.
      if (!this.#isAway && error instanceof CliffordError) this.#report(error.inOneLine);
      this.#isAway = true;
    }
    // What an answer took, or that none came, is a part of the time until the next one.
    const tookMs = performance.now() - begun;
    if (this.#timer !== undefined) this.#schedule(this.#job.deadlineMs / TIMES - tookMs);
  }
}
