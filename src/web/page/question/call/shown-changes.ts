import { filesInCall } from '../../../../events/call-files/files-in-call.ts';
import { isJsonObject } from '../../../../lib/json/json-object.ts';
import { isSide, patchesShown } from '../../../../views/calls/patches-shown.ts';
import type { SentChange } from '../../../api/question.ts';

/** What an argument says of a change that is shown line by line. */
const NAMES = new Set(['type', 'path', 'oldText', 'newText']);

/** Whether an argument lists changes, and all that it says of each is shown line by line already. */
export function isAllShown(value: unknown, changes: readonly SentChange[]): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((each) => isShown(each, changes));
}

function isShown(value: unknown, changes: readonly SentChange[]): boolean {
  if (!isJsonObject(value) || !Object.keys(value).every((name) => NAMES.has(name))) return false;
  const { type, path, oldText, newText } = value;
  if (type !== undefined && type !== 'diff') return false;
  return changes.some(
    (change) =>
      // Files of the project are shown by their paths in it.
      (path === change.path || (typeof path === 'string' && path.endsWith(`/${change.path}`))) &&
      (change.how === 'edit' ? isSide(change, 'added', oldText ?? '') : (oldText ?? '') === '') &&
      isSide(change, 'removed', newText),
  );
}

/** The texts of files that are shown line by line: they need not stand among the arguments once more. */
export function textsShown(changes: readonly SentChange[], args: unknown): ReadonlySet<string> {
  const sides = changes.flatMap(({ lines }) => {
    const side = (without: 'added' | 'removed') =>
      lines.flatMap(({ is, text }) => (is === without ? [] : [text])).join('\n');
    return [side('removed'), side('added')].flatMap((text) => [text, `${text}\n`]);
  });
  return new Set([...sides, ...patchesShown(filesInCall(args), changes)]);
}
