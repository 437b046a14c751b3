import type { CommandReading, ShellCommand, ShellRedirect } from './command-reading.ts';
import { isCertainName } from './certain-name.ts';
import { possibleTexts } from './possible-texts.ts';
import { readSyntax } from './read-syntax.ts';
import { MAX_ALL_UNITS, MAX_COMMANDS, MAX_TEXT_DEPTH, MAX_WRAPPERS } from './shell-limits.ts';
import type { ShellPattern } from './word-patterns.ts';
import { splitCommands } from './split-commands.ts';
import { beginningOf, plainCommand } from './starts.ts';
import { startsOf } from './starts-of.ts';
import { noteValue, type SyntaxCommand } from './syntax-notes.ts';
import { lineDoubt, textDoubt } from './text-doubt.ts';
import { isRisky, textsOfValue } from './variable-risk.ts';

/**
 * Takes a line of shell apart, as bash reads it, without running anything: what runs in it, which files it opens, and
 * whether that is all. Where other shells read it otherwise, in a way that runs something else, there is doubt. What the
 * programs do that run is theirs: a script, `make`, `python -c` are commands with words.
 *
 * Takes time that grows with the text: less than a second for any.
 */
export function readCommand(text: string): CommandReading {
  return new Reader().read(text);
}

type Text = { readonly text: string; readonly depth: number; readonly isGuess: boolean };
type Started = Text & {
  readonly command: ShellCommand;
  readonly input: string | undefined;
  readonly wrappers: number;
};

/** How often what a guess leaves open is guessed at. */
const MAX_ROUNDS = 3;

class Reader {
  readonly #commands = new Map<string, ShellCommand>();
  readonly #guesses = new Map<string, ShellCommand>();
  readonly #redirects: ShellRedirect[] = [];
  readonly #patterns = new Map<string, ShellPattern>();
  readonly #values = new Map<string, string[]>();
  readonly #texts: Text[] = [];
  readonly #seenTexts = new Set<string>();
  readonly #feeds = new Set<string>();
  #open: SyntaxCommand[] = [];
  #doubt: string | undefined;
  #runsUnknown = false;
  #units = 0;

