import { readingsOf } from './path-below.ts';
import { expandedBraces, MAX_WORDS } from './shell/expanded-braces.ts';

const variable = String.raw`\$\w+|\$\{[^{}]*\}|\$\([^()]*\)|` + '`[^`]*`';
const folderVariable = new RegExp(String.raw`(?<=^|/)(?:${variable})(?=/)`, 'g');
/** What may become anything: a variable, a group of alternatives. */
const anything = new RegExp(String.raw`${variable}|[@!?+*]\([^()]*\)|\([^()|]*\|[^()]*\)`, 'g');

/** Of a longer path that a tool may expand, in UTF-16 units, there is no end, nor of one that may become more patterns. */
const MAX_LENGTH = 1_000;
const MAX_PATTERNS = 256;

/** So long are all patterns of a call together at most: each is held against each rule, from each folder. */
const MAX_OF_CALL = 30_000;

/**
 * What a tool may make of a path that it expands, as patterns: `*` stands for any characters, `?` for one. Nothing of a path that
 * has nothing to expand. `undefined` when there is no end of them.
 */
export type PatternsOf = (path: string) => readonly string[] | undefined;

/** For the paths of one call, each worked out once. Where there is no end of those of one, there is none of those of later ones. */
export function patternsOfCall(): PatternsOf {
  const known = new Map<string, readonly string[] | undefined>();
  let left = MAX_OF_CALL;
  return (path) => {
    if (known.has(path)) return known.get(path);
    const found = left < 0 ? undefined : patternsOfPath(path);
    left -= found?.join('').length ?? Infinity;
    const patterns = left < 0 ? undefined : found;
    known.set(path, patterns);
    return patterns;
  };
}

function patternsOfPath(path: string): readonly string[] | undefined {
  const texts = readingsOf(path)?.filter((text) => /[*?[{$`|]/.test(text));
  if (texts === undefined || texts.some(({ length }) => length > MAX_LENGTH)) return undefined;
  const patterns: string[] = [];
  for (const text of texts) {
    const words = expandedBraces(text);
    if (words.length >= MAX_WORDS || patterns.length + words.length > MAX_PATTERNS) return undefined;
    patterns.push(...words.map(patternOf));
  }
  return [...new Set(patterns)];
}

function patternOf(word: string): string {
  const made = word
    .replace(/^\$(?:HOME|\{HOME\})(?=\/)/, '~')
    .replaceAll(folderVariable, '.')
    .replaceAll(anything, '*')
    .replaceAll(/\{[^{}]*\}/g, (braces) => (braces.includes('..') ? '*' : braces));
  // A list of characters counts as any of them. By what may end one: else each `[` would be looked at up to the end.
  return made
    .split(/(?<=[/\]])/)
    .map((part) => {
      const at = part.endsWith(']') ? part.indexOf('[') : -1;
      const list = part.slice(at + 1, -1);
      return at < 0 ? part : part.slice(0, at) + (/^[^!^]$/.test(list) ? list : '?');
    })
    .join('');
}
