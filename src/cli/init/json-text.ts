import type { Json } from '../../lib/json/json-edits.ts';

/** How a file is laid out: what is added to it should look the same. */
export type Layout = { readonly unit: string; readonly eol: string };

/** A value as people write it: an object on several lines, a list of words on one. */
export function jsonText(value: Json, { unit, eol }: Layout, indent = ''): string {
  if (typeof value !== 'object' || isList(value) || Object.keys(value).length === 0) return inlineJson(value);
  const inner = indent + unit;
  const members = Object.entries(value).map(
    ([key, each]) => `${inner}${JSON.stringify(key)}: ${jsonText(each, { unit, eol }, inner)}`,
  );
  return `{${eol}${members.join(`,${eol}`)}${eol}${indent}}`;
}

/** The same on one line. */
export function inlineJson(value: Json): string {
  if (typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(inlineJson).join(', ')}]`;
  const members = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${inlineJson(each)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