  read(text: string): CommandReading {
    this.#texts.push({ text, depth: 0, isGuess: false });
    this.#readTexts();
    for (let round = 0; round < MAX_ROUNDS && this.#doubt !== undefined; round++) {
      const open = this.#open;
      this.#open = [];
      for (const { node } of open) {
        for (const possible of possibleTexts(node, this.#values)) this.#add(possible, round + 1, true);
      }
      for (const feed of this.#feeds) this.#add(feed, 1, true);
      this.#readTexts();
    }
    return {
      commands: [...this.#commands.values()],
      guesses: [...this.#guesses.values()],
      redirects: this.#redirects,
      patterns: [...this.#patterns.values()],
      doubt: this.#doubt,
      runsUnknown: this.#runsUnknown,
    };
  }

  #add(text: string, depth: number, isGuess: boolean): void {
    const key = `${isGuess}${text}`;
    if (this.#seenTexts.has(key)) return;
    this.#seenTexts.add(key);
    this.#texts.push({ text, depth, isGuess });
  }

  #readTexts(): void {
    for (let text = this.#texts.shift(); text !== undefined; text = this.#texts.shift()) this.#readText(text);
  }

  #readText(one: Text): void {
    const { text, depth, isGuess } = one;
    this.#units += text.length;
    const tooMuch = this.#units > MAX_ALL_UNITS || depth > MAX_TEXT_DEPTH;
    const doubt = textDoubt(text) ?? (tooMuch ? 'it has too many texts in each other' : undefined);
    if (doubt !== undefined) {
      this.#doubtThat(doubt, one);
      this.#noteUnknown(one);
      if (!isGuess || !tooMuch) this.#split(one);
      return;
    }
    const notes = readSyntax(text, this.#values);
    const cut = lineDoubt(text);
    if (cut !== undefined) this.#doubtThat(cut, one);
    for (const reason of notes.doubts) this.#doubtThat(reason, one);
    if (!isGuess) this.#redirects.push(...notes.redirects);
    for (const each of notes.patterns) this.#patterns.set(JSON.stringify(each), each);
    for (const feed of notes.feeds) this.#feeds.add(feed);
    for (const found of notes.commands) {
      if (found.words.includes(undefined)) this.#open.push(found);
      const { node: _, input, ...command } = found;
      if (command.words.length > 0) this.#run({ ...one, command, input, wrappers: 0 });
    }
    if (!notes.isBroken && cut === undefined) return;
    this.#noteUnknown(one);
    this.#split(one);
  }

  /** Notes a command and all that it starts. */
  #run(first: Started): void {
    const waiting = [first];
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      if (!this.#isNew(one)) continue;
      const [name] = one.command.words;
      if (name === undefined) this.#noteUnknown(one);
      if (!isCertainName(name)) this.#doubtThat('the name of a command is not certain', one);
      if (one.wrappers > MAX_WRAPPERS) {
        this.#doubtThat('too many programs start each other', one);
        this.#noteUnknown(one);
        continue;
      }
      const starts = startsOf(one.command);
      if (starts.doubt !== undefined) this.#doubtThat(starts.doubt, one);
      if (starts.runsUnknown) this.#noteUnknown(one);
      for (const { name: variable, value } of starts.sets) {
        if (isRisky(variable, value) && !/^[\d@*]$/.test(variable))
          this.#doubtThat(`it sets ${variable}`, one);
        noteValue(this.#values, variable, value);
        for (const text of textsOfValue(variable, value)) this.#add(text, one.depth + 1, true);
      }
      for (const text of starts.texts) this.#add(text, one.depth + 1, one.isGuess);
      for (const text of starts.guessedTexts) this.#add(text, one.depth + 1, true);
      if (starts.readsCommands) {
        if (one.input === undefined) {
          this.#doubtThat('a shell runs what it reads', one);
          this.#noteUnknown(one);
        } else this.#add(one.input, one.depth + 1, one.isGuess);
        if (one.input?.includes("$'") === true) this.#doubtThat("not every shell reads $'…'", one);
      }
      const next = { ...one, wrappers: one.wrappers + 1 };
      for (const command of starts.guesses) waiting.push({ ...next, command, isGuess: true });
      for (const command of starts.commands)
        waiting.push({ ...next, command: withWritten(command, one.command) });
    }
  }

  /** Remembers a command, unless it is known. */
  #isNew(one: Started): boolean {
    const all = one.isGuess ? this.#guesses : this.#commands;
    const key = JSON.stringify([one.command, one.input]);
    if (all.has(key)) return false;
    if (all.size < MAX_COMMANDS) {
      all.set(key, one.command);
      return true;
    }
    this.#doubtThat(`it has more than ${MAX_COMMANDS} commands`, one);
    this.#noteUnknown(one);
    return false;
  }

  #split(one: Text): void {
    for (const words of splitCommands(one.text)) {
      this.#run({
        ...one,
        isGuess: true,
        command: beginningOf(plainCommand(words)),
        input: undefined,
        wrappers: 0,
      });
    }
  }

  #noteUnknown({ isGuess }: Pick<Text, 'isGuess'>): void {
    if (!isGuess) this.#runsUnknown = true;
  }

  #doubtThat(reason: string, { isGuess }: Text): void {
    if (!isGuess) this.#doubt ??= reason;
  }
}

/** A command of the last words of another one: they are written as there. */
function withWritten(command: ShellCommand, { words, written }: ShellCommand): ShellCommand {
  const from = words.length - command.words.length;
  if (!written || from < 0 || command.words.some((word, at) => word !== words[from + at])) return command;
  const own = written.slice(from);
  return own.some((text) => text !== undefined) ? { ...command, written: own } : command;
}
