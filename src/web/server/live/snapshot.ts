import { diffArrays } from 'diff';
import { commonEnds } from '../../../lib/text/common-ends.ts';
import type { Patch, Splice } from '../../api/patch.ts';

/** Something as it is sent: each of its keys as JSON, of a list each of its items. */
export type Snapshot = ReadonlyMap<string, string | readonly string[]>;

/** A value, to be sent, and to be compared with what it is later. */
export function snapshotOf(value: object): Snapshot {
  return new Map(
    Object.entries(value).flatMap(([key, part]: [string, unknown]) => {
      if (part === undefined) return [];
      return [[key, Array.isArray(part) ? part.map((item) => JSON.stringify(item)) : JSON.stringify(part)]];
    }),
  );
}

/** All of it, as JSON. */
export function wholeJson(snapshot: Snapshot): string {
  return objectJson([...snapshot].map(([key, part]) => memberJson(key, part)));
}

/** How long that is at least, in UTF-16 units. */
export function lengthOf(snapshot: Snapshot): number {
  return snapshot.values().reduce((all, part) => {
    if (typeof part === 'string') return all + part.length;
    return part.reduce((sum, item) => sum + item.length, all);
  }, 0);
}

/**
 * What of it is not as before, as JSON of a {@link Patch}; `undefined`: all of it is.
 *
 * @param also - Keys that go with it, and are no reason for it.
 */
export function patchJson(
  of: Patch['of'],
  { before, now, also = new Map() }: { before: Snapshot; now: Snapshot; also?: Snapshot | undefined },
): string | undefined {
  const set: string[] = [];
  const splice: string[] = [];
  for (const [key, part] of now) {
    const was = before.get(key);
    if (typeof part === 'string' || was === undefined || typeof was === 'string') {
      if (part !== was) set.push(memberJson(key, part));
    } else {
      const changes = splicesJson(was, part);
      if (changes !== undefined) splice.push(`${JSON.stringify(key)}:${changes}`);
    }
  }
  const drop = [...before.keys()].filter((key) => !now.has(key));
  if (set.length + splice.length + drop.length === 0) return undefined;
  const added = [...also].map(([key, part]) => memberJson(key, part));
  return `{"of":"${of}","set":${objectJson([...set, ...added])},"drop":${JSON.stringify(drop)},"splice":${objectJson(splice)}}`;
}

function memberJson(key: string, part: string | readonly string[]): string {
  return `${JSON.stringify(key)}:${typeof part === 'string' ? part : `[${part.join(',')}]`}`;
}

function objectJson(members: readonly string[]): string {
  return `{${members.join(',')}}`;
}

type Compared = WeakMap<readonly string[], { readonly json: string | undefined }>;
/** Lists that were compared: many readers are told the same. */
const compared = new WeakMap<readonly string[], Compared>();

function splicesJson(before: readonly string[], now: readonly string[]): string | undefined {
  const known = compared.get(before)?.get(now);
  if (known) return known.json;
  const splices = splicesBetween(before, now);
  const json = splices.map(({ at, gone, put }) => `{"at":${at},"gone":${gone},"put":[${put.join(',')}]}`);
  const made = { json: json.length === 0 ? undefined : `[${json.join(',')}]` };
  const others: Compared = compared.get(before) ?? new WeakMap();
  compared.set(before, others.set(now, made));
  return made.json;
}

/** More items that come and go are not looked for one by one: all between the first and the last of them are others. */
const MOST_EDITS = 200;

type Change = Pick<Splice, 'at' | 'gone'> & { readonly put: readonly string[] };

function splicesBetween(before: readonly string[], now: readonly string[]): Change[] {
  const { first: head, last: tail } = commonEnds(before, now);
  const [old, fresh] = [before.slice(head, before.length - tail), now.slice(head, now.length - tail)];
  if (old.length + fresh.length === 0) return [];
  const parts = diffArrays(old, fresh, { maxEditLength: MOST_EDITS }) as
    | ReturnType<typeof diffArrays<string>>
    | undefined;
  if (!parts) return [{ at: head, gone: old.length, put: fresh }];
  const changes: Change[] = [];
  let at = head;
  for (const { added, removed, value } of parts) {
    const last = changes.at(-1);
    const isNext = last !== undefined && last.at + last.put.length === at;
    if (removed && isNext) changes[changes.length - 1] = { ...last, gone: last.gone + value.length };
    else if (removed) changes.push({ at, gone: value.length, put: [] });
    else if (added && isNext) changes[changes.length - 1] = { ...last, put: [...last.put, ...value] };
    else if (added) changes.push({ at, gone: 0, put: value });
    if (!removed) at += value.length;
  }
  return changes;
}
