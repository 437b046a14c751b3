import { count } from '../../lib/text/count.ts';
import { escapeAgentLine } from '../../lib/text/sanitise.ts';
import { hiddenMark } from '../../events/secrets/hidden-mark.ts';
import type { CallChange, Over } from '../calls/call-changes.ts';
import type { ChangedLine } from './compare-lines.ts';

/** How much a call would change of a file: lines that come and go; without them all that it is to have is new. */
export type ChangeSize = {
  readonly lines: { readonly added: number; readonly removed: number } | undefined;
  /** What else there is to say, of a file that is written: `12 lines, a new file`. */
  readonly said: string | undefined;
};

/** How much a call would change of a file, what a file that it writes takes the place of, and where it is, if not where its path says. */
export function changeSizeOf({ leadsTo, ...change }: Sized): ChangeSize {
  const { lines, said } = sizeOf(change);
  const all = [
    said,
    hasAlikeHidden(change.lines) ? 'lines that look alike may differ in what is hidden' : undefined,
    leadsTo === undefined ? undefined : `a link leads to ${escapeAgentLine(leadsTo)}`,
  ].filter((each) => each !== undefined);
  return { lines, said: all.length === 0 ? undefined : all.join('; ') };
}

/** Whether one line goes and another comes that have the same text, as far as it is shown. */
function hasAlikeHidden(lines: readonly ChangedLine[]): boolean {
  const hidden = lines.filter(({ is, text }) => is !== 'kept' && hiddenMark.test(text));
  const removed = new Set(hidden.flatMap(({ is, text }) => (is === 'removed' ? text : [])));
  return hidden.some(({ is, text }) => is === 'added' && removed.has(text));
}

/** What becomes of a file, in front of its path. */
export const changeWords = {
  edit: 'Changes',
  write: 'Writes',
  delete: 'Deletes',
  move: 'Moves to',
  name: 'Names',
} as const satisfies Record<CallChange['how'], string>;

function sizeOf({ how, lines, over }: Sized): ChangeSize {
  const of = (is: ChangedLine['is']) => lines.filter((line) => line.is === is).length;
  const size = { added: of('added'), removed: of('removed') };
  if (how === 'edit') return { lines: size, said: over?.is === 'uncompared' ? notCompared(over) : undefined };
  if (how !== 'write') return { lines: undefined, said: fateText(how, over) };
  if (over?.is === 'text') {
    const isSame = size.added + size.removed === 0;
    return { lines: size, said: isSame ? 'no line of the file would change' : 'over the file that is there' };
  }
  const all = count(lines.length - size.removed, 'line');
  if (over === undefined) return { lines: undefined, said: `${all}, whole: may replace what is there` };
  if (over.is === 'none') return { lines: undefined, said: `${all}, a new file` };
  return { lines: undefined, said: `${all}, whole: ${notCompared(over)}` };
}

/** What stands where a file goes, or where another one comes to stand. */
function fateText(how: 'delete' | 'move' | 'name', over: Over | undefined): string | undefined {
  if (over === undefined || how === 'name') return undefined;
  if (over.is === 'uncompared') return `what stands there is not known, as ${over.why}`;
  if (how === 'delete') return over.is === 'none' ? 'there is no such file' : undefined;
  return over.is === 'none' ? undefined : 'over the file that is there';
}

function notCompared({ why }: Extract<Over, { is: 'uncompared' }>): string {
  return `not compared with what is there, as ${why}`;
}

type Sized = Pick<CallChange, 'how' | 'lines'> & Partial<Pick<CallChange, 'over' | 'leadsTo'>>;
