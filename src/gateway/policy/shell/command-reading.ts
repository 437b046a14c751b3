import type { ShellPattern } from './word-patterns.ts';

/** A word of a command without its quotes; `undefined` where it, or how many words it is, is known only when it runs. */
export type ShellWord = string | undefined;

/** `NAME=value` before a command: it is set for that command alone. */
export type ShellAssignment = { readonly name: string; readonly value: string | undefined };

/** One command as a program or a builtin gets it: the first word is its name. */
export type ShellCommand = {
  readonly words: readonly ShellWord[];
  readonly assignments: readonly ShellAssignment[];
  /** Of words that are known only when it runs: how they are written, in short; absent where none of them says it. */
  readonly written?: readonly ShellWord[];
};

/** A file that a redirection opens; `path` is `undefined` where it is known only when it runs. */
export type ShellRedirect = { readonly path: string | undefined; readonly writes: boolean };

/** What a line of shell would do, as far as its text says. */
export type CommandReading = {
  /**
   * Every simple command that would run, in whatever it is wrapped: lists, pipes, substitutions, loops, functions,
   * here-documents for a shell, `bash -c`, `eval`, `env`, `sudo`, `xargs`. What wraps is listed, too.
   */
  readonly commands: readonly ShellCommand[];
  /** All commands of the line that these are taken out of: where they run hangs on the others. Default: these. */
  readonly line?: readonly ShellCommand[];
  /**
   * What may run besides, or instead: a variable has the value that the text gives it, `${x:-rm}` its default, a broken
   * text is split where a shell would. Reason enough to refuse, never to allow.
   */
  readonly guesses: readonly ShellCommand[];
  readonly redirects: readonly ShellRedirect[];
  /** Words that a shell makes paths of: with wildcards, or braces. */
  readonly patterns: readonly ShellPattern[];
  /** Why not all of it is known, in words for a person; `undefined`: all is. */
  readonly doubt: string | undefined;
  /**
   * Whether a command runs of which not even the name is known: it hangs on something, a shell reads it, or the text
   * cannot be taken apart.
   */
  readonly runsUnknown: boolean;
};
