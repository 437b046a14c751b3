import type { ArgCondition, JsonValue } from '../config/policy-config.ts';
import { startsWithCommand } from './command-prefix.ts';
import { elementsOf, valuesAt } from './field-values.ts';
import { isBelow, isBelowInAnyCase } from './path-below.ts';
import type { Bases } from './path-below.ts';
import { matchesPattern } from './pattern.ts';
import type { Match } from './match.ts';
import { OUT_OF_TIME, withinTime } from '../tools/within-time.ts';

/** How long the regular expression of one condition may take, in ms. */
const REGEX_LIMIT_MS = 250;

/**
 * How doubt counts. `strict`, for rules that allow: every value is there and fits. `wide`, for rules that refuse or
 * ask: one value fits, or may.
 */
export type Reading = 'strict' | 'wide';

/** Whether the argument at a path of fields is what a rule asks for. */
export function argumentHolds(
  args: unknown,
  path: string,
  condition: ArgCondition,
  reading: Reading,
  bases: Bases,
): boolean {
  const found = valuesAt(args, path);
  const values = 'equals' in condition && reading === 'strict' ? found : elementsOf(found);
  // A list can be the value itself.
  const all = 'equals' in condition && reading === 'wide' ? [...found, ...values] : values;
  const verdicts = verdictsOn(condition, all, reading, bases);
  return reading === 'strict'
    ? verdicts.length > 0 && verdicts.every((verdict) => verdict === 'yes')
    : verdicts.some((verdict) => verdict !== 'no');
}

/** A condition in words: `below /p/src`. */
export function conditionText(condition: ArgCondition): string {
  const [word, value] = Object.entries(condition)[0] ?? ['', ''];
  return `${word} ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}

function verdictsOn(
  condition: ArgCondition,
  values: readonly unknown[],
  reading: Reading,
  bases: Bases,
): readonly Match[] {
  if ('equals' in condition) return values.map((value) => yesOrNo(jsonEquals(condition.equals, value)));
  if ('regex' in condition) return regexVerdicts(condition.regex, values);
  const below = reading === 'strict' ? isBelow : isBelowInAnyCase;
  return values.map((value) =>
    onText(value, (text) => {
      if ('glob' in condition) return yesOrNo(matchesPattern(condition.glob, text));
      if ('below' in condition) return below(text, condition.below, bases);
      return startsWithCommand(text, condition.startsWith);
    }),
  );
}

function regexVerdicts(source: string, values: readonly unknown[]): readonly Match[] {
  const regex = regexOf(source);
  if (regex === undefined) return values.map(() => 'unsure');
  const verdicts = withinTime(REGEX_LIMIT_MS, () =>
    values.map((value) => onText(value, (text) => yesOrNo(regex.test(text)))),
  );
  return verdicts === OUT_OF_TIME ? values.map(() => 'unsure') : verdicts;
}

/** The regular expression a text stands for; `undefined` when it stands for none. */
export function regexOf(source: string): RegExp | undefined {
  try {
    return new RegExp(source);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Servers turn numbers into text and back; what they make of an object nobody knows. */
function onText(value: unknown, verdictOn: (text: string) => Match): Match {
  if (value === null || value === undefined) return 'no';
  if (typeof value === 'string') return verdictOn(value);
  return typeof value === 'object' ? 'unsure' : verdictOn(JSON.stringify(value));
}

/** Goes as deep as the expected value does, however deep the other one is. */
function jsonEquals(expected: JsonValue, value: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return expected === value;
  if (typeof value !== 'object' || value === null || Array.isArray(expected) !== Array.isArray(value))
    return false;
  const entries = Object.entries(expected);
  return (
    entries.length === Object.keys(value).length &&
    entries.every(
      ([key, item]) => Object.hasOwn(value, key) && jsonEquals(item, (value as Record<string, unknown>)[key]),
    )
  );
}

function yesOrNo(holds: boolean): Match {
  return holds ? 'yes' : 'no';
}
