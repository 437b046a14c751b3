import type { Reading } from '../arg-condition.ts';
import type { ArgCondition } from '../../config/policy-config.ts';
import { asRead } from '../as-read.ts';
import { agreed, type Match } from '../match.ts';
import { matchesPattern } from '../pattern.ts';
import { RegexTime } from '../regex-time.ts';
import type { ShellCommand, ShellWord } from './command-reading.ts';
import { programName } from './program-name.ts';

/** What a rule may ask of one command. */
export type CommandCondition = Extract<
  ArgCondition,
  { startsWith: string } | { glob: string } | { regex: string } | { equals: unknown }
>;

/**
 * Whether one simple command is what a condition asks for: `startsWith` by its words, the others by its words joined
 * with blanks. `unsure` where a word is known only when it runs. A rule that allows reads `strict`: letter by letter.
 * One that refuses or asks reads `wide`: also in another folder, case or look. `regexTime`: what is left for the call.
 */
export function commandMatch(
  condition: CommandCondition,
  { words }: ShellCommand,
  reading: Reading,
  regexTime = new RegexTime(),
): Match {
  if ('startsWith' in condition) return beginsWith(words, condition.startsWith, reading);
  const texts = textsOf(words);
  if (texts === undefined) return 'unsure';
  const { exact, plain } = texts;
  if (reading === 'strict')
    return agreed([...new Set(exact)].map((text) => textMatch(condition, text, regexTime)));
  // Each once: a regular expression may take all the time that it has.
  const wide: Match[] = [lookMatch(condition, plain)];
  for (const text of new Set([...exact, plain, asRead(plain)]))
    if (!wide.includes('yes')) wide.push(textMatch(condition, text, regexTime));
  if (wide.includes('yes')) return 'yes';
  return wide.includes('unsure') ? 'unsure' : 'no';
}

/** What conditions of rules are held against for a command, in whatever reading. None: a word of it is not known. */
export function textsOfCommand({ words }: ShellCommand): readonly string[] {
  const texts = textsOf(words);
  return texts === undefined ? [] : [...texts.exact, texts.plain, asRead(texts.plain)];
}

function textsOf(
  words: readonly ShellWord[],
): { readonly exact: readonly string[]; readonly plain: string } | undefined {
  const known = words.filter((word) => word !== undefined);
  if (known.length < words.length) return undefined;
  const [name = '', ...others] = known;
  return {
    // `npm 'run x'` is not `npm run x`, and may be meant by neither.
    exact: [known.join(' '), known.map(quoted).join(' ')],
    plain: [programName(name), ...others].join(' '),
  };
}

function beginsWith(words: readonly ShellWord[], prefix: string, reading: Reading): Match {
  const wanted = prefix.split(/[ \t]+/).filter((word) => word !== '');
  if (wanted.length === 0) return 'no';
  for (const [at, word] of wanted.entries()) {
    if (at >= words.length) return 'no';
    const found = words[at];
    // It may be no word, or several.
    if (found === undefined) return 'unsure';
    if (!isWord(found, word, at, reading)) return 'no';
  }
  return 'yes';
}

function isWord(found: string, wanted: string, at: number, reading: Reading): boolean {
  if (found === wanted) return true;
  if (reading === 'strict') return false;
  return at === 0 ? firstWord(programName(found)) === programName(wanted) : asRead(found) === asRead(wanted);
}

/** A blank that is part of a name may only look like one. */
function firstWord(name: string): string {
  return name.split(/\s/u, 1)[0] ?? '';
}

function lookMatch(condition: CommandCondition, text: string): Match {
  if ('glob' in condition) return yesOrNo(matchesPattern(asRead(condition.glob), asRead(text)));
  if (!('equals' in condition) || typeof condition.equals !== 'string') return 'no';
  return yesOrNo(asRead(condition.equals) === asRead(text));
}

function textMatch(
  condition: Exclude<CommandCondition, { startsWith: string }>,
  text: string,
  regexTime: RegexTime,
): Match {
  if ('glob' in condition) return yesOrNo(matchesPattern(condition.glob, text));
  if ('equals' in condition) return yesOrNo(condition.equals === text);
  const isMatch = regexTime.test(condition.regex, text);
  return isMatch === undefined ? 'unsure' : yesOrNo(isMatch);
}

function quoted(word: string): string {
  return /^[^\s'"]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function yesOrNo(holds: boolean): Match {
  return holds ? 'yes' : 'no';
}
