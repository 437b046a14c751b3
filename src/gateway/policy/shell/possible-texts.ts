import {
  forEachChild,
  type Command,
  type DoubleQuotedChild,
  type SyntaxNode,
  type Word,
  type WordPart,
} from 'unbash';
import { expandedBraces } from './expanded-braces.ts';
import { literalOutput } from './literal-output.ts';
import { literalWord } from './literal-word.ts';
import type { VariableValues } from './syntax-notes.ts';
import { shellWord } from '../../../lib/text/shell-word.ts';

/** How many values of its variables are tried. */
const MAX_WORLDS = 8;

/** How much of a command is written anew, in UTF-16 units. */
const MAX_UNITS = 4_096;

type Choices = (part: WordPart | DoubleQuotedChild) => string;

/**
 * What a command whose words hang on something may turn out to be, as texts of a shell: with the values that the text
 * gives its variables, the defaults it names, nothing in place of a variable, what an `echo` in it prints, and its
 * braces expanded. Not all that is possible, and perhaps nothing that happens.
 */
export function possibleTexts(node: Command, values: VariableValues): string[] {
  const words = [node.name, ...node.args].filter((word) => word?.type === 'Word');
  if (words.reduce((units, word) => units + word.text.length, 0) > MAX_UNITS) return [];
  const texts = new Set<string>();
  for (let world = 0; world < MAX_WORLDS; world++) {
    const pick: Choices = (part) => {
      const choices = choicesFor(part, values);
      return choices[world] ?? choices[0] ?? '';
    };
    texts.add(words.map((word) => wordText(word, pick)).join(' '));
  }
  texts.add(words.map((word) => wordText(word, () => '')).join(' '));
  return [...texts];
}

function wordText(word: Word, pick: Choices): string {
  const { parts } = word;
  if (parts === undefined) return word.text;
  if (parts.some(({ type }) => type === 'BraceExpansion')) return expandedBraces(word.text).join(' ');
  return parts.map((part) => partText(part, pick)).join('');
}

function partText(part: WordPart, pick: Choices): string {
  if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') {
    return shellWord(
      part.parts.map((child) => (child.type === 'Literal' ? child.value : unquoted(pick(child)))).join(''),
    );
  }
  const isKnown = part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted';
  if (isKnown) return shellWord(part.value);
  return isOpen(part) ? pick(part) : part.text;
}

function isOpen({ type }: WordPart): boolean {
  return type === 'SimpleExpansion' || type === 'ParameterExpansion' || type === 'CommandExpansion';
}

/** What may stand in the place of a part, as it would be written; the likeliest first. */
function choicesFor(part: WordPart | DoubleQuotedChild, values: VariableValues): string[] {
  if (part.type === 'SimpleExpansion')
    return [...valuesOf(part.text.replaceAll('\\\n', '').slice(1), values), ''];
  if (part.type === 'ParameterExpansion') {
    const own = valuesOf(part.parameter, values);
    return part.operation?.type === 'Default' ? [part.operation.operand.text, ...own, ''] : [...own, ''];
  }
  if (part.type !== 'CommandExpansion') return [part.text];
  const printed = commandsIn(part).flatMap((command) => {
    const words = [command.name, ...command.args].map((word) =>
      word?.type === 'Word' ? literalWord(word) : undefined,
    );
    return literalOutput(words) ?? [];
  });
  return [...printed.map(asWords), ''];
}

function valuesOf(name: string, values: VariableValues): string[] {
  return (values.get(name) ?? []).map(asWords);
}

/** A value as a shell splits it, with nothing in it that it would take for more. */
function asWords(value: string): string {
  const words = value.split(/\s+/).map(shellWord).join(' ');
  return /^[\w ./:=@%+,-]*$/.test(value) ? value : words;
}

function unquoted(text: string): string {
  return text.replaceAll(/['"]/g, '');
}

function commandsIn(part: SyntaxNode): Command[] {
  const found: Command[] = [];
  const waiting: SyntaxNode[] = [part];
  for (let node = waiting.pop(); node !== undefined && found.length < MAX_WORLDS; node = waiting.pop()) {
    if (node.type === 'Command') found.push(node);
    forEachChild(node, (child) => {
      waiting.push(child);
    });
  }
  return found;
}
