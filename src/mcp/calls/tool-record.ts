import { OWN_SERVER } from '../../workflow/project/own-tools.ts';
import { randomUUID } from 'node:crypto';
import { digestOf } from '../../lib/digest.ts';
import type { z } from 'zod';
import { jsonSchema } from '../../events/field-schemas.ts';
import { subjectOf } from '../../events/envelope.ts';
import type { Candidate } from '../../machines/legality.ts';
import { secretsOf } from '../../events/secrets/redaction.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { homeStream } from '../../workflow/sprint/home-stream.ts';
import { assertMayAct, ownTask } from '../../workflow/task/own-task.ts';
import type {
  Before,
  Callable,
  CallVerdict,
  CallPlace,
  RecordedCall,
  ToolCall,
} from '../../gateway/call/tool.ts';

/** Longest JSON text of arguments that is recorded as it is, in UTF-16 units. */
const MAX_ARGS_LENGTH = 4_096;

/** What was called, and with what. */
type MadeCall = { readonly tool: Callable; readonly args: unknown };

/** How a call ended. `bytes`: of the result as JSON. */
type CallEnd =
  | { readonly isError: boolean; readonly bytes: number }
  /** No result, or none that reached the agent. */
  | { readonly error: string };

/** Records one tool call: that it was made, before it does anything, and how it ended. */
export class ToolRecord implements RecordedCall {
  readonly #call: ToolCall;
  readonly #made: MadeCall;
  readonly callId = randomUUID();
  readonly #startedAt = performance.now();
  #place: CallPlace | undefined;
  #isRequested = false;

  constructor(call: ToolCall, made: MadeCall) {
    this.#call = call;
    this.#made = made;
  }

  /** What the call is about, before anything is recorded of it. In particular about no task: about that of its agent. */
  about({ stream, taskId }: CallPlace): void {
    const { project, agent, session } = this.#call;
    const own = ownTask(project.state, agent, session);
    const about = taskId ?? (own?.sprint.id === stream ? own.task.id : undefined);
    this.#place = { stream, taskId: about };
  }

  /** With what was decided about it already, in one append. */
  async requested(verdict?: CallVerdict): Promise<void> {
    const place = await this.#known();
    this.#isRequested = true;
    const decided = verdict === undefined ? [] : [this.#verdict(place, verdict)];
    await this.#call.project.record(place.stream, [this.#request(place), ...decided]);
  }

  async asked(ask: (before: Before) => Promise<RequestState>): Promise<RequestState> {
    const { project, agent, session } = this.#call;
    const before = this.#isRequested ? [] : [this.#request(await this.#known())];
    const request = await ask(() => {
      assertMayAct(project.state, agent, session);
      return before;
    });
    this.#isRequested = true;
    return request;
  }

  async decided(verdict: CallVerdict): Promise<void> {
    const place = await this.#known();
    await this.#call.project.record(place.stream, [this.#verdict(place, verdict)]);
  }

  /** With what the result `delivered`, in one append. */
  async ended(end: CallEnd, delivered: readonly Candidate[] = []): Promise<void> {
    const place = await this.#known();
    const request = this.#isRequested ? [] : [this.#request(place)];
    await this.#call.project.record(place.stream, [...request, ...delivered, this.#end(place, end)]);
  }

  /** Of a call of which nobody knows what it was about: where its agent's words go. */
  async #known(): Promise<CallPlace> {
    const { project, agent, session } = this.#call;
    return this.#place ?? { stream: await homeStream(project, agent, session) };
  }

  #request(place: CallPlace): Candidate {
    const { session, agent } = this.#call;
    const { tool, args } = this.#made;
    const { server, tool: name } = tool.origin ?? { server: OWN_SERVER, tool: tool.name };
    return {
      type: 'tool.requested',
      subject: subjectOf(place.stream, place.taskId),
      data: {
        callId: this.callId,
        server,
        tool: name,
        args: capped(secretsOf(session.env).redactJson(args)),
        argsDigest: digestOf(args ?? null),
        runId: agent.runId,
      },
    };
  }

  #verdict({ stream, taskId }: CallPlace, { type, data }: CallVerdict): Candidate {
    const fact = { callId: this.callId, ...data };
    return { type, subject: subjectOf(stream, taskId), data: fact };
  }

  #end({ stream, taskId }: CallPlace, end: CallEnd): Candidate {
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

/** The arguments, or the beginning of their text; all of it where they are nested deeper than the log takes. */
function capped(args: unknown): z.infer<typeof jsonSchema> {
  const text = JSON.stringify(args ?? null);
  const whole = text.length <= MAX_ARGS_LENGTH ? jsonSchema.safeParse(JSON.parse(text)) : undefined;
  if (whole?.success) return whole.data;
  return { cut: text.slice(0, MAX_ARGS_LENGTH), length: text.length };
}
