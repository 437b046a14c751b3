import { setImmediate as turn } from 'node:timers/promises';
import { subjectOf } from '../../events/envelope.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../../workflow/project/project.ts';

/** Why calls stopped waiting while the question stays open. `afterMs`: its own time limit was over. */
export type Departed = { readonly why: string } | { readonly afterMs: number };

type Waiter = {
  /** As the latest call has it open. */
  project: Project;
  readonly request: RequestState;
  /** Calls that wait now. */
  calls: number;
  /** When the first of them began, and how long earlier ones waited: ms of `performance.now()`. */
  since: number;
  waitedMs: number;
  /** The log counts this agent among those who wait. */
  isTold: boolean;
  departed: Departed | undefined;
};

/**
 * The questions that the calls of one agent wait for. Keeps the log informed: several calls for one
 * question are one that waits, and what changes together is recorded together, so that a client that
 * leaves hundreds of them costs one append.
 */
export class Waiters {
  readonly #agentId: string;
  readonly #waiters = new Map<string, Waiter>();
  readonly #changed = new Set<Waiter>();
  #recording: Promise<void> | undefined;

  constructor(agentId: string) {
    this.#agentId = agentId;
  }

  /** One more call waits. Resolves when the log knows that this agent does. */
  enter(project: Project, request: RequestState): Promise<void> {
    const waiter = this.#waiters.get(request.id) ?? newcomer(project, request);
    this.#waiters.set(request.id, waiter);
    if (waiter.calls === 0) waiter.since = performance.now();
    waiter.calls += 1;
    waiter.project = project;
    waiter.departed = undefined;
    waiter.isTold ||= request.waiting.has(this.#agentId);
    return this.#change(waiter);
  }

  /**
   * A call no longer waits: the question has ended, or the call has `departed`. Resolves when the log
   * knows, if it was the last one.
   */
  async leave(requestId: string, departed?: Departed): Promise<void> {
    const waiter = this.#waiters.get(requestId);
    if (!waiter) return;
    waiter.calls -= 1;
    waiter.departed = departed;
    if (waiter.calls > 0) return;
    waiter.waitedMs += performance.now() - waiter.since;
    if (departed) await this.#change(waiter);
  }

  /** How long calls of this agent have waited for a question, those that ended and those that wait, in ms. */
  waitedMs(requestId: string): number {
    const waiter = this.#waiters.get(requestId);
    if (!waiter) return 0;
    return waiter.waitedMs + (waiter.calls > 0 ? performance.now() - waiter.since : 0);
  }

  /** Counts the time for a question from now on. */
  startAnew(requestId: string): void {
    const waiter = this.#waiters.get(requestId);
    if (!waiter) return;
    waiter.waitedMs = 0;
    waiter.since = performance.now();
  }

  #change(waiter: Waiter): Promise<void> {
    this.#changed.add(waiter);
    this.#recording ??= this.#record();
    return this.#recording;
  }

  async #record(): Promise<void> {
    try {
      // Calls that end because their client has left end in the same turn.
      await turn();
      while (this.#changed.size > 0) {
        const changed = [...this.#changed];
        this.#changed.clear();
        for (const [project, ofProject] of Map.groupBy(changed, ({ project }) => project)) {
          for (const [stream, waiters] of Map.groupBy(ofProject, ({ request }) => request.stream)) {
            const facts = waiters.flatMap((waiter) => this.#factOf(waiter) ?? []);
            if (facts.length > 0) await project.record(stream, facts);
          }
        }
      }
    } finally {
      this.#recording = undefined;
    }
  }

  /** What the log does not know yet of who waits. */
  #factOf(waiter: Waiter): Candidate | undefined {
    const { project, request, departed } = waiter;
    const { id: requestId, stream, taskId } = request;
    const subject = subjectOf(stream, taskId);
    const agent = this.#agentId;
    if (waiter.calls > 0) {
      const now = project.state.streams.get(stream)?.requests.get(requestId);
      waiter.isTold = now?.phase === 'open';
      if (!waiter.isTold || now?.waiting.has(agent)) return undefined;
      return { type: 'help.attached', subject, data: { requestId, agent } };
    }
    if (!waiter.isTold || !departed) return undefined;
    waiter.isTold = false;
    return 'afterMs' in departed
      ? { type: 'help.expired', subject, data: { requestId, afterMs: departed.afterMs, agent } }
      : { type: 'help.detached', subject, data: { requestId, agent, why: departed.why } };
  }
}

function newcomer(project: Project, request: RequestState): Waiter {
  return { project, request, calls: 0, since: 0, waitedMs: 0, isTold: false, departed: undefined };
}
