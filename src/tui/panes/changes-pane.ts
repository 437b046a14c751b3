import { cellsOf, fitEnd } from '../../lib/text/cells.ts';
import {
  changesText,
  diffLines,
  linesText,
  shownPath,
  type DiffLine,
} from '../../views/changes/changed-files.ts';
import type { TaskChanges } from '../../workflow/commit/changes-of-task.ts';
import { toldChanges } from '../../workflow/commit/told-changes.ts';
import type { FileChange } from '../../workflow/git/git-diff.ts';
import { numberSpans } from '../text/number-spans.ts';
import { diffRows, type DiffPiece } from '../../views/changes/diff-rows.ts';
import { wordSpans } from '../text/change-lines.ts';
import type { Span, SpanLine } from '../text/spans.ts';
import { headingLine, type Pane, type PaneLine } from './pane.ts';

/** The log has what was committed, and not what files had in them. */
const NOT_KNOWN = 'Nothing was committed by then: what the files had in them is not recorded';

/** The files that a task changed. */
export const changesPane: Pane = {
  id: 'changes',
  title: 'Changes',
  short: 'Diff',
  about: 'the files that the task changed, the differences of each with Enter',
  kind: 'list',
  follows: 'work',
  load: async ({ project, stream, past, numbers }, task) => {
    const then = past?.sprint?.tasks.get(task)?.commit;
    const sha = then && 'sha' in then ? then.sha : undefined;
    if (past && sha === undefined) return { lines: () => [], empty: NOT_KNOWN };
    const changes = await toldChanges(project, { stream, task, sha });
    const numberOf = (path: string) => numbers.of(`changes ${task}`, path);
    // In their order: the first time, each has its place for its number.
    for (const { path } of changes.files) numberOf(path);
    return { lines: (width) => changeLines(changes, numberOf, width), empty: 'Nothing has changed' };
  },
};

/** One for each file, below one that says where they are from. */
function changeLines(
  changes: TaskChanges,
  numberOf: (path: string) => number,
  width: number,
): readonly PaneLine[] {
  const { files } = changes;
  if (files.length === 0) return [];
  const sizes = Math.max(...files.map((file) => cellsOf(sizeOf(file))));
  const lines = files.map((file): PaneLine => ({
    at: numberOf(file.path),
    line: { spans: fileSpans(file, sizes, width) },
    whole: (cells) => wholeFile(file, cells),
  }));
  return [headingLine(changesText(changes)), ...lines.toSorted((a, b) => a.at - b.at)];
}

const looks = {
  added: { mark: 'A', style: 'added' },
  changed: { mark: 'M', style: 'name' },
  removed: { mark: 'D', style: 'removed' },
} as const satisfies Record<FileChange['how'], { mark: string; style: Span['style'] }>;

const WORD_WIDTH = Math.max(...Object.keys(looks).map((word) => word.length));

function fileSpans(file: FileChange, sizes: number, width: number): Span[] {
  const { mark, style } = looks[file.how];
  const word = `${mark} ${file.how.padEnd(WORD_WIDTH)} `;
  const path = fitEnd(shownPath(file.path), width - word.length - sizes - 1);
  return [{ text: word, style }, ...sizeSpans(file, sizes), { text: ` ${path}`, style: 'plain' }];
}

function sizeOf({ lines }: FileChange): string {
  return lines ? linesText(lines) : '';
}

function sizeSpans(file: FileChange, width: number): Span[] {
  const size = sizeOf(file);
  const [added = '', removed = ''] = size.split(/(?<= )/);
  return [
    { text: ' '.repeat(width - cellsOf(size)), style: 'plain' },
    { text: added, style: 'added' },
    { text: removed, style: 'removed' },
  ];
}

const styles = {
  place: 'name',
  added: 'added line',
  removed: 'removed line',
  same: 'plain',
  note: 'dim',
} as const satisfies Record<DiffLine['is'], Span['style']>;

function wholeFile(file: FileChange, width: number): SpanLine[] {
  const { how, path, patch, note } = file;
  const size = sizeOf(file);
  const lines = patch === '' ? [] : diffLines(patch);
  const numbersOf = numberSpans(lines, width);
  const pieces = diffRows(lines.map(asChanged), undefined).map((row) => row.pieces);
  return [
    {
      spans: [
        { text: shownPath(path), style: 'bold' },
        { text: `  ${how}${size === '' ? '' : ` ${size}`}`, style: 'dim' },
      ],
    },
    ...(note === undefined ? [] : [{ spans: [{ text: note, style: 'warning' as const }] }]),
    ...lines.map((line, at): SpanLine => {
      const { is } = line;
      const numbers = is === 'place' ? [] : numbersOf(line);
      const cells = numbers.reduce((sum, span) => sum + span.text.length, 0);
      // What goes on stands behind the sign of its line, and its blank.
      const isChanged = is === 'added' || is === 'removed';
      return {
        spans: [...numbers, ...spansOf(line, pieces[at])],
        hang: cells + 2,
        ...(isChanged && { fill: styles[is] }),
      };
    }),
  ];
}

/** Its text without its sign; what is no line of a file stands between two changes. */
function asChanged({ is, text }: DiffLine) {
  return is === 'added' || is === 'removed' ? { is, text: text.slice(1) } : ({ is: 'kept', text } as const);
}

function spansOf({ is, text }: DiffLine, pieces: readonly DiffPiece[] = []): Span[] {
  const sign = `${text.slice(0, 1)} `;
  if (is === 'added' || is === 'removed') return wordSpans(sign, is, pieces);
  return [{ text: is === 'same' ? sign + text.slice(1) : text, style: styles[is] }];
}
