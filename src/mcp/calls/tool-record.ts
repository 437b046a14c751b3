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
  #place: Place | undefined;

  constructor(facts: CallFacts) {
    this.#facts = facts;
  }

  /** With what was decided about it already, in one append. */
  async requested(place: Place, verdict?: CallVerdict): Promise<void> {
    this.#place = place;
    const decided = verdict === undefined ? [] : [this.#verdict(place, verdict)];
    await this.#facts.project.record(place.stream, [this.#request(place), ...decided]);
  }

  /** What was decided later. After {@link requested}. */
  async decided(verdict: CallVerdict): Promise<void> {
    const place = this.#place;
    if (place) await this.#facts.project.record(place.stream, [this.#verdict(place, verdict)]);
  }

  /** `elsewhere` is where a call belongs of which nobody knows what it was about. */
  async ended(end: CallEnd, elsewhere: () => Promise<Place>): Promise<void> {
    const durationMs = Math.round(performance.now() - this.#startedAt);
    const place = this.#place ?? (await elsewhere());
    const before = this.#place ? [] : [this.#request(place)];
    await this.#facts.project.record(place.stream, [...before, this.#end(place, end, durationMs)]);
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

  #end({ stream, taskId }: Place, end: CallEnd, durationMs: number): Candidate {
    const subject = subjectOf(stream, taskId);
    const { callId } = this;
    if ('error' in end) return { type: 'tool.failed', subject, data: { callId, error: end.error } };
    return { type: 'tool.returned', subject, data: { callId, durationMs, ...end } };
  }
}

type Json = Extract<Candidate, { type: 'tool.requested' }>['data']['args'];

/** The arguments, or the beginning of their text. They came as JSON. */
function capped(args: unknown): Json {
  const text = JSON.stringify(args ?? null);
  if (text.length <= MAX_ARGS_LENGTH) return JSON.parse(text) as Json;
  return { cut: text.slice(0, MAX_ARGS_LENGTH), length: text.length };
}
