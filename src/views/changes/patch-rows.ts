import type { ChangedLine } from './compare-lines.ts';
import { diffRows, type DiffRow } from './diff-rows.ts';

/** A part of a unified diff: its rows, below the line in front of them, which says where they stand. */
export type PatchHunk = { readonly head: string | undefined; readonly rows: readonly DiffRow[] };

/** A unified diff, taken apart; a text that is none is rows without numbers. */
export function patchRows(text: string): readonly PatchHunk[] {
  const names = /^(?:--- [^\n]*\n\+\+\+ [^\n]*\n)/.exec(text)?.[0] ?? '';
  const hunks = text.slice(names.length).split(/^(?=@@ )/m);
  return [
    ...(names === ''
      ? []
      : [
          {
            head: undefined,
            rows: diffRows(
              names
                .trimEnd()
                .split('\n')
                .map((name) => asKept(name.trimEnd())),
              undefined,
            ),
          },
        ]),
    ...hunks.filter((hunk) => hunk !== '').map(hunkOf),
  ];
}

function hunkOf(hunk: string): PatchHunk {
  const [, before, after] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(hunk) ?? [];
  const lines = hunk.replace(/\n$/, '').split('\n');
  const head = before === undefined ? undefined : lines.shift();
  const first = { before: Number(before), after: Number(after) };
  const isLine = (line: string) => before === undefined || !line.startsWith('\\');
  const rows = diffRows(lines.filter(isLine).map(lineOf), before === undefined ? undefined : first);
  // A note, such as that a file ends without a newline, stands where it stood, and is no line of the file.
  const left = [...rows];
  return { head, rows: lines.flatMap((line) => (isLine(line) ? left.splice(0, 1) : noteRow(line))) };
}

function noteRow(text: string): DiffRow {
  return { ...asKept(text), before: undefined, after: undefined, pieces: [{ text, isMarked: false }] };
}

const kinds = { '+': 'added', '-': 'removed', ' ': 'kept' } as const;

function lineOf(line: string): ChangedLine {
  const sign = line.charAt(0);
  // What has no sign is shown as it is.
  return isSign(sign) ? { is: kinds[sign], text: line.slice(1) } : asKept(line);
}

function isSign(sign: string): sign is keyof typeof kinds {
  return Object.hasOwn(kinds, sign);
}

function asKept(text: string): ChangedLine {
  return { is: 'kept', text };
}
