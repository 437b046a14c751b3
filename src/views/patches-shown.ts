import { filesInCall, isSameFile, type SaidText } from '../events/call-files/files-in-call.ts';
import type { CallChange } from './call-changes.ts';

type Shown = Pick<CallChange, 'path' | 'lines'>;

/** The patches among the arguments of a call of which each line is shown as a change: they need not stand there once more. */
export function patchesShown(args: unknown, changes: readonly Shown[]): readonly string[] {
  const isAllShown = new Map<string, boolean>();
  for (const said of filesInCall(args).changes) {
    if (!('now' in said) || said.patch === undefined) continue;
    const { patch, path } = said;
    const isShown = changes.some((change) => isSameFile(path, change.path) && isText(change, said));
    isAllShown.set(patch, isShown && isAllShown.get(patch) !== false);
  }
  return [...isAllShown].flatMap(([patch, isShown]) => (isShown ? [patch] : []));
}

/** Whether the lines of a change are a text that takes the place of another one. */
function isText(change: Shown, { is, old, now }: SaidText): boolean {
  return isSide(change, 'removed', now) && (is === 'write' || isSide(change, 'added', old));
}

/** Whether a text is that of a change on one side: all lines but those of the other. */
export function isSide(
  { lines }: Pick<Shown, 'lines'>,
  without: 'added' | 'removed',
  text: unknown,
): boolean {
  const side = lines.flatMap((line) => (line.is === without ? [] : [line.text])).join('\n');
  return text === side || text === `${side}\n`;
}
