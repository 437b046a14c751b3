import type { EventData, EventType } from '../../src/events/catalog.ts';
import type { ProcessIdentity } from '../../src/lib/processes/process-identity.ts';
import type { Candidate } from '../../src/machines/legality.ts';

type Json = EventData<'tool.requested'>['args'];

/** Events in their order, each so long after the one before. */
export class Told {
  readonly events: (Candidate & { readonly time: string })[] = [];
  readonly #sprint: string;
  readonly #agent: ProcessIdentity;
  #now: number;

  /**
   * @param beganMs - How long ago the first of them was.
   * @param agent - The process of all agents: they are at work for as long as it is there.
   */
  constructor(sprint: string, beganMs: number, agent: ProcessIdentity) {
    this.#sprint = sprint;
    this.#agent = agent;
    this.#now = Date.now() - beganMs;
  }

  add<T extends EventType>(on: string, type: T, data: EventData<T>, afterSeconds = 1): this {
    this.#now += afterSeconds * 1_000;
    const subject = on === '' ? this.#sprint : `${this.#sprint}/${on}`;
    this.events.push({
      subject,
      type,
      data,
      time: new Date(this.#now).toISOString(),
    } as Told['events'][number]);
    return this;
  }

  /** An agent begins to work. */
  begin(task: string, agent: readonly [adapter: string, model: string], attempt = 1): string {
    const runId = `run-${task}-${attempt}`;
    const [adapter, model] = agent;
    this.add(task, 'task.started', { attempt, by: 'clifford', runId }, 8);
    this.add(task, 'agent.started', {
      runId,
      attempt,
      adapter,
      argv: [adapter, '--model', model, '--output-format', 'stream-json'],
      ...this.#agent,
      transcript: `.clifford/transcripts/${runId}.cast`,
    });
    const client = { name: adapter, version: '2.1.4' };
    this.add(task, 'agent.connected', { runId, client, protocol: '2025-11-25' });
    return runId;
  }

  /** It calls a tool, and has its result. */
  call(task: string, runId: string, [server, tool]: readonly [string, string], args: Json, took = 40): this {
    const callId = `${runId}-${this.events.length}`;
    this.add(task, 'tool.requested', { callId, server, tool, args, argsDigest: 'd', runId }, 9);
    return this.add(task, 'tool.returned', { callId, isError: false, durationMs: took, bytes: 1_204 + took });
  }

  /** It is done. */
  end(task: string, runId: string, summary: string, costUsd: number, sha?: string): this {
    const tokens = {
      input: Math.round(costUsd * 90_000),
      output: Math.round(costUsd * 9_000),
      cached: 240_000,
    };
    this.add(task, 'agent.usage', { runId, tokens, costUsd });
    this.add(task, 'task.completed', { by: 'agent', runId, summary }, 30);
    this.add(task, 'agent.exited', { runId, code: 0, signal: null, durationMs: 421_000 });
    if (sha === undefined) return this;
    const files = ['src/invoices.ts', 'src/http/invoice-routes.ts', 'test/invoices.test.ts'];
    return this.add(task, 'task.committed', { sha, files, attempt: 1 });
  }
}
