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
  /** Several questions at once, in place of `options`; `question` says what they are about. */
  readonly questions?: readonly QuestionOfForm[];
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

/** One of several questions that are asked and answered together. */
export type QuestionOfForm = {
  /** Names it when it is answered; on one line. */
  readonly title: string;
  /** The whole question, where its title does not say it. */
  readonly question?: string | undefined;
  readonly options?:
    | readonly {
        readonly label: string;
        readonly description?: string | undefined;
        readonly preview?: string | undefined;
        /** What the agent would take. */
        readonly recommended?: true | undefined;
      }[]
    | undefined;
  /** Several of the options may be chosen. */
  readonly multiple?: true | undefined;
  /** Only its options answer it. */
  readonly ownWords?: false | undefined;
  /** It may stay without an answer. */
  readonly required?: false | undefined;
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
    ...(asked.questions ? { questions: asked.questions } : {}),
    askedAt,
    ...(approval ? { call: callOf(approval) } : {}),
  };
}

function callOf({ server, tool, args, explanation }: Approval): NonNullable<QuestionRecord['call']> {
  return { server, tool, args, ...(explanation ? { explanation } : {}) };
}
