import { clip } from '../../lib/text/clip.ts';
import { commonEnds } from '../../lib/text/common-ends.ts';
import { count } from '../../lib/text/count.ts';
import type { AcpCall } from './acp-call.ts';

/** What a call changes in one file: the lines between those that are alike at both ends. */
type FileChange = {
  readonly path: string;
  readonly removed: readonly string[];
  readonly added: readonly string[];
};

/** So many lines are shown of what a call changes, each of so many UTF-16 units. */
const MAX_SHOWN = 20;
const MAX_WIDTH = 200;

/** What a call changes in files, as far as it shows it. */
export function fileChanges({ content }: AcpCall): readonly FileChange[] {
  return (content ?? []).flatMap((part) => {
    if (!('newText' in part) || typeof part.newText !== 'string') return [];
    const { path, oldText, newText } = part;
    const [old, now] = [linesOf(typeof oldText === 'string' ? oldText : ''), linesOf(newText)];
    const { first, last } = commonEnds(old, now);
    const between = (lines: readonly string[]) => lines.slice(first, lines.length - last);
    return [{ path: String(path), removed: between(old), added: between(now) }];
  });
}

/** How many lines are added to files and taken out of them; `undefined`: nothing is shown of that. */
export function linesChanged(
  changes: readonly FileChange[],
): { readonly added: number; readonly removed: number } | undefined {
  if (changes.length === 0) return undefined;
  const sum = (which: 'added' | 'removed') =>
    changes.reduce((total, change) => total + change[which].length, 0);
  return { added: sum('added'), removed: sum('removed') };
}

/** Changes for people who watch, a line each, the first ones only. */
export function changeLines(changes: readonly FileChange[]): readonly string[] {
  const lines = changes.flatMap(({ path, removed, added }) => [
    ...(changes.length > 1 ? [path] : []),
    ...removed.map((line) => `- ${line}`),
    ...added.map((line) => `+ ${line}`),
  ]);
  const shown = lines.slice(0, MAX_SHOWN).map((line) => clip(line, MAX_WIDTH));
  const more = lines.length - shown.length;
  return more === 0 ? shown : [...shown, `… ${count(more, 'more line')}`];
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  return text.replace(/\n$/, '').split('\n');
}
