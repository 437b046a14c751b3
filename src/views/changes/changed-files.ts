import { count } from '../../lib/text/count.ts';
import { showHeaped, showHiddenOnLine, showHidden } from '../../lib/text/hidden-characters.ts';
import { withoutTabs } from '../../lib/text/sanitise.ts';
import type { TaskChanges } from '../../workflow/commit/changes-of-task.ts';
import type { RowNumbers } from './diff-rows.ts';
import type { FileChange } from '../../workflow/git/git-diff.ts';

/** Where changes are from, and how many there are, in one line. */
export function changesText({ from, files }: TaskChanges): string {
  const added = sum(files, 'added');
  const removed = sum(files, 'removed');
  const size = `${count(files.length, 'file')}${added + removed > 0 ? `, ${linesText({ added, removed })}` : ''}`;
  if (from === 'since-begin') return `${size} since it began`;
  if (from === 'since-commit' || from === 'uncommitted') return `${size} uncommitted, by any task`;
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
export type DiffLine = RowNumbers & {
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

/** The lines of a diff with their numbers, safe to show. Of a long one the beginning, and what was left out. */
export function diffLines(patch: string): readonly DiffLine[] {
  const lines = patch.replace(/\n$/, '').split('\n');
  const at = { before: NaN, after: NaN };
  const shown = lines.slice(0, MOST_LINES).map((line) => diffLine(line, at));
  const left = lines.length - shown.length;
  const more = { is: 'note', text: `… ${count(left, 'line')} more`, ...unnumbered } as const;
  return left === 0 ? shown : [...shown, more];
}

const unnumbered: RowNumbers = { before: undefined, after: undefined };

/** `at`: the numbers of the next line. */
function diffLine(line: string, at: { before: number; after: number }): DiffLine {
  const is = kinds[line.charAt(0)] ?? 'same';
  const left = line.length - MOST_CHARACTERS;
  const shown = showHeaped(withoutTabs(showHidden(line.slice(0, MOST_CHARACTERS))));
  const text = left > 0 ? `${shown}… ${count(left, 'character')} more` : shown;
  if (is === 'place') {
    const [, before, after] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line) ?? [];
    Object.assign(at, { before: Number(before), after: Number(after) });
  }
  if (is === 'place' || is === 'note' || Number.isNaN(at.before)) return { is, text, ...unnumbered };
  return {
    is,
    text,
    before: is === 'added' ? undefined : at.before++,
    after: is === 'removed' ? undefined : at.after++,
  };
}
