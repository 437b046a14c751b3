import type { ArgCondition, JsonValue } from '../config/policy-config.ts';
import { startsWithCommand } from './command-prefix.ts';
import { elementsOf, valuesAt } from './field-values.ts';
import { asRead } from './as-read.ts';
import { isBelow, isBelowInAnyCase, type Bases } from './path-below.ts';
import { matchesPattern } from './pattern.ts';
import type { Match } from './match.ts';
import { RegexTime } from './regex-time.ts';

/**
 * How doubt counts. `strict`, for rules that allow: every value is there and fits. `wide`, for rules that refuse or
 * ask: one value fits, or may.
 */
export type Reading = 'strict' | 'wide';

/** Where paths start, and what is left for regular expressions. */
type ConditionBases = Bases & { readonly regexTime?: RegexTime | undefined };

/** Whether the argument at a path of fields is what a rule asks for. */
export function argumentHolds(
  args: unknown,
  path: string,
  condition: ArgCondition,
  reading: Reading,
  bases: ConditionBases,
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
  { regexTime = new RegexTime(), ...bases }: ConditionBases,
): readonly Match[] {
  if ('equals' in condition) {
    const same = reading === 'strict' ? isSame : isSpelling;
    return values.map((value) => yesOrNo(jsonEquals(condition.equals, value, same)));
  }
  if ('regex' in condition) {
    const found = regexTime.find(condition.regex, (regex) =>
      values.map((value) => onText(value, (text) => yesOrNo(regex.test(text)))),
    );
    return found ?? values.map(() => 'unsure');
  }
  const below = reading === 'strict' ? isBelow : isBelowInAnyCase;
  return values.map((value) =>
    onText(value, (text) => {
      if ('glob' in condition) return yesOrNo(matchesPattern(condition.glob, text));
      if ('below' in condition) return below(text, condition.below, bases);
      return startsWithCommand(text, condition.startsWith);
    }),
  );
}

/** Servers turn numbers into text and back; what they make of an object nobody knows. */
function onText(value: unknown, verdictOn: (text: string) => Match): Match {
  if (value === null || value === undefined) return 'no';
  if (typeof value === 'string') return verdictOn(value);
  return typeof value === 'object' ? 'unsure' : verdictOn(JSON.stringify(value));
}

type Scalar = Exclude<JsonValue, object>;

/** Goes as deep as the expected value does, however deep the other one is. `same` compares what has no parts. */
function jsonEquals(
  expected: JsonValue,
  value: unknown,
  same: (expected: Scalar, value: unknown) => boolean,
): boolean {
  if (typeof expected !== 'object' || expected === null) return same(expected, value);
  if (typeof value !== 'object' || value === null || Array.isArray(expected) !== Array.isArray(value))
    return false;
  const entries = Object.entries(expected);
  return (
    entries.length === Object.keys(value).length &&
    entries.every(
      ([key, item]) =>
        Object.hasOwn(value, key) && jsonEquals(item, (value as Record<string, unknown>)[key], same),
    )
  );
}

function isSame(expected: Scalar, value: unknown): boolean {
  return expected === value;
}

/** What servers take for `true` and `false` that make a truth value of texts and numbers. */
const spellings = {
  true: ['true', '1', 'yes', 'y', 'on', 't'],
  false: ['false', '0', 'no', 'n', 'off', 'f'],
};

/** For rules that refuse: whether a server may read one value as the other. */
function isSpelling(expected: Scalar, value: unknown): boolean {
  if (expected === value) return true;
  if (expected === null || !['string', 'number', 'boolean'].includes(typeof value)) return false;
  const [wanted, text] = [asRead(String(expected)), asRead(String(value)).trim()];
  if (wanted.trim() === text) return true;
  if (typeof expected === 'boolean') return spellings[`${expected}`].includes(text);
  return text !== '' && Number(text) === expected;
}

function yesOrNo(holds: boolean): Match {
  return holds ? 'yes' : 'no';
}
