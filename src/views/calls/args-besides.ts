import { says, type Fields } from '../../events/call-files/field-names.ts';
import type { FilesInCall } from '../../events/call-files/files-in-call.ts';
import type { Keys } from '../../events/call-files/said-change.ts';
import { withoutShown } from '../../events/call-files/plain-name.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { escapeAgentLine } from '../../lib/text/sanitise.ts';
import { shellWord } from '../../lib/text/shell-word.ts';
import type { CallChange } from './call-changes.ts';
import { eachOnce } from './each-once.ts';

/** Arguments without one that is shown by itself; `undefined`: there are no others. */
export function withoutField(args: unknown, name: string | undefined): unknown {
  if (name === undefined || !isJsonObject(args)) return args;
  return only(args, ([each]) => each !== name);
}

type Changes = readonly Pick<CallChange, 'path' | 'how' | 'texts'>[];

/**
 * Arguments of an agent's own tool without those that say nothing which the changes that are shown do not say: the path of one,
 * unless it is an unusual one, and the very fields that its texts were read from. `undefined`: there are no others.
 *
 * @param inCall - What they say of files: where a change of that is not shown by itself, or is said in two ways, nothing is left out.
 */
export function withoutChanges(args: unknown, changes: Changes, inCall: FilesInCall): unknown {
  const shown = changes.filter(({ how }) => how !== 'name');
  if (!isJsonObject(args) || shown.length === 0 || shown.length !== eachOnce(inCall.changes).length)
    return args;
  if (inCall.isTwofold || inCall.hasUnread) return args;
  const paths = new Set(shown.map(({ path }) => path).filter(isPlainWord));
  const said = inCall.changes.flatMap((each) => ('now' in each ? each : []));
  const isPath = ([name, value]: Entry) => says.file(name) && typeof value === 'string' && paths.has(value);
  const hasPathIn = (fields: Fields) => Object.entries(fields).some(isPath);
  const isTextOf = ([name, value]: Entry, within: Keys): boolean =>
    typeof value === 'string' &&
    isSeenInLines(value) &&
    said.some(({ keys, old, now }) => {
      if (keys === undefined || !isSame(keys.slice(0, -1), within)) return false;
      return keys.at(-1) === name ? value === now : says.old(name) && value === old;
    });
  const isShown = (entry: Entry, within: Keys, hasPath: boolean): boolean => {
    const [name, value] = entry;
    if (!isPlainWord(withoutShown(name))) return false;
    if (typeof value === 'string')
      return isPath(entry) || (hasPath && (isTextOf(entry, within) || isDiffMark(entry)));
    // One that is a path itself may be what is changed.
    if (!/^[\w ]+$/.test(name)) return false;
    const keys = [...within, name];
    if (Array.isArray(value))
      return value.length > 0 && value.every((each, at) => isChange(each, [...keys, at], hasPath));
    return isChange(value, keys, hasPath);
  };
  const isChange = (value: unknown, keys: Keys, hasPath: boolean): boolean =>
    isJsonObject(value) &&
    Object.keys(value).length > 0 &&
    Object.entries(value).every((entry) => isShown(entry, keys, hasPath || hasPathIn(value)));
  const hasPath = hasPathIn(args);
  return only(args, (entry) => isDiffMark(entry) || !isShown(entry, [], hasPath));
}

function isSame(one: Keys, other: Keys): boolean {
  return one.length === other.length && one.every((key, at) => key === other[at]);
}

type Entry = readonly [name: string, value: unknown];

/** As editors mark what stands beside other parts that they show. */
function isDiffMark([name, value]: Entry): boolean {
  return name === 'type' && value === 'diff';
}

function isPlainWord(text: string): boolean {
  return shellWord(text) === text;
}

/** Of a single line JSON may say more than the line that is shown: that a blank ends it, or that a backslash is one. */
function isSeenInLines(text: string): boolean {
  if (text.includes('\n')) return !text.includes('\r');
  return text !== '' && text.trimEnd() === text && !text.includes('\\') && escapeAgentLine(text) === text;
}

function only(args: Fields, isKept: (entry: Entry) => boolean): Fields | undefined {
  const kept = Object.entries(args).filter(isKept);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
