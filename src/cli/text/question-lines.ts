import type { RequestView } from '../../views/describe-sprint.ts';
import { asksSecret } from '../../workflow/requests/asks-secret.ts';
import type { QuestionView } from '../../views/question-view.ts';
import { approvalLines } from './approval-lines.ts';
import { hanging, type Page } from './paragraph.ts';
import { visible } from '../../lib/text/visible.ts';

/** A question in full below a line that says whose it is, for people. */
export function questionBlock(asked: Asked, page: Page): string[] {
  // What a tool would be called with is shown as it is.
  const shown = (line: string) => (asked.approval ? `    ${line}` : hanging(page, '    ', line));
  return questionLines(asked, page).map(shown);
}

/** A question in full, as the agent put it, and the command that answers it. */
function questionLines(asked: Asked, page: Page): string[] {
  if (asked.approval) return approvalLines(asked, asked.approval, page, asked);
  const { id, kind, question, reason, context, options } = asked;
  return [
    ...visible(question).split('\n'),
    ...(reason === undefined ? [] : visible(`reason: ${reason}`).split('\n')),
    ...(context === undefined ? [] : visible(`context: ${context}`).split('\n')),
    ...options.map((option, index) => visible(`${index + 1}. ${option}`)),
    ...(asksSecret({ kind, question }) ? ['note: answers are kept in the log as they are, secrets too'] : []),
    `answer with: clifford answer ${id} "…"${options.length === 0 ? '' : ', or --option <n>'}`,
  ];
}

type Asked = Pick<
  RequestView,
  'id' | 'kind' | 'question' | 'reason' | 'context' | 'options' | 'approval' | 'sprint' | 'task'
> &
  Pick<QuestionView, 'revealed' | 'offer'>;
