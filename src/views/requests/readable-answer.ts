import { answersText } from '../../events/form/answers-text.ts';
import type { FormQuestion } from '../../events/form/form.ts';
import { visible } from '../../lib/text/visible.ts';
import type { Asked, RecordedAnswer } from '../../machines/project-state.ts';
import { plainMarkdown } from '../text/plain-markdown.ts';

type Given = Pick<RecordedAnswer, 'response' | 'answers' | 'rejected' | 'rephrase' | 'verdict'>;

/**
 * What was answered, as it reads: titles and options are their agent's, and lose the marks of their Markdown. A human's own
 * words stay as they were written, and so does what a program offers.
 */
export function readableAnswer(
  { kind, options = [], questions }: Pick<Asked, 'kind' | 'options' | 'questions'>,
  { response, answers, rejected, rephrase, verdict }: Given,
): string {
  if (kind === 'prompt' || rejected || rephrase || verdict !== undefined) return response;
  if (questions && answers) return answersText(questions.map(plainQuestion), answers);
  if (options.includes(response)) return plain(response);
  return response
    .split('\n')
    .map((line) => (options.includes(line) ? plain(line) : line))
    .join('\n');
}

function plainQuestion({ title, options, ...question }: FormQuestion): FormQuestion {
  const labels = options?.map((option) => ({ ...option, label: plain(option.label) }));
  return { ...question, title: plain(title), ...(labels && { options: labels }) };
}

function plain(words: string): string {
  return plainMarkdown(visible(words));
}
