import { count } from '../lib/text/count.ts';
import type { CallChange, ChangedLine } from './call-changes.ts';

/** How much a call would change of a file: lines that come and go; without them all that it is to have is new. */
export type ChangeSize = {
  readonly lines: { readonly added: number; readonly removed: number } | undefined;
  /** What else there is to say, of a file that is written: `12 lines, a new file`. */
  readonly said: string | undefined;
};

/** How much a call would change of a file, and what a file that it writes takes the place of. */
export function changeSizeOf({ isEdit, lines, over }: Sized): ChangeSize {
  const of = (is: ChangedLine['is']) => lines.filter((line) => line.is === is).length;
  const size = { added: of('added'), removed: of('removed') };
  if (isEdit) return { lines: size, said: undefined };
  if (over?.is === 'text') {
    const isSame = size.added + size.removed === 0;
    return { lines: size, said: isSame ? 'no line of the file would change' : 'over the file that is there' };
  }
  const all = count(lines.length, 'line');
  if (over === undefined) return { lines: undefined, said: `${all}, whole` };
  if (over.is === 'none') return { lines: undefined, said: `${all}, a new file` };
  return { lines: undefined, said: `${all}, whole: not compared with what is there, as ${over.why}` };
}

type Sized = Pick<CallChange, 'isEdit' | 'lines'> & { readonly over?: CallChange['over'] };
