import type { Candidate } from '../../machines/legality.ts';
import { UnrecordedFacts, type RecordFacts } from '../output/unrecorded-facts.ts';
import type { JobView } from '../reconcile/runner-view.ts';

/** What a job is about. */
export type JobParts = Pick<JobView, 'kind' | 'taskId'> & {
  /** Called when there are facts to record, and at the end. */
  readonly onNews: () => void;
  /** What is to be done once all of its work is done and recorded. It may be done again where it threw. */
  readonly finish: () => Promise<void>;
};

/** What a job does. It ends soon after the signal aborts, and leaves nothing behind. */
export type Work = (how: {
  readonly signal: AbortSignal;
  /** Hands over a fact, to be recorded. */
  readonly tell: (fact: Candidate) => void;
}) => Promise<void>;

/** How far a job has come. `done`: it did all of its work; `stopped`: it may not have. */
type JobState =
  | { readonly is: 'working' | 'stopping' | 'stopped' | 'done' }
  | { readonly is: 'failed'; readonly error: unknown };

const phases = {
  working: 'working',
  stopping: 'stopping',
  stopped: 'ended',
  done: 'ended',
  failed: 'ended',
} as const;

/** Work for a task that no agent does, from its start until its end is known. The loop goes on beside it. */
export class Job {
  readonly id: string;
  readonly #parts: JobParts;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  readonly #facts = new UnrecordedFacts();
  #state: JobState = { is: 'working' };

  constructor(parts: JobParts, work: Work) {
    this.id = `${parts.kind} of ${parts.taskId}`;
    this.#parts = parts;
    this.#ended = this.#run(work);
  }

  /** The job as decisions see it. */
  view(): JobView {
    const { kind, taskId } = this.#parts;
    return {
      jobId: this.id,
      kind,
      taskId,
      phase: phases[this.#state.is],
      hasFacts: this.#facts.all.length > 0,
    };
  }

  /** Ends it, unless it has ended. */
  stop(): void {
    if (this.#state.is !== 'working') return;
    this.#state = { is: 'stopping' };
    this.#stop.abort();
  }

  /** Ends it and waits until nothing of it is left, whether that can be recorded or not. */
  async abandon(): Promise<void> {
    this.stop();
    await this.#ended;
  }

  /** Records what is not in the log yet. What `record` rejects is kept for the next time. */
  async recordFacts(record: RecordFacts): Promise<void> {
    await this.#facts.recordWith(record);
  }

  /** @throws what the work threw, unless it was stopped. */
  throwIfFailed(): void {
    if (this.#state.is === 'failed') throw this.#state.error;
  }

  /** Does what is to be done once all of its work is done. Nothing when it was stopped before that. */
  async finish(): Promise<void> {
    if (this.#state.is === 'done') await this.#parts.finish();
  }

  async #run(work: Work): Promise<void> {
    const { signal } = this.#stop;
    const { onNews } = this.#parts;
    const tell = (fact: Candidate) => {
      this.#facts.add(fact);
      onNews();
    };
    try {
      await work({ signal, tell });
      this.#state = { is: 'done' };
    } catch (error) {
      this.#state = signal.aborted ? { is: 'stopped' } : { is: 'failed', error };
    }
    onNews();
  }
}
