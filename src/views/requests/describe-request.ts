import type { Approval } from '../../events/approval.ts';
import type { FormQuestion } from '../../events/form/form.ts';
import type { RequestKind } from '../../events/descriptors/help-events.ts';
import type { RequestPhase } from '../../machines/kinds.ts';
import type { Dismissal, RecordedAnswer, RequestState } from '../../machines/project-state.ts';
import { asksSecret } from './asks-secret.ts';

/** A request as a screen shows it. */
export type RequestView = {
  id: string;
  /** Its id; `adhoc`: none. */
  sprint: string;
  task: string | undefined;
  kind: RequestKind;
  question: string;
  reason: string | undefined;
  context: string | undefined;
  options: readonly string[];
  /** Several of the options may be chosen. */
  isMultiple: boolean;
  /** Of a prompt: whether its program asks for a secret. */
  secret?: boolean;
  /** Several questions at once, in place of `options`; `question` says what they are about. Absent: it is one. */
  questions?: readonly FormQuestion[];
  askedAt: string;
  phase: RequestPhase;
  /** An agent's call waits for its end. Otherwise the answer goes to the next attempt. */
  isAwaited: boolean;
  answer: RecordedAnswer | undefined;
  dismissal: Dismissal | undefined;
  /** The answered request whose words the agent repeated. */
  follows: string | undefined;
  /** The tool call that waits for it. */
  approval: Approval | undefined;
};

/** The plain view of a request. */
export function describeRequest({ id, stream, taskId, asked, ...request }: RequestState): RequestView {
  return {
    id,
    sprint: stream,
    task: taskId ?? asked.task,
    kind: asked.kind,
    question: asked.question,
    reason: asked.reason,
    context: asked.context,
    options: asked.options ?? [],
    isMultiple: asked.multiple === true,
    ...(asked.kind === 'prompt' ? { secret: asksSecret(asked) } : {}),
    ...(asked.questions ? { questions: asked.questions } : {}),
    askedAt: request.askedAt,
    phase: request.phase,
    isAwaited: request.phase === 'open' && request.waiting.size > 0,
    answer: request.answer,
    dismissal: request.dismissal,
    follows: asked.follows,
    approval: asked.approval,
  };
}
