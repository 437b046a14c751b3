import { ConfigMemory } from '../workflow/config/config-file.ts';
import { userInfo } from 'node:os';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { brokenFor } from './text/broken-for.ts';
import { toAscii } from '../lib/text/ascii.ts';
import { asciiIn } from '../tui/terminal/screen-look.ts';
import { createPrinter, type Style } from './printer.ts';
import { LOG_VARIABLE } from '../workflow/log/log-variable.ts';
import { visibleLine } from '../lib/text/visible.ts';

/** What a command may touch of the process it runs in. */
export type Cli = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** What a person types in front of a command about the same project: `clifford`, with the project where that is another one. */
  readonly called: string;
  /** The folder where the person is who called it: that of the demo is another one. */
  readonly calledIn: string;
  /** The log that is named in their environment: the demo has another one, and `--log` names one for a single command. */
  readonly calledLog: string | undefined;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  /** Of `clifford.json` and the user's own file, so that a mistake is reported once. */
  readonly configMemory: ConfigMemory;
  /** The human at the keyboard, as the log names them. */
  readonly by: string;
  /** One line, or several, on stdout. What could act on a terminal is printed as JSON writes it, here and below. */
  readonly print: (line: string) => void;
  readonly printLines: (lines: readonly string[]) => void;
  /** A sentence on stdout, on one line: a terminal gets it broken between words. */
  readonly say: (sentence: string) => void;
  /** For programs, laid out for people. */
  readonly printJson: (value: unknown) => void;
  /** Prints a line, and says whether there was a reader when it left. */
  readonly deliver: (line: string, to?: 'stdout' | 'stderr') => Promise<boolean>;
  /** One line on stderr. */
  readonly warn: (line: string) => void;
  /** The same for what does not keep the command from going on. */
  readonly note: (text: string) => void;
  /** One line on stderr, where it is a terminal: a person is there to read it. */
  readonly hint: (line: string) => void;
  /** Colours text for stdout, where it is a terminal that has colours and nobody asked for none. */
  readonly style: (style: Style, text: string) => string;
  /** Aborts when stdout has no reader any more, or no room: nothing printed arrives. */
  readonly lostReader: AbortSignal;
  /** Ends with this code when the command returns; 0 unless it is called. */
  readonly endWith: (code: ExitCode) => void;
};

/** The reader of a pipe has gone, as in `clifford replay | head -1`, or a terminal was closed: no error. */
const goneCodes = new Set(['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED']);

/** A command's own side of a {@link Cli}. */
export type CliEnd = {
  readonly cli: Cli;
  /** What it was told. */
  readonly exitCode: () => ExitCode;
  /** Why a part of what was printed is missing, e.g. since the disk is full. */
  readonly outputError: () => Error | undefined;
  /** It has printed a command line of Clifford. */
  readonly namesItself: () => boolean;
};

const NAMES_ITSELF = /(?<![\w/.-])clifford (?:--project \S+ )?[a-z]/;

/** What a command has of the process it runs in. */
export type CliPlace = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'env' | 'cwd'>;

/** A {@link Cli} on this process, and how to end it. */
export function createCli(process: CliPlace): CliEnd {
  const { stdin, stdout, stderr, env } = process;
  const cwd = process.cwd();
  let namesItself = false;
  let code: ExitCode = exitCodes.done;
  const lostReader = new AbortController();
  let outputError: Error | undefined;
  // Thrown here, it would end a run without its agents.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    lostReader.abort();
    if (!goneCodes.has(error.code ?? '')) outputError ??= error;
  });
  // Nowhere is left to say so.
  stderr.on('error', () => undefined);
  // Who reads it is told as well; a screen that only gives its terminal back is not.
  stdin.on('error', () => undefined);
  const printer = createPrinter(stdout);
  const { style } = printer;
  const ascii = asciiIn(env);
  /** On a terminal without Unicode in what it can show. What is read by a program is as it is. */
  const shown = (line: string, stream: NodeJS.WriteStream) =>
    ascii !== undefined && stream.isTTY ? toAscii(line.replaceAll('"…"', '"..."'), ascii) : line;
  const printable = (line: string, stream: NodeJS.WriteStream = stdout) =>
    shown(printer.printable(line), stream);
  const onTerminal = (line: string) => brokenFor(stderr, printable(line, stderr));
  const print = (line: string) => {
    namesItself ||= NAMES_ITSELF.test(line);
    if (!lostReader.signal.aborted) stdout.write(`${printable(line)}\n`);
  };
  const warn = (line: string) => {
    namesItself ||= NAMES_ITSELF.test(line);
    stderr.write(`${onTerminal(line)}\n`);
  };
  const cli: Cli = {
    env,
    cwd,
    called: 'clifford',
    calledIn: cwd,
    calledLog: env[LOG_VARIABLE],
    stdin,
    stdout,
    configMemory: new ConfigMemory(),
    by: nameOfUser(env),
    print,
    printLines: (lines) => lines.forEach(print),
    say: (sentence) => print(brokenFor(stdout, visibleLine(sentence))),
    printJson: (value) => print(JSON.stringify(value, null, 2)),
    deliver: (line, to = 'stdout') =>
      new Promise((resolve) => {
        const stream = to === 'stdout' ? stdout : stderr;
        stream.write(`${printable(line, stream)}\n`, (error) => resolve(!error));
      }),
    warn,
    note: (text) => warn(`note: ${visibleLine(text)}`),
    hint: (line) => {
      if (stderr.isTTY) warn(line);
    },
    style,
    lostReader: lostReader.signal,
    endWith: (ending) => {
      code = ending;
    },
  };
  return { cli, exitCode: () => code, outputError: () => outputError, namesItself: () => namesItself };
}

function nameOfUser(env: Cli['env']): string {
  if (env['USER']) return env['USER'];
  try {
    return userInfo().username;
  } catch {
    // A container may run a user id that has no name.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
