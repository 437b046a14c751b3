import { answerRules } from '../../events/form/answer-rules.ts';
import type { FormOption, FormQuestion } from '../../events/form/form.ts';
import { visible } from '../../lib/text/visible.ts';
import type { Span, SpanLine } from './spans.ts';

/** The questions of a form, to be read: each behind its number, below it its options behind theirs. */
export function formLines(questions: readonly FormQuestion[]): SpanLine[] {
  return questions.flatMap((question, at) => [
    ...headLines(question, `${at + 1}. `),
    ...(question.options ?? []).flatMap((option, index) => optionLines(option, `${index + 1}. `)),
  ]);
}

function headLines(question: FormQuestion, number: string): SpanLine[] {
  const rules = answerRules(question);
  const whole = question.question === undefined ? '' : `: ${question.question}`;
  return linesOf(0, number, [
    { text: question.title, style: 'bold' },
    { text: whole, style: 'plain' },
    { text: rules === '' ? '' : ` (${rules})`, style: 'dim' },
  ]);
}

function optionLines({ label, description, recommended }: FormOption, number: string): SpanLine[] {
  return linesOf(OPTION_INDENT, number, [
    { text: label, style: 'plain' },
    { text: recommended ? ' (recommended)' : '', style: 'name' },
    { text: description === undefined ? '' : `: ${description}`, style: 'dim' },
  ]);
}

const OPTION_INDENT = 3;

/** Text of several lines goes on below its first word. */
function linesOf(indent: number, number: string, said: readonly Span[]): SpanLine[] {
  const lines: Span[][] = [[]];
  for (const { text, style } of said)
    for (const [at, line] of visible(text).split('\n').entries()) {
      if (at > 0) lines.push([]);
      if (line !== '') lines.at(-1)?.push({ text: line, style });
    }
  const hang = indent + number.length;
  return lines.map((spans, at) =>
    at === 0
      ? { spans: [{ text: number, style: 'name' }, ...spans], indent, hang, breaks: 'words' }
      : { spans, indent: hang, breaks: 'words' },
  );
}
