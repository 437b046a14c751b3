import { isJsonObject } from './json-object.ts';

/** The value that a text of others is as JSON. `undefined`, which no JSON stands for: it is none. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether objects and lists are nested more than `levels` deep in a value. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}

/** For `JSON.stringify`: the keys of each object by their UTF-16 units, but array indices, which JavaScript puts first. */
export function keysInOrder(_key: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
