import type { CommandReading, ShellCommand } from './command-reading.ts';
import { readCommand } from './read-command.ts';

/** What all command lines of a call do together. `undefined`: it has none. */
export function lineReading(lines: readonly string[]): CommandReading | undefined {
  if (lines.length === 0) return undefined;
  const readings = lines.map((line) => readCommand(line));
  return {
    commands: readings.flatMap(({ commands }) => commands),
    guesses: readings.flatMap(({ guesses }) => guesses),
    redirects: readings.flatMap(({ redirects }) => redirects),
    patterns: readings.flatMap(({ patterns }) => patterns),
    doubt: readings.find(({ doubt }) => doubt !== undefined)?.doubt,
    runsUnknown: readings.some(({ runsUnknown }) => runsUnknown),
  };
}

/** A command by itself that cannot be typed again: no more is known of it than what it is. */
export function onlyCommand(command: ShellCommand): CommandReading {
  return {
    commands: [command],
    guesses: [],
    redirects: [],
    patterns: [],
    doubt: undefined,
    runsUnknown: false,
  };
}

/** A part of a line by itself, and of the line no more than where it may run. */
export function aloneIn(line: CommandReading, part: CommandReading): CommandReading {
  return { ...part, line: line.commands };
}

/** A part of a line in place of all of its commands, with everything else that is known of the line, and all that is not. */
export function withRestOf(line: CommandReading, { commands }: CommandReading): CommandReading {
  return { ...line, commands, line: line.commands };
}
