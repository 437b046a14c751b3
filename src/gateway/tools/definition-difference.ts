import { isJsonObject } from '../../lib/json/json-object.ts';
import { showHidden } from '../policy/hidden-characters.ts';

type Definition = Readonly<Record<string, unknown>>;

/** Longest text of one value on either side, in UTF-16 units. */
const MAX_VALUE = 1_000;
/** How much of what is the same is shown around a change within a text. */
const AROUND = 60;
const MAX_FIELDS = 50;
const MAX_DEPTH = 32;

/**
 * What a server has changed in the definition of a tool, for a human who decides about it: each field that differs,
 * how it was (`-`) and how it is (`+`). Nothing is hidden in it: characters that cannot be seen are written out.
 *
 * @returns an empty text when both are the same, whatever the order of their fields.
 */
export function definitionDifference(before: Definition, after: Definition): string {
  const differences = differencesOf('', before, after, 0);
  const shown = differences.slice(0, MAX_FIELDS).map(({ path, from, to }) => fieldText(path, from, to));
  const more = differences.length - shown.length;
  return [...shown, ...(more > 0 ? [`… and ${more} more fields`] : [])].join('\n');
}

type Difference = { readonly path: string; readonly from: unknown; readonly to: unknown };

function differencesOf(path: string, from: unknown, to: unknown, depth: number): Difference[] {
  if (!isJsonObject(from) || !isJsonObject(to) || depth === MAX_DEPTH) {
    return jsonOf(from) === jsonOf(to) ? [] : [{ path, from, to }];
  }
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].toSorted();
  return names.flatMap((name) =>
    differencesOf(joined(path, name), own(from, name), own(to, name), depth + 1),
  );
}

function fieldText(path: string, from: unknown, to: unknown): string {
  const title = showHidden(path);
  if (from === undefined) return `${title} (new)\n+ ${shortened(jsonOf(to))}`;
  if (to === undefined) return `${title} (removed)\n- ${shortened(jsonOf(from))}`;
  const areTexts = typeof from === 'string' && typeof to === 'string';
  const [left, right] = areTexts ? around(from, to) : around(jsonOf(from), jsonOf(to));
  return `${title}\n- ${left}\n+ ${right}`;
}

/** Both texts from shortly before where they begin to differ to shortly after where they end to. */
function around(left: string, right: string): [string, string] {
  const shortest = Math.min(left.length, right.length);
  let start = 0;
  while (start < shortest && left[start] === right[start]) start++;
  let end = 0;
  while (end < shortest - start && left.at(-1 - end) === right.at(-1 - end)) end++;
  const cut = (text: string): string => {
    const [from, to] = [Math.max(0, start - AROUND), Math.min(text.length, text.length - end + AROUND)];
    return `${from > 0 ? '…' : ''}${shortened(text.slice(from, to))}${to < text.length ? '…' : ''}`;
  };
  return [cut(left), cut(right)];
}

function shortened(text: string): string {
  if (text.length <= MAX_VALUE) return showHidden(text);
  return `${showHidden(text.slice(0, MAX_VALUE))}… (${text.length} characters)`;
}

/** With the fields in order: the same values are the same text. */
function jsonOf(value: unknown): string {
  return JSON.stringify(sorted(value, 0)) ?? '';
}

function sorted(value: unknown, depth: number): unknown {
  // Deeper than anybody reads, and than a stack is.
  if (depth > 1_000) return '…';
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item, depth + 1)]));
}

function own(object: Definition, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function joined(path: string, name: string): string {
  const shown = /^[\w$-]+$/.test(name) ? name : JSON.stringify(name);
  return path === '' ? shown : `${path}.${shown}`;
}
