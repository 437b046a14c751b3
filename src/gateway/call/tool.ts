import type {
  CallToolResult,
  ToolAnnotations,
  Tool as ToolListing,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { CliffordError } from '../../errors.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { TaskNote } from '../../machines/task-state.ts';
import type { Agent } from '../../workflow/project/agent.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { SendProgress } from '../wait/keep-alive.ts';
import type { AskableClient } from '../elicitation/askable-client.ts';
import type { Session } from '../session/session.ts';

/** What a tool is called with, besides its arguments. */
export type ToolCall = {
  readonly project: Project;
  readonly agent: Agent;
  readonly session: Session;
  /** Aborts when the agent cancels the call, or leaves. */
  readonly signal: AbortSignal;
  /** When it came, in ms of `performance.now()`. */
  readonly arrivedAt: number;
  /** Says that it is alive; `undefined` when its client did not ask for that. */
  readonly progress: SendProgress | undefined;
  /** The agent's client, as far as it can be asked something; `undefined`: there is none that could. */
  readonly client?: AskableClient;
  /** Keeps the server open until this is done, and reports it when it fails. */
  readonly background: (work: Promise<unknown>) => void;
  /**
   * The result tells how these requests of the call's stream ended. Recorded with the call's end, if the agent gets the
   * result.
   */
  readonly delivers: (requests: readonly RequestState[]) => void;
  /** The notes from a human about a task that no agent has been told: the result tells them. */
  readonly takeNotes: (stream: string, taskId: string) => Promise<readonly TaskNote[]>;
};

/** What a call is about: the stream its events belong to, and the task, if it is one of the stream's. */
export type CallPlace = { readonly stream: string; readonly taskId?: string | undefined };

/** What an agent can call: as {@link Tool}, apart from its listing. */
export type Callable = {
  readonly name: string;
  /** The server that has it, and its name there: of a tool that is not our own. */
  readonly origin?: { readonly server: string; readonly tool: string };
  /**
   * Checks the arguments and finds out what the call is about. Nothing is decided yet.
   *
   * @throws {CliffordError} `ARGUMENTS_INVALID`, naming each argument and its rule.
   */
  readonly prepare: (args: unknown, call: ToolCall) => Promise<PreparedCall>;
};

/** One tool, with the types of its input behind it. `listing`: as `tools/list` shows it. */
export type Tool = Callable & { readonly listing: () => ToolListing };

/** What was decided about a call: by a rule, or by a human. */
export type CallVerdict =
  | { readonly type: 'tool.allowed'; readonly data: { readonly rule: string } }
  | { readonly type: 'tool.denied'; readonly data: { readonly rule: string } | DeniedIn };

/** Who ended the request that a call waited for without a yes to it: a human, or `clifford` with the task. */
export type DeniedIn = { readonly by: string; readonly requestId: string };

/** What the log gets in front of a question, in the same append; asked for on the state that it is decided on. */
export type Before = () => readonly Candidate[];

/** A call that runs. */
export type RecordedCall = {
  /** As the log names it. */
  readonly callId: string;
  /** Records what was decided. Durable when it returns. */
  readonly decided: (verdict: CallVerdict) => Promise<void>;
  /** Asks a human by `ask`. The request of a call that `asks` goes in front of the question: both are logged, or none. */
  readonly asked: (ask: (before: Before) => Promise<RequestState>) => Promise<RequestState>;
};

export type PreparedCall = {
  readonly place: CallPlace;
  /** What is decided about it already: recorded together with the request. */
  readonly verdict?: CallVerdict;
  /** Whether the first thing it does is to ask a human, by {@link RecordedCall.asked}. */
  readonly asks?: boolean;
  readonly run: (recorded: RecordedCall) => Promise<CallToolResult>;
};

/** A tool as its file writes it down. */
export type ToolDefinition<Input, P extends CallPlace> = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** A strict object: an argument it does not know is reported, not ignored. */
  readonly input: z.ZodType<Input>;
  readonly output?: z.ZodType;
  readonly annotations: Required<Omit<ToolAnnotations, 'title'>>;
  readonly meta?: Record<string, unknown>;
  /** A client may have it as a task. */
  readonly isTask?: boolean;
  readonly locate: (input: Input, call: ToolCall) => Promise<P>;
  /** As {@link PreparedCall.asks}. */
  readonly asks?: (input: Input) => boolean;
  readonly run: (input: Input, call: ToolCall, place: P, recorded: RecordedCall) => Promise<CallToolResult>;
};

export function defineTool<Input, P extends CallPlace>(definition: ToolDefinition<Input, P>): Tool {
  const { name, title, description, annotations, input, output, meta, isTask = false } = definition;
  return {
    name,
    listing: () => ({
      name,
      title,
      description,
      annotations,
      inputSchema: jsonSchemaOf(input),
      ...(output === undefined ? {} : { outputSchema: jsonSchemaOf(output) }),
      ...(isTask ? { execution: { taskSupport: 'optional' } } : {}),
      _meta: meta,
    }),
    prepare: async (args, call) => {
      const parsed = input.safeParse(args);
      if (!parsed.success) throw invalidArguments(name, parsed.error);
      const place = await definition.locate(parsed.data, call);
      return {
        place,
        asks: definition.asks?.(parsed.data) ?? false,
        run: (recorded) => definition.run(parsed.data, call, place, recorded),
      };
    },
  };
}

type ObjectSchema = ToolListing['inputSchema'];

/** Draft 7 is what every agent has been seen to read. */
function jsonSchemaOf(schema: z.ZodType): ObjectSchema {
  return { ...z.toJSONSchema(schema, { target: 'draft-7' }), type: 'object' } as ObjectSchema;
}

function invalidArguments(tool: string, error: z.ZodError): CliffordError {
  const issues = error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  return new CliffordError(`Cannot call ${tool}: ${issues.join('; ')}`, {
    code: 'ARGUMENTS_INVALID',
    fix: 'Correct the arguments and call it again',
    cause: error,
  });
}
