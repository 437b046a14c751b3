import type { Approval } from '../../events/approval.ts';
import { maskSecrets } from './masked.ts';

/** A longer value stands behind the short ones, in UTF-16 units. */
const SHORT_VALUE = 32;

/**
 * Arguments of a call on one line, for the eyes: `status: completed, path: src/a.ts`, secrets masked. Short values come first, so
 * that a long one hides no other where the line is cut.
 */
export function argsText(args: Approval['args']): string {
  return shownArgs(maskSecrets(args));
}

/** The same of arguments whose secrets are masked. */
export function shownArgs(shown: unknown): string {
  if (typeof shown !== 'object' || shown === null || Array.isArray(shown)) return valueText(shown);
  const texts = Object.entries(shown).map(
    ([name, value]: [string, unknown]) => `${name}: ${valueText(value)}`,
  );
  const isLong = (text: string) => text.length > SHORT_VALUE;
  return [...texts.filter((text) => !isLong(text)), ...texts.filter(isLong)].join(', ');
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
