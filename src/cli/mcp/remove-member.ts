import type { DocumentNode, MemberNode, ObjectNode } from '@humanwhocodes/momoa';
import { edited, type Edit } from '../../lib/json/json-edits.ts';
import { rangeOf } from '../../lib/json/json-tree.ts';

/** What is cut out of a text, from and to which offset. */
type Cut = readonly [number, number];

/**
 * Takes a member out of an object, with its comma and with a comment behind it on its line. Whatever else is there
 * stays as it is: comments above it, order, indentation, line ends.
 */
export function removeMember(
  json: string,
  document: DocumentNode,
  object: ObjectNode,
  member: MemberNode,
): string {
  const tokens = (document.tokens ?? []).map((token) => ({ type: token.type, range: rangeOf(token) }));
  const [start, end] = rangeOf(member);
  const index = object.members.indexOf(member);
  const next = object.members[index + 1];
  const before = object.members[index - 1];
  const limit = next ? rangeOf(next)[0] : rangeOf(object)[1] - 1;
  const commaIn = (from: number, to: number) =>
    tokens.find(({ type, range }) => type === 'Comma' && range[0] >= from && range[1] <= to)?.range;

  const comma = commaIn(end, limit);
  const cuts: Cut[] = [ownCut(json, tokens, [start, comma?.[1] ?? end], limit)];
  const isLast = next === undefined;
  const orphan = isLast && !comma && before ? commaIn(rangeOf(before)[1], start) : undefined;
  return edited(json, ...(orphan ? [orphan, ...cuts] : cuts).map(nothingAt));
}

/** The lines of a member that has them to itself, else the member and the white space in front of it. */
function ownCut(
  json: string,
  tokens: readonly { readonly type: string; readonly range: Cut }[],
  [start, end]: Cut,
  limit: number,
): Cut {
  const lineStart = json.lastIndexOf('\n', start - 1) + 1;
  const isFirstOnLine = json.slice(lineStart, start).trim() === '';
  const newline = json.indexOf('\n', end);
  const lineEnd = newline === -1 || newline >= limit ? undefined : newline;
  const isLastOnLine =
    lineEnd !== undefined && isBlankOrComment(json, tokens, [end, lineEnd]) && isFirstOnLine;
  if (isLastOnLine && lineStart > 0) return [lineStart, lineEnd + 1];
  return [start - (/[ \t]*$/.exec(json.slice(lineStart, start))?.[0].length ?? 0), end];
}

/** Whether nothing stands there but white space and comments that end there. */
function isBlankOrComment(
  json: string,
  tokens: readonly { readonly type: string; readonly range: Cut }[],
  [from, to]: Cut,
): boolean {
  const comments = tokens.filter(({ type, range }) => isComment(type) && range[0] >= from && range[0] < to);
  if (comments.some(({ range }) => range[1] > to)) return false;
  const cuts = comments.map(({ range: [start, end] }) => nothingAt([start - from, end - from]));
  return edited(json.slice(from, to), ...cuts).trim() === '';
}

function isComment(type: string): boolean {
  return type === 'LineComment' || type === 'BlockComment';
}

function nothingAt([start, end]: Cut): Edit {
  return [start, end, ''];
}
