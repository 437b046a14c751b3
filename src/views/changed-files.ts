import { count } from '../lib/text/count.ts';
import { showHeaped, showHiddenOnLine, showHidden } from '../lib/text/hidden-characters.ts';
import { withoutTabs } from '../lib/text/sanitise.ts';
import type { TaskChanges } from '../workflow/commit/changes-of-task.ts';
import type { FileChange } from '../workflow/commit/compare-files.ts';

/** Where changes are from, and how many there are, in one line. */
export function changesText({ from, files }: TaskChanges): string {
  const added = sum(files, 'added');
  const removed = sum(files, 'removed');
  const size = `${count(files.length, 'file')}${added + removed > 0 ? `, ${linesText({ added, removed })}` : ''}`;
  if (from === 'since-begin') return `${size} since it began`;
  if (from === 'since-commit') return `${size} since the last commit`;
  if (from === 'uncommitted') return `${size} in no commit, of any task`;
  return `${size}, commit ${from.sha.slice(0, 12)}`;
}

/** `+12 −3`. */
export function linesText({ added, removed }: { readonly added: number; readonly removed: number }): string {
  return `+${added} −${removed}`;
}

function sum(files: readonly FileChange[], which: 'added' | 'removed'): number {
  return files.reduce((total, { lines }) => total + (lines?.[which] ?? 0), 0);
}

/** A path as it is shown: what could move a cursor or hide stands there as JSON has it. */
export function shownPath(path: string): string {
  return showHeaped(showHiddenOnLine(path));
}

/** A line of a unified diff. `text` has its sign in front. */
export type DiffLine = {
  readonly is: 'place' | 'added' | 'removed' | 'same' | 'note';
  readonly text: string;
};

/** Most lines of one file that are shown, and most characters of one line. */
const MOST_LINES = 5_000;
const MOST_CHARACTERS = 2_000;

const kinds: Readonly<Record<string, DiffLine['is']>> = {
  '@': 'place',
  '+': 'added',
  '-': 'removed',
  '\\': 'note',
};

/** The lines of a diff, safe to show. Of a long one the beginning, and what was left out. */
export function diffLines(patch: string): readonly DiffLine[] {
  const lines = patch.replace(/\n$/, '').split('\n');
  const shown = lines.slice(0, MOST_LINES).map(diffLine);
  const left = lines.length - shown.length;
  return left === 0 ? shown : [...shown, { is: 'note', text: `… ${count(left, 'line')} more` }];
}

function diffLine(line: string): DiffLine {
  const is = kinds[line.charAt(0)] ?? 'same';
  const left = line.length - MOST_CHARACTERS;
  const text = showHeaped(withoutTabs(showHidden(line.slice(0, MOST_CHARACTERS))));
  return { is, text: left > 0 ? `${text}… ${count(left, 'character')} more` : text };
}
