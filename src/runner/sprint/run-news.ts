import type { RequestState } from '../../machines/project-state.ts';
import { questionRecord } from '../../workflow/requests/question-record.ts';
import { silenceLimit } from '../attempt/watch.ts';
import type { Action, RunnerView, RunPolicy } from '../reconcile/runner-view.ts';
import type { RunnerListeners } from './runner-events.ts';

/** Tells the listeners of a run what is new, each thing once: a turn sees again what the turn before has seen. */
export class RunNews {
  readonly #stream: string;
  readonly #listeners: RunnerListeners;
  /** What was told last of what is waited for. */
  #awaited: string | undefined;
  /** Files that could not be written, as they were told of. */
  #unwritten: readonly string[] = [];
  /** Runs whose silence was told of. */
  readonly #silent = new Set<string>();
  /** Requests that were told of, or had been closed before this run. */
  readonly #announced = new Set<string>();

  constructor(stream: string, listeners: RunnerListeners) {
    this.#stream = stream;
    this.#listeners = listeners;
  }

  problem(problem: string): void {
    this.#listeners.emit('problem', problem);
  }

  /** Once for each file, until it could be written. */
  unwritten(problems: readonly string[]): void {
    for (const problem of problems) if (!this.#unwritten.includes(problem)) this.problem(problem);
    this.#unwritten = problems;
  }

  /** Nobody has to be told of requests that had ended before the run. */
  disregardEnded(requests: Iterable<RequestState>): void {
    for (const { id, phase } of requests) if (phase !== 'open') this.#announced.add(id);
  }

  requests(requests: Iterable<RequestState>): void {
    for (const request of requests) {
      if (this.#announced.has(request.id)) continue;
      this.#announced.add(request.id);
      this.#listeners.emit('halt', questionRecord(request));
    }
  }

  /** Once for each silence, when half of the time is over. */
  silence(run: RunnerView['runs'][number], { limits }: RunPolicy): void {
    const { runId, taskId, watch } = run;
    const limitMs = silenceLimit(run, limits);
    if (limitMs === 0 || watch.silentMs * 2 < limitMs) this.#silent.delete(runId);
    else if (!this.#silent.has(runId)) {
      this.#silent.add(runId);
      this.#listeners.emit('silence', { task: taskId, runId, silentMs: watch.silentMs, limitMs });
    }
  }

  wait(wait: Action & { do: 'wait' }): void {
    const awaited = wait.for === 'limit' ? `${wait.taskId} ${wait.until}` : wait.for;
    if (awaited === this.#awaited) return;
    this.#awaited = awaited;
    if (wait.for === 'resume') this.#listeners.emit('paused', { sprint: this.#stream });
    if (wait.for !== 'limit') return;
    const { taskId: task, why, until } = wait;
    this.#listeners.emit('wait', { task, why, until });
  }
}
