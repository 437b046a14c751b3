import type { ShellAssignment, ShellCommand, ShellWord } from './command-reading.ts';

/** What one command starts besides itself. */
export type Starts = {
  /** Commands it runs as programs: `env X=1 cmd`. */
  readonly commands: readonly ShellCommand[];
  /** Texts it hands to a shell: `bash -c text`. */
  readonly texts: readonly string[];
  /** What one of them would be if the doubt were decided so. */
  readonly guesses: readonly ShellCommand[];
  readonly guessedTexts: readonly string[];
  /** Variables it sets: their values, as far as they are known. */
  readonly sets: readonly ShellAssignment[];
  readonly doubt: string | undefined;
  /** Whether it is a shell that is told what to do by what it reads. */
  readonly readsCommands: boolean;
  /** Whether it starts something of which the text says nothing. */
  readonly runsUnknown: boolean;
};

/** A command that starts nothing. */
export const NOTHING: Starts = {
  commands: [],
  texts: [],
  guesses: [],
  guessedTexts: [],
  sets: [],
  doubt: undefined,
  readsCommands: false,
  runsUnknown: false,
};

/** A command of these words. */
export function plainCommand(words: readonly ShellWord[]): ShellCommand {
  return { words, assignments: [] };
}

/** How many of the words may be the first of the command that runs. */
const MAX_SUFFIXES = 32;

/** How many of the words may be texts of a shell. */
const MAX_WORD_TEXTS = 8;

/** How many words of it are looked at then. */
const MAX_GUESSED_WORDS = 64;

/** As much of a command as a guess needs. */
export function beginningOf({ words }: ShellCommand): ShellCommand {
  return plainCommand(words.slice(0, MAX_GUESSED_WORDS));
}

/** Doubt about where in these words the command begins: each of them may be its name, or a text of a shell. */
export function anySuffix(words: readonly ShellWord[], doubt: string): Starts {
  const places = words.slice(0, MAX_SUFFIXES).map((_, at) => words.slice(at, at + MAX_GUESSED_WORDS));
  return {
    ...NOTHING,
    guesses: places.map(plainCommand),
    guessedTexts: [
      ...knownText(words.slice(0, MAX_GUESSED_WORDS)),
      ...words
        .filter((word) => word !== undefined)
        .filter((word) => /\s/.test(word))
        .slice(0, MAX_WORD_TEXTS),
    ],
    doubt,
    runsUnknown: words.includes(undefined),
  };
}

/** The same where it is the program's own matter what it starts, and nothing is in doubt but what is to be refused. */
export function perhapsSuffix(words: readonly ShellWord[]): Starts {
  return { ...anySuffix(words, ''), doubt: undefined, runsUnknown: false };
}

/** The words that are known, as a shell reads them when they are put together. */
export function knownText(words: readonly ShellWord[]): string[] {
  const text = words.filter((word) => word !== undefined).join(' ');
  return text === '' ? [] : [text];
}

/** The words as the text of a shell, where all of them are known. */
export function joinedText(words: readonly ShellWord[], what: string): Starts {
  if (words.includes(undefined)) {
    const doubt = `what ${what} runs is known only then`;
    return { ...NOTHING, guessedTexts: knownText(words), doubt, runsUnknown: true };
  }
  return { ...NOTHING, texts: knownText(words) };
}
