import type { MemberNode, ObjectNode } from '@humanwhocodes/momoa';
import { CliffordError } from '../../errors.ts';
import { edited, nested, withoutMark } from '../../lib/json/json-edits.ts';
import { memberOf, parseJsonTree, rangeOf } from '../../lib/json/json-tree.ts';
import type { TemporaryEdit } from '../agents/agent-adapter.ts';

/**
 * A JSON text with an entry in it. Whatever else stands there stays as it is, comments too. The entry
 * comes first in its object, so that it can be taken out again without a trace.
 *
 * @param text - `undefined` or blank: an empty file.
 * @throws {CliffordError} `JSON_UNFIT` when it is no JSON, or has something else in the entry's place.
 */
export function setEntry(text: string | undefined, { path: file, keys, value }: TemporaryEdit): string {
  if (text === undefined || text.trim() === '') return `${JSON.stringify(nested(keys, value), null, 2)}\n`;
  const { mark, json } = withoutMark(text);
  let place = parseObject(json, file);
  for (const [depth, key] of keys.entries()) {
    const member = memberOf(place, key);
    const rest = nested(keys.slice(depth + 1), value);
    if (!member) return mark + insert(json, place, `${JSON.stringify(key)}: ${JSON.stringify(rest)}`);
    if (depth === keys.length - 1)
      return mark + edited(json, [...rangeOf(member.value), JSON.stringify(rest)]);
    if (member.value.type !== 'Object') throw unfit(file, `${key} is not an object`);
    place = member.value;
  }
  throw new Error('an entry has at least one key');
}

/**
 * The text without that entry. Where another text has one there, with that one.
 *
 * @param before - The text that the entry was put into; `undefined`: there was none.
 * @throws {CliffordError} `JSON_UNFIT` when it is no JSON.
 */
export function takeEntryOut(
  text: string,
  { path: file, keys }: Pick<TemporaryEdit, 'path' | 'keys'>,
  before: string | undefined,
): string {
  const { mark, json } = withoutMark(text);
  const path = membersOn(parseObject(json, file), keys);
  const own = path[keys.length - 1];
  if (!own) return text;
  const original = before === undefined ? '' : withoutMark(before).json;
  const earlier = original.trim() === '' ? [] : membersOn(parseObject(original, file), keys);
  const old = earlier[keys.length - 1];
  if (old)
    return mark + edited(json, [...rangeOf(own.member.value), original.slice(...rangeOf(old.member.value))]);
  // Objects that were made for the entry go with it, if they hold nothing else.
  let depth = keys.length - 1;
  while (depth > 0 && !earlier[depth - 1] && path[depth]?.object.members.length === 1) depth -= 1;
  const outermost = path[depth];
  return outermost ? mark + remove(json, outermost) : text;
}

type Place = { readonly object: ObjectNode; readonly member: MemberNode };

/** The members on the way to an entry, as far as they are there. */
function membersOn(root: ObjectNode, keys: readonly string[]): Place[] {
  const found: Place[] = [];
  let object: ObjectNode | undefined = root;
  for (const key of keys) {
    const member: MemberNode | undefined = object && memberOf(object, key);
    if (!object || !member) break;
    found.push({ object, member });
    object = member.value.type === 'Object' ? member.value : undefined;
  }
  return found;
}

function parseObject(json: string, file: string): ObjectNode {
  const parsed = parseJsonTree(json);
  if ('refused' in parsed) throw unfit(file, parsed.refused);
  if (parsed.body.type !== 'Object') throw unfit(file, 'it is not an object');
  return parsed.body;
}

function insert(json: string, object: ObjectNode, member: string): string {
  const at = rangeOf(object)[0] + 1;
  return edited(json, [at, at, object.members.length > 0 ? `${member}, ` : member]);
}

function remove(json: string, { object: { members }, member }: Place): string {
  const index = members.indexOf(member);
  const [start, end] = rangeOf(member);
  const [before, after] = [members[index - 1], members[index + 1]];
  if (after) {
    // What we put there ends with a comma and a space; what stands behind them is the next one's.
    const gap = /^\s*, ?/.exec(json.slice(end, rangeOf(after)[0]))?.[0] ?? '';
    return edited(json, [start, end + gap.length, '']);
  }
  return edited(json, [before ? rangeOf(before)[1] : start, end, '']);
}

function unfit(file: string, reason: string): CliffordError {
  return new CliffordError(`Cannot change ${file} for a run: ${reason}`, {
    code: 'JSON_UNFIT',
    fix: 'Correct the file',
  });
}
