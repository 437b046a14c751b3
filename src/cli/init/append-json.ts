import type { ArrayNode, DocumentNode } from '@humanwhocodes/momoa';
import { edited, withoutMark, type Json } from '../../lib/json/json-edits.ts';
import { memberOf, parseJsonTree, rangeOf } from '../../lib/json/json-tree.ts';
import { mergeJson } from './merge-json.ts';
import type { Merge } from './merge.ts';

/**
 * Adds a value at the end of a list in JSON, with or without comments and trailing commas; the list is made where there is
 * none. What is there stays as it is, byte by byte.
 */
export function appendJson(
  text: string,
  { path, value }: { readonly path: readonly string[]; readonly value: Json },
): Merge {
  const { mark, json } = withoutMark(text);
  const parsed = json.trim() === '' ? undefined : parseJsonTree(json);
  if (parsed && 'refused' in parsed) return { is: 'refused', reason: parsed.refused };
  let place = parsed?.body;
  for (const key of path) {
    const member = place?.type === 'Object' ? memberOf(place, key) : undefined;
    // What stands in the way of a new list is told there.
    if (!member) return mergeJson(text, { path, value: [value] });
    place = member.value;
  }
  if (!parsed || place?.type !== 'Array') return { is: 'refused', reason: `${path.join('.')} is not a list` };
  return { is: 'added', text: mark + withElement(json, parsed, place, value) };
}

/** Comments behind the last element stay with it: the new one comes after them. */
function withElement(json: string, { tokens = [] }: DocumentNode, list: ArrayNode, value: Json): string {
  const [start, end] = rangeOf(list);
  const item = JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ');
  const last = list.elements.at(-1);
  if (!last) return edited(json, [start + 1, start + 1, item]);
  const [from, to] = rangeOf(last.value);
  const rest = tokens.filter((token) => rangeOf(token)[0] >= to && rangeOf(token)[0] < end - 1);
  const tail = Math.max(to, ...rest.map((token) => rangeOf(token)[1]));
  const hasComma = rest.some(({ type }) => type === 'Comma');
  const indent = /^[ \t]*/.exec(json.slice(json.lastIndexOf('\n', from - 1) + 1, from))?.[0] ?? '';
  const eol = json.includes('\r\n') ? '\r\n' : '\n';
  const isOnLines = json.slice(start, end).includes('\n');
  const text = `${isOnLines ? `${eol}${indent}` : ' '}${item}${hasComma ? ',' : ''}`;
  return edited(json, ...(hasComma ? [] : [[to, to, ','] as const]), [tail, tail, text]);
}
