import { readingsOf } from './path-below.ts';
import { expandedBraces, MAX_WORDS } from './shell/expanded-braces.ts';

const variable = String.raw`\$\w+|\$\{[^{}]*\}|\$\([^()]*\)|` + '`[^`]*`';
const folderVariable = new RegExp(String.raw`(?<=^|/)(?:${variable})(?=/)`, 'g');
/** What may become anything: a variable, a group of alternatives, a range. */
const anything = new RegExp(
  String.raw`${variable}|[@!?+*]\([^()]*\)|\([^()|]*\|[^()]*\)|\{[^{}]*\.\.[^{}]*\}`,
  'g',
);

/**
 * What a tool may make of a path that it expands, as patterns: `*` stands for any characters, `?` for one. Nothing of a path that
 * has nothing to expand.
 */
export function patternsOfPath(path: string): readonly string[] {
  const readings = readingsOf(path) ?? ['**'];
  return [...new Set(readings.filter((text) => /[*?[{$`|]/.test(text)).flatMap(patternsOf))];
}

function patternsOf(text: string): readonly string[] {
  const words = expandedBraces(text);
  if (words.length >= MAX_WORDS) return ['**'];
  return words.map((word) =>
    word
      .replace(/^\$(?:HOME|\{HOME\})(?=\/)/, '~')
      .replaceAll(folderVariable, '.')
      .replaceAll(anything, '*')
      // A list of characters counts as any of them.
      .replaceAll(/\[([^/\]]*)\]/g, (_, list: string) => (/^[^!^]$/.test(list) ? list : '?')),
  );
}
