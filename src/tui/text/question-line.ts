import { visible, visibleLine } from '../../lib/text/visible.ts';
import type { Question } from '../../views/sprint-view.ts';
import { markdownLines } from './markdown-lines.ts';

/** More than a line has room for, in UTF-16 units. */
const MOST_CHARACTERS = 1_000;

/** A question as it reads, in one line: without the marks of its markdown, and safe to print. */
export function questionLine({ kind, question }: Pick<Question, 'kind' | 'question'>): string {
  const said = question.trim().slice(0, MOST_CHARACTERS);
  // What a program prints is no markdown, nor is a call: each of its characters counts.
  if (kind === 'prompt' || kind === 'approval') return visibleLine(said);
  const lines = markdownLines(visible(said)).map(({ spans }) =>
    spans
      .map(({ text }) => text)
      .join('')
      .trim(),
  );
  return visibleLine(lines.filter((line) => line !== '').join(' '));
}
