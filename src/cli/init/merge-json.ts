import { isDeepStrictEqual } from 'node:util';
import { evaluate, type DocumentNode, type ObjectNode } from '@humanwhocodes/momoa';
import { edited, nested, withoutMark, type Edit, type Json } from '../../lib/json/json-edits.ts';
import { memberOf, parseJsonTree, rangeOf } from '../../lib/json/json-tree.ts';
import type { Entry, Merge } from './merge.ts';

/**
 * Merges an entry into JSON, with or without comments and trailing commas. Whatever else is there stays as it
 * is, byte by byte: comments, order, indentation, line ends. A blank text is an empty file.
 */
export function mergeJson(text: string, { path, value }: Entry): Merge {
  if (text.trim() === '') return { is: 'added', text: jsonDocument(nested(path, value)) };
  const { mark, json } = withoutMark(text);
  const parsed = parseJsonTree(json);
  if ('refused' in parsed) return { is: 'refused', reason: parsed.refused };

  let place: DocumentNode['body'] = parsed.body;
  for (const [depth, key] of path.entries()) {
    if (place.type !== 'Object')
      return { is: 'refused', reason: `${path.slice(0, depth).join('.') || 'it'} is not an object` };
    const member = memberOf(place, key);
    if (!member) {
      const layout = layoutOf(json, parsed);
      const added = { key, value: nested(path.slice(depth + 1), value) };
      return {
        is: 'added',
        text: mark + edited(json, ...insertion(json, parsed, place, { ...added, layout })),
      };
    }
    place = member.value;
  }
  if (isDeepStrictEqual(evaluate(place), value)) return { is: 'there' };
  const [start, end] = rangeOf(place);
  const put = jsonText(value, layoutOf(json, parsed), indentAt(json, start));
  return { is: 'different', text: mark + edited(json, [start, end, put]) };
}

/** A file of its own with this content. */
export function jsonDocument(value: Json): string {
  return `${jsonText(value, { unit: '  ', eol: '\n' })}\n`;
}

/** The edits that add a member at the end of an object. */
function insertion(
  json: string,
  { tokens = [] }: DocumentNode,
  object: ObjectNode,
  { key, value, layout }: { key: string; value: Json; layout: Layout },
): Edit[] {
  const [start, end] = rangeOf(object);
  const brace = end - 1;
  const last = object.members.at(-1);
  const lastEnd = last ? rangeOf(last)[1] : start + 1;
  const rest = tokens.filter((token) => rangeOf(token)[0] >= lastEnd && rangeOf(token)[0] < brace);
  // Comments behind the last member stay with it: the new one comes after them.
  const tail = Math.max(lastEnd, ...rest.map((token) => rangeOf(token)[1]));
  const hasComma = rest.some(({ type }) => type === 'Comma');
  const comma: Edit[] = last && !hasComma ? [[lastEnd, lastEnd, ',']] : [];
  const closing = last && hasComma ? ',' : '';
  const name = JSON.stringify(key);

  if (
    last &&
    !json.slice(start, rangeOf(last)[0]).includes('\n') &&
    !json.slice(lastEnd, brace).includes('\n')
  )
    return [...comma, [tail, tail, ` ${name}: ${inlineJson(value)}${closing}`]];

  const { unit, eol } = layout;
  const outer = indentAt(json, start);
  const indent = (last && ownIndent(json, rangeOf(last)[0])) ?? outer + unit;
  const text = `${eol}${indent}${name}: ${jsonText(value, layout, indent)}${closing}`;
  // The brace keeps a line of its own, or gets one.
  const isBraceAlone = json.slice(tail, brace).includes('\n') && last !== undefined;
  return [...comma, isBraceAlone ? [tail, tail, text] : [tail, brace, `${text}${eol}${outer}`]];
}

/** As the first member of the file is laid out. */
function layoutOf(json: string, { body }: DocumentNode): Layout {
  const first = body.type === 'Object' ? body.members[0] : undefined;
  const unit = first && ownIndent(json, rangeOf(first)[0]);
  return { unit: unit || '  ', eol: json.includes('\r\n') ? '\r\n' : '\n' };
}

/** The white space at the beginning of the line of an offset. */
function indentAt(json: string, offset: number): string {
  const line = json.slice(json.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** The same where nothing but white space stands before it. */
function ownIndent(json: string, offset: number): string | undefined {
  const lineStart = json.lastIndexOf('\n', offset - 1) + 1;
  const before = json.slice(lineStart, offset);
  return lineStart > 0 && before.trim() === '' ? before : undefined;
}

/** How a file is laid out: what is added to it should look the same. */
type Layout = { readonly unit: string; readonly eol: string };

/** A value as people write it: an object on several lines, a list of words on one. */
function jsonText(value: Json, { unit, eol }: Layout, indent = ''): string {
  if (typeof value !== 'object' || value === null || isList(value) || Object.keys(value).length === 0)
    return inlineJson(value);
  const inner = indent + unit;
  const members = Object.entries(value).map(
    ([key, each]) => `${inner}${JSON.stringify(key)}: ${jsonText(each, { unit, eol }, inner)}`,
  );
  return `{${eol}${members.join(`,${eol}`)}${eol}${indent}}`;
}

/** The same on one line. */
function inlineJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(inlineJson).join(', ')}]`;
  const members = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${inlineJson(each)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
