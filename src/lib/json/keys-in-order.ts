import { isJsonObject } from './json-object.ts';

/** For `JSON.stringify`: the keys of each object by their UTF-16 units, but array indices, which JavaScript puts first. */
export function keysInOrder(_key: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
