import type { Approval } from '../../events/approval.ts';
import type { RequestState } from '../../machines/project-state.ts';

/** A question that an agent asked a human, with all that is needed to answer it. Plain data. */
export type QuestionRecord = {
  /** Names it when it is answered. */
  readonly requestId: string;
  /** Id of the sprint, or `adhoc`: the agent was not working on a sprint. */
  readonly sprint: string;
  /** Id of the task, or `''`: the question is about none. */
  readonly task: string;
  /** `approval`: a tool call waits to be allowed. `prompt`: the agent's program stopped at a prompt in its output. */
  readonly kind: 'help' | 'clarification' | 'approval' | 'prompt';
  readonly question: string;
  /** Why the agent asks, or `''`. */
  readonly reason: string;
  /** What else the agent wrote about it, or `''`. */
  readonly context: string;
  /** Answers to choose from. Any other text is an answer, too. */
  readonly options: readonly string[];
  /** RFC 3339. */
  readonly askedAt: string;
  /** The tool call that waits, for `kind: 'approval'`. Secrets in the arguments are replaced. */
  readonly call?: {
    readonly server: string;
    readonly tool: string;
    readonly args: unknown;
    /** What a human had asked about the call, and what the agent has said since. */
    readonly explanation?: { readonly question: string; readonly words: string };
  };
};

/**
 * The plain record of a request.
 *
 * @internal
 */
export function questionRecord({ id, stream, taskId, asked, askedAt }: RequestState): QuestionRecord {
  const { approval } = asked;
  return {
    requestId: id,
    sprint: stream,
    task: taskId ?? asked.task ?? '',
    kind: asked.kind,
    question: asked.question,
    reason: asked.reason ?? '',
    context: asked.context ?? '',
    options: asked.options ?? [],
    askedAt,
    ...(approval ? { call: callOf(approval) } : {}),
  };
}

function callOf({ server, tool, args, explanation }: Approval): NonNullable<QuestionRecord['call']> {
  return { server, tool, args, ...(explanation ? { explanation } : {}) };
}
