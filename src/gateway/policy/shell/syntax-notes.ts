import type { Command } from 'unbash';
import type { ShellPattern } from './word-patterns.ts';
import type { ShellCommand, ShellRedirect } from './command-reading.ts';

/** A simple command and where it stood. */
export type SyntaxCommand = ShellCommand & {
  readonly node: Command;
  /** Of a here-document of its own; `undefined` where it reads something else. */
  readonly input: string | undefined;
};

/** What was seen in one text. */
export type SyntaxNotes = {
  readonly commands: SyntaxCommand[];
  readonly redirects: ShellRedirect[];
  readonly patterns: ShellPattern[];
  readonly doubts: string[];
  /** Texts that a shell may be fed with: here-documents, here-strings, what `echo` prints. */
  readonly feeds: string[];
  /** Values that the text itself gives its variables. */
  readonly values: VariableValues;
  /** Whether other readings of the whole text are likely. */
  isBroken: boolean;
};

/** What a text says of the values of variables, `1` and `@` among them. */
export type VariableValues = Map<string, string[]>;

const MAX_VALUES = 8;

/** Remembers one more value of a variable. */
export function noteValue(values: VariableValues, name: string, value: string | undefined): void {
  if (value === undefined) return;
  const known = values.get(name) ?? [];
  if (known.length < MAX_VALUES && !known.includes(value)) values.set(name, [...known, value]);
}
