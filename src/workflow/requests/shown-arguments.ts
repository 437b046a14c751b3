import type { Approval } from '../../events/approval.ts';
import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';

type Json = Approval['args'];

/** Deeper ones are shown as text: nobody reads them as a tree, and each level costs a stack frame. */
const MAX_DEPTH = 50;

/**
 * The arguments of a call for a human to see: secrets replaced, whole up to
 * {@link MAX_TEXT_LENGTH} UTF-16 units of JSON, else the beginning of their text and its length.
 *
 * @param args - JSON, or nothing.
 * @param masked - A text with its secrets replaced.
 */
export function shownArguments(args: unknown, masked: (text: string) => string): Json {
  const shown = maskStrings(args ?? null, masked, MAX_DEPTH);
  const text = shown === undefined ? masked(JSON.stringify(args)) : JSON.stringify(shown);
  if (shown !== undefined && text.length <= MAX_TEXT_LENGTH) return shown;
  return { cut: text.slice(0, MAX_TEXT_LENGTH), length: text.length };
}

/** `undefined` when it is deeper than `depth`. Keys stay. */
function maskStrings(value: unknown, masked: (text: string) => string, depth: number): Json | undefined {
  if (typeof value === 'string') return masked(value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (depth === 0 || typeof value !== 'object') return undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => maskStrings(item, masked, depth - 1));
    return items.includes(undefined) ? undefined : (items as Json[]);
  }
  const entries = Object.entries(value).map(
    ([key, item]) => [key, maskStrings(item, masked, depth - 1)] as const,
  );
  if (entries.some(([, item]) => item === undefined)) return undefined;
  // An own `__proto__` is a key like any other here.
  return Object.fromEntries(entries) as Json;
}
