import type { RequestState } from '../../machines/project-state.ts';
import { wholeArguments } from '../../workflow/requests/held-call.ts';
import { isShownInPart } from '../../workflow/requests/shown-arguments.ts';
import type { QuestionView } from '../../views/requests/question-view.ts';

type Revealable = Pick<RequestState, 'id'> & { readonly asked: Pick<RequestState['asked'], 'approval'> };

/** The arguments of a call that waits as they will run; `undefined` where no process has them any more. */
export async function reveal({ id, asked: { approval } }: Revealable): ReturnType<typeof wholeArguments> {
  // What is only masked is in the log.
  if (approval && !isShownInPart(approval)) return { args: approval.args };
  return wholeArguments({ id, asked: { approval } });
}

/** A question with the whole arguments of its call, if it waits with one. */
export async function revealed(question: QuestionView): Promise<QuestionView> {
  const { id, approval, phase } = question;
  if (phase !== 'open' || !approval) return question;
  return { ...question, revealed: (await reveal({ id, asked: { approval } })) ?? null };
}
