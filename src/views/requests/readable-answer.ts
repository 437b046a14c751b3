import { answersText } from '../../events/form/answers-text.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import type { Asked, RecordedAnswer } from '../../machines/project-state.ts';
import { plainMarkdownLine } from '../text/plain-markdown.ts';

/**
 * What was answered, as it reads: titles of a form lose the marks of their Markdown. Options stay as they were chosen (`src/**`), and a
 * human's own words as they were written. It is made anew of them: what looks like a secret is hidden behind it, not before.
 */
export function readableAnswer(
  { questions }: Pick<Asked, 'questions'>,
  { response, answers }: Pick<RecordedAnswer, 'response' | 'answers'>,
): string {
  if (!questions || !answers) return response;
  const plain = questions.map((asked) => ({ ...asked, title: plainMarkdownLine(visibleLine(asked.title)) }));
  return answersText(plain, answers);
}
