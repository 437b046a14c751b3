import type { FilesInCall } from '../../events/call-files/files-in-call.ts';
import { isOneOf } from '../../events/call-files/same-file.ts';
import { patchedFiles } from '../../events/call-files/patched-files.ts';
import type { CallChange } from './call-changes.ts';

type Shown = Pick<CallChange, 'path' | 'lines'>;

/** The patches among the arguments of a call of which each line is shown as a change: they need not stand there once more. */
export function patchesShown(inCall: FilesInCall, changes: readonly Shown[]): readonly string[] {
  const isShown = shownTexts(changes);
  const isAllShown = new Map<string, boolean>();
  if (inCall.hasUnread) return [];
  for (const said of inCall.changes) {
    if (!('now' in said) || said.patch === undefined) continue;
    const { is, now, old, patch, path } = said;
    const isIt = isShown(path, is === 'write' ? keyOf(now) : keyOf(now, old));
    isAllShown.set(patch, isIt && isAllShown.get(patch) !== false);
  }
  return [...isAllShown].flatMap(([patch, isWhole]) => (isWhole && !saysMore(patch) ? [patch] : []));
}

/** Of a file that is another one then it is shown which, and not which one it was; nor is it that it can be run. */
function saysMore(patch: string): boolean {
  const isMove = patchedFiles(patch)?.some(({ movedTo }) => movedTo !== undefined) !== false;
  return isMove || /^new file mode 100755/m.test(patch);
}

/** Whether texts of a file are among the lines of some changes, by their {@link keyOf}. */
function shownTexts(changes: readonly Shown[]): (path: string, key: string) => boolean {
  const texts = changes.flatMap((change) => {
    const now = sideOf(change, 'removed');
    const keys = [keyOf(now), keyOf(now, sideOf(change, 'added'))];
    return keys.map((key) => ({ key, path: change.path }));
  });
  const byKey = [...Map.groupBy(texts, ({ key }) => key)];
  const isOfFile = new Map(byKey.map(([key, all]) => [key, isOneOf(all.map(({ path }) => path))]));
  return (path, key) => isOfFile.get(key)?.(path) === true;
}

/** Whether a text is that of a change on one side: all lines but those of the other. */
export function isSide(change: Pick<Shown, 'lines'>, without: 'added' | 'removed', text: unknown): boolean {
  const side = sideOf(change, without);
  return text === side || text === `${side}\n`;
}

function sideOf({ lines }: Pick<Shown, 'lines'>, without: 'added' | 'removed'): string {
  return lines.flatMap((line) => (line.is === without ? [] : [line.text])).join('\n');
}

/** Of the new text, and the old one. Where their last lines end differently, that is a line of its own among those that are shown. */
function keyOf(...sides: readonly string[]): string {
  return JSON.stringify(sides.map((side) => side.replace(/\n$/, '')));
}
