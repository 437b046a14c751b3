import { forEachChild, parse, type Command, type SyntaxNode } from 'unbash';
import type { ShellAssignment, ShellWord } from './command-reading.ts';
import { literalOutput } from './literal-output.ts';
import { literalWord } from './literal-word.ts';
import { redirectedFile, redirectedText } from './redirection.ts';
import { hiddenText, syntaxDoubt } from './syntax-doubt.ts';
import { textsOfValue } from './variable-risk.ts';
import { PatternNotes } from './word-patterns.ts';
import { noteValue, type SyntaxNotes, type VariableValues } from './syntax-notes.ts';

/**
 * Notes every simple command in a text, however deep it stands, and what makes its meaning doubtful. What wrappers
 * start and what shells are fed with is the matter of others.
 */
export function readSyntax(text: string, values: VariableValues): SyntaxNotes {
  const notes: SyntaxNotes = {
    commands: [],
    redirects: [],
    patterns: [],
    doubts: [],
    feeds: [],
    values,
    isBroken: false,
  };
  try {
    // Children are read as they are come by: this is where the parser does the rest of its work.
    const waiting: SyntaxNode[] = [parse(text)];
    const patterns = new PatternNotes(notes.patterns);
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      note(node, notes);
      patterns.note(node);
      const children: SyntaxNode[] = [];
      forEachChild(node, (child) => {
        children.push(child);
      });
      // In the order of the text, the first on top.
      for (const child of children.toReversed()) waiting.push(child);
    }
  } catch {
    // A parser that fails, for want of stack for instance, has told nothing of the rest: nobody can say more of it.
    notes.doubts.push('it is too much for the parser');
    notes.isBroken = true;
  }
  return notes;
}

function note(node: SyntaxNode, notes: SyntaxNotes): void {
  const doubt = syntaxDoubt(node);
  if (doubt !== undefined) {
    notes.doubts.push(doubt.reason);
    notes.isBroken ||= doubt.isBroken;
  }
  const hidden = hiddenText(node);
  if (hidden !== undefined) notes.feeds.push(hidden);
  if (node.type === 'Command') noteCommand(node, notes);
  else if (node.type === 'For') {
    for (const word of node.wordlist ?? []) noteValue(notes.values, node.name.value, literalWord(word));
  } else if (node.type === 'Assignment') {
    const { name, value } = assigned(node);
    noteValue(notes.values, name, value);
    notes.feeds.push(...textsOfValue(name, value));
    // It is calculated, whatever quotes it is in.
    if (node.index !== undefined) notes.feeds.push(node.index.text.replaceAll(/['"]/g, ''));
  } else if (node.type === 'Redirect') {
    const file = redirectedFile(node);
    if (file !== undefined) notes.redirects.push(file);
  } else if (node.type === 'HereDoc' || node.type === 'HereString') {
    const fed = redirectedText(node);
    if (fed !== undefined) notes.feeds.push(fed);
  }
}

function noteCommand(node: Command, notes: SyntaxNotes): void {
  const assignments = node.prefix.filter((item) => item.type === 'Assignment').map(assigned);
  const all = [...(node.name === undefined ? [] : [node.name]), ...node.args];
  const words = all.map(wordOf);
  const written = all.map(({ text }, at) => (words[at] === undefined && isShort(text) ? text : undefined));
  const printed = literalOutput(words);
  if (printed !== undefined) notes.feeds.push(printed);
  const fed = node.redirects.findLast((redirect) => redirect.type !== 'Redirect' || isInput(redirect));
  const input = fed === undefined || fed.type === 'Redirect' ? undefined : redirectedText(fed);
  const isWritten = written.some((text) => text !== undefined);
  notes.commands.push({ words, assignments, ...(isWritten && { written }), node, input });
}

function wordOf(item: Command['args'][number]): ShellWord {
  if (item.type === 'Word') return literalWord(item);
  const { name, value } = assigned(item);
  return value === undefined ? undefined : `${name}=${value}`;
}

/** In UTF-16 units. Longer ones, and those of several lines, are read where they stand. */
const LONGEST_WRITTEN = 240;

function isShort(text: string): boolean {
  return text.length <= LONGEST_WRITTEN && !text.includes('\n');
}

function isInput({ operator, descriptor }: { operator: string; descriptor: unknown }): boolean {
  return operator.startsWith('<') || descriptor !== undefined;
}

function assigned(node: Extract<SyntaxNode, { type: 'Assignment' }>): ShellAssignment {
  const { name, value, index } = node;
  if (index !== undefined || value.type !== 'Word') return { name, value: undefined };
  return { name, value: literalWord(value) };
}
