/** Plain JSON, as configuration files have it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A text in place of what stands from one offset to another. */
export type Edit = readonly [start: number, end: number, text: string];

/** Makes edits, which are in the order of their places and do not overlap. */
export function edited(json: string, ...edits: readonly Edit[]): string {
  return edits.reduceRight((text, [start, end, put]) => text.slice(0, start) + put + text.slice(end), json);
}

/** Windows editors begin a file with a mark, which is no JSON; without one `mark` is empty. */
export function withoutMark(text: string): { readonly mark: string; readonly json: string } {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  return { mark, json: text.slice(mark.length) };
}

type Nested<Value> = Value | { readonly [key: string]: Nested<Value> };

/** A value inside of objects, one for each key. */
export function nested<Value>(keys: readonly string[], value: Value): Nested<Value> {
  return keys.reduceRight<Nested<Value>>((inner, key) => ({ [key]: inner }), value);
}
