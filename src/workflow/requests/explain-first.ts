import { runsEdited, type Approval } from '../../events/approval.ts';
import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../project/project.ts';
import type { Answerer, CloseOutcome } from './close-request.ts';
import { decideCall } from './decide-call.ts';
import { hearsOnlyNo } from './edited-call.ts';

/** What a human asks who says nothing else. */
export const WHY = 'Why do you want this?';

/** The argument that an agent explains a call of a server with. It is taken out before anything is judged or made. */
export const EXPLANATION_ARGUMENT = 'clifford_explanation';

/**
 * Sends a call back with a question. It does not run for now; when its agent makes the same one again, a human decides on
 * it with what the agent has said.
 *
 * @throws {CliffordError} `NOT_AN_APPROVAL` when no tool call waits for it.
 */
export function explainFirst(
  project: Project,
  id: string,
  { question = '', by, via }: Answerer & { question?: string | undefined },
): Promise<CloseOutcome> {
  const response = question.trim() === '' ? WHY : question;
  return decideCall(project, id, { verdict: 'questioned', response, by, via });
}

/** What becomes of a call that a human asks about, for the one who does. */
export function explainOutcome(approval: Approval, stream: string): string {
  return hearsOnlyNo(approval, stream)
    ? 'it does not run: the agent in the editor hears only a no, and you ask it there'
    : 'it does not run for now; you are asked again when the agent makes the same call';
}

/** What a human sees of a call that they asked about, when it is made again. */
export function explanationAfter(
  earlier: RequestState | undefined,
  said = '',
): Pick<Approval, 'explanation'> {
  const { answer } = earlier ?? {};
  if (answer?.verdict !== 'questioned') return {};
  return { explanation: { question: answer.response, words: said.trim().slice(0, MAX_TEXT_LENGTH) } };
}

/** What an agent is told whose call a human asks about. `call`: its name. */
export function questionedReply({ id, asked, answer }: RequestState, call: string): string {
  const isOfServer = asked.approval !== undefined && runsEdited(asked.approval);
  const how = isOfServer
    ? 'Make the same call again, with the same arguments and one more that has your answer: ' +
      `"${EXPLANATION_ARGUMENT}". The tool does not get it.`
    : 'Answer in a message of your own, then make exactly the same call again.';
  return (
    `This call of ${call} (${id}) has not run: the human wants to know something first, and decides then.\n` +
    `${answer?.response}\n${how} If you do not need it, do without.`
  );
}
