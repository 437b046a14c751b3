import { createHash, randomUUID } from 'node:crypto';
import { subjectOf } from '../../events/envelope.ts';
import type { Candidate } from '../../machines/legality.ts';
import { secretsOf } from '../../events/redaction.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { CallVerdict, Place } from '../../gateway/call/tool.ts';

/** The name of Clifford among servers. */
const OWN_SERVER = 'clifford';

/** Longest JSON text of arguments that is recorded as it is, in UTF-16 units. */
const MAX_ARGS_LENGTH = 4_096;

export type CallFacts = {
  readonly project: Project;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The server that has the tool. Default: Clifford. */
  readonly server?: string | undefined;
  readonly tool: string;
  readonly args: unknown;
  readonly runId: string | undefined;
};

/** How a call ended. `bytes`: of the result as JSON. */
export type CallEnd =
  | { readonly isError: boolean; readonly bytes: number }
  /** No result, or none that reached the agent. */
  | { readonly error: string };

/** Records one tool call: that it was made, before it does anything, and how it ended. */
export class ToolRecord {
  readonly #facts: CallFacts;
  readonly callId = randomUUID();
  readonly #startedAt = performance.now();
  #isRequested = false;

  constructor(facts: CallFacts) {
    this.#facts = facts;
  }

  /** With what was decided about it already, in one append. */
  async requested(place: Place, verdict?: CallVerdict): Promise<void> {
    this.#isRequested = true;
    const decided = verdict === undefined ? [] : [this.#verdict(place, verdict)];
    await this.#facts.project.record(place.stream, [this.#request(place), ...decided]);
  }

  /** In one append with what `append` does, unless it was requested before. */
  async requestedWith<T>(place: Place, append: (request: readonly Candidate[]) => Promise<T>): Promise<T> {
    const appended = await append(this.#isRequested ? [] : [this.#request(place)]);
    this.#isRequested = true;
    return appended;
  }

  /** What was decided after it was requested. */
  async decided(place: Place, verdict: CallVerdict): Promise<void> {
    await this.#facts.project.record(place.stream, [this.#verdict(place, verdict)]);
  }

  /** With the requests whose end the result has told, in one append. */
  async ended(place: Place, end: CallEnd, delivered: readonly Candidate[] = []): Promise<void> {
    const request = this.#isRequested ? [] : [this.#request(place)];
    await this.#facts.project.record(place.stream, [...request, ...delivered, this.#end(place, end)]);
  }

  #request(place: Place): Candidate {
    const { server = OWN_SERVER, tool, args, env, runId } = this.#facts;
    return {
      type: 'tool.requested',
      subject: subjectOf(place.stream, place.taskId),
      data: {
        callId: this.callId,
        server,
        tool,
        args: capped(secretsOf(env).redactJson(args)),
        argsDigest: createHash('sha256')
          .update(JSON.stringify(args ?? null))
          .digest('base64url'),
        ...(runId === undefined ? {} : { runId }),
      },
    };
  }

  #verdict({ stream, taskId }: Place, { type, data }: CallVerdict): Candidate {
    const fact = { callId: this.callId, ...data };
    return { type, subject: subjectOf(stream, taskId), data: fact };
  }

  #end({ stream, taskId }: Place, end: CallEnd): Candidate {
    const subject = subjectOf(stream, taskId);
    const { callId } = this;
    if ('error' in end) return { type: 'tool.failed', subject, data: { callId, error: end.error } };
    return {
      type: 'tool.returned',
      subject,
      data: { callId, durationMs: Math.round(performance.now() - this.#startedAt), ...end },
    };
  }
}

type Json = Extract<Candidate, { type: 'tool.requested' }>['data']['args'];

/** The arguments, or the beginning of their text. They came as JSON. */
function capped(args: unknown): Json {
  const text = JSON.stringify(args ?? null);
  if (text.length <= MAX_ARGS_LENGTH) return JSON.parse(text) as Json;
  return { cut: text.slice(0, MAX_ARGS_LENGTH), length: text.length };
}
