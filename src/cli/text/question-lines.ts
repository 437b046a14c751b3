import type { RequestView } from '../../views/requests/describe-request.ts';
import { asksSecret } from '../../views/requests/asks-secret.ts';
import type { QuestionView } from '../../views/requests/question-view.ts';
import type { FormQuestion } from '../../events/form/form.ts';
import { formLines } from '../../views/requests/form-text.ts';
import type { Cli } from '../cli.ts';
import { approvalLines } from './approval-lines.ts';
import { unfenced } from '../../views/text/unfenced.ts';
import { foreignText } from './foreign.ts';
import type { Page } from './paragraph.ts';
import { answersExample } from '../../events/form/read-answers.ts';

type Look = Page & Pick<Cli, 'style'> & Partial<Pick<Cli, 'called'>>;

/** A question in full below a line that says whose it is, for people. */
export function questionBlock(asked: Asked, look: Look): string[] {
  return questionLines(asked, look).map((line) => `    ${line}`);
}

/** A question in full, as the agent put it, in the order of the screen and the page, and the command that answers it. */
function questionLines(asked: Asked, look: Look): string[] {
  if (asked.approval) return approvalLines(asked, asked.approval, look, asked);
  const { id, question, reason, context, options, questions } = asked;
  const said = (text: string) => foreignText(look, text);
  const answer = `${look.called ?? 'clifford'} answer ${id}`;
  return [
    ...(reason === undefined || reason === question ? [] : said(`reason: ${reason}`)),
    ...said(question),
    ...(context === undefined ? [] : said(`context: ${unfenced(context)}`)),
    ...options.flatMap((option, index) => said(`${index + 1}. ${option}`)),
    ...formLines(questions ?? []).flatMap(said),
    ...(asksSecret(asked) ? ['note: answers are kept in the log as they are, secrets too'] : []),
    ...(questions ? formAnswer(answer, questions) : [`answer with: ${answer} "…"`]),
    ...(options.length === 0 ? [] : ['or, by its number, with: --option <n>']),
  ];
}

function formAnswer(answer: string, questions: readonly FormQuestion[]): string[] {
  return [`answer with: ${answer}`, `or, for programs, with: --answers ${answersExample(questions)}`];
}

type Asked = Pick<
  RequestView,
  | 'id'
  | 'kind'
  | 'secret'
  | 'question'
  | 'reason'
  | 'context'
  | 'options'
  | 'questions'
  | 'approval'
  | 'sprint'
  | 'task'
> &
  Pick<QuestionView, 'revealed' | 'offer' | 'command' | 'alike' | 'files'>;
