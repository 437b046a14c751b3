import { isJsonObject } from '../lib/json/json-object.ts';

/** Whether arguments were too long to keep: the beginning of their text stands there, and how long it is. */
export function isCut(args: unknown): args is { cut: string; length: number } {
  if (!isJsonObject(args)) return false;
  const { cut, length, ...rest } = args;
  if (typeof cut !== 'string' || typeof length !== 'number') return false;
  return Object.keys(rest).length === 0 && length > cut.length;
}
