import { parse, type DoubleQuotedChild, type SyntaxNode, type Word, type WordPart } from 'unbash';
import { expandedBraces, MAX_WORDS } from './expanded-braces.ts';

/** A word as a pattern of paths, in which `*` stands for any characters and `?` for one. */
export type ShellPattern = {
  readonly pattern: string;
  /** Whether all that gets the files is a program that only reads files it is told of. */
  readonly isOnlyRead: boolean;
};

/** Programs that change nothing in the files that they are told of, whatever their options. */
const readers: ReadonlySet<string> = new Set(
  'ls cat grep egrep fgrep wc head tail stat du md5sum sha1sum sha256sum echo printf test ['.split(' '),
);

/** Longest word whose braces are expanded, in UTF-16 units. One that is longer, or is more words, may become anything. */
const MAX_EXPANDED = 4_096;

/** Stands for `*` and `?` that are letters of a name. */
const LETTER = '\uE000';

/** So many are noted: nobody reads a line with more of them, and it is asked about. */
const MAX_PATTERNS = 4_000;

/** Takes note of the patterns in a text, from the nodes of its syntax, those of commands before their words. */
export class PatternNotes {
  readonly #patterns: ShellPattern[];
  /** Words that programs get which only read. */
  readonly #onlyRead = new Set<SyntaxNode>();
  readonly #seen = new Set<string>();

  constructor(patterns: ShellPattern[]) {
    this.#patterns = patterns;
  }

  note(node: SyntaxNode): void {
    if (node.type === 'Command' && readers.has(node.name?.value ?? ''))
      for (const word of node.args) this.#onlyRead.add(word);
    if (node.type !== 'Word') return;
    const isOnlyRead = this.#onlyRead.has(node);
    const key = `${isOnlyRead}${node.text}`;
    if (this.#seen.has(key) || this.#patterns.length > MAX_PATTERNS) return;
    this.#seen.add(key);
    this.#patterns.push(...wordPatterns(node).map((pattern) => ({ pattern, isOnlyRead })));
  }
}

/** What a shell may make of a word with wildcards or braces in it; nothing of any other word. */
function wordPatterns(word: Word): string[] {
  if (!word.parts?.some(({ type }) => isWildcard(type))) return [];
  if (!word.parts.some(({ type }) => type === 'BraceExpansion')) return [patternOf(word)];
  if (word.text.length > MAX_EXPANDED) return ['**'];
  const texts = expandedBraces(word.text);
  if (texts.length >= MAX_WORDS) return ['**'];
  return texts.flatMap((text) => {
    const [first] = parse(`x ${text}`).commands;
    const node = first?.type === 'Statement' ? first.command : first;
    const made = node?.type === 'Command' ? node.args : [];
    return made.flatMap((each) => (each.type === 'Word' ? [patternOf(each)] : []));
  });
}

function isWildcard(type: WordPart['type']): boolean {
  return type === 'Glob' || type === 'BraceExpansion' || type === 'ExtendedGlob';
}

function patternOf({ value, parts }: Word): string {
  return parts === undefined ? literal(value) : parts.map(partPattern).join('');
}

function partPattern(part: WordPart | DoubleQuotedChild): string {
  if (part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted')
    return literal(part.value);
  if (part.type === 'DoubleQuoted') return part.parts.map(partPattern).join('');
  // A list of characters counts as any of them, and what hangs on something as anything.
  if (part.type === 'Glob') return part.text.startsWith('[') ? '?' : part.text;
  return '*';
}

function literal(text: string): string {
  return text.replaceAll(/[*?]/g, LETTER);
}
