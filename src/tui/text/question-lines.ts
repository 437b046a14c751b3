import { wrap } from '../../lib/text/cells.ts';
import { visible } from '../../lib/text/visible.ts';
import type { Question } from '../../views/sprint-view.ts';

/** A line of a question as it is drawn. */
export type QuestionLine = { readonly text: string; readonly style: 'question' | 'option' | 'about' };

/** What of a question stands in its lines. */
type Said = Pick<Question, 'question' | 'options' | 'reason' | 'context'> &
  Partial<Pick<Question, 'earlierAnswer'>>;

/** Everything an agent says with a question, escaped and wrapped: the question first, then what helps to decide. */
export function questionLines(question: Said, width: number): QuestionLine[] {
  const lines = (style: QuestionLine['style'], text: string, indent = '') =>
    wrap(visible(text), width - indent.length).map((row, at) => ({
      style,
      text: at === 0 || row === '' ? row : indent + row,
    }));
  const about = (label: string, text = '') => {
    const said = text.trim();
    if (said === '') return [];
    // Several lines stand below their label, where they line up.
    return lines('about', `${label}:${said.includes('\n') ? '\n' : ' '}${said}`, '  ');
  };
  return [
    ...lines('question', question.question.trim()),
    ...question.options.flatMap((option, at) => lines('option', ` ${at + 1}  ${option.trim()}`, '    ')),
    ...about('Reason', question.reason === question.question ? undefined : question.reason),
    ...about('Context', question.context),
    ...about('You answered before', question.earlierAnswer),
  ];
}
