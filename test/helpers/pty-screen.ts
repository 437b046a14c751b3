import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes';
import { Terminal } from '@xterm/headless';
import { expect } from 'vitest';
import { AsAPerson } from './as-a-person.ts';
import { FakeStdin } from './fake-terminal.ts';

/** What can be seen in a terminal. */
type SeenScreen = {
  /** The visible lines, without trailing blanks. */
  lines: () => string[];
  /** Waits until the visible screen contains a text. */
  see: (text: string | RegExp) => Promise<void>;
  /** Waits until it does not. */
  lose: (text: string) => Promise<void>;
  /** Waits until what is visible is like this, and returns whether it is. */
  becomes: (isSo: (lines: readonly string[]) => boolean) => Promise<boolean>;
  /** `alternate` while a full-screen program runs. */
  buffer: () => string;
  /** Everything the program wrote. */
  bytes: () => string;
};

type Keyboard = {
  /** As a person does, with a pause between two keys. */
  press: (bytes: string) => void;
  /** At once. */
  send: (bytes: string) => void;
};

/** A program in a terminal: its keyboard, and what can be seen. */
export type PtyScreen = SeenScreen &
  Keyboard & {
    resize: (columns: number, rows: number) => void;
    /** Exit code, when it has ended and all it wrote is shown. */
    exited: Promise<number>;
    kill: () => void;
    /** As when its terminal is closed. */
    hangUp: () => void;
  };

/** How long something may take to be seen, in ms: a whole program starts within it, beside four others. */
const PATIENCE_MS = 50_000;

/** Starts a program in a terminal of this size. */
export function openPty(
  file: string,
  args: string[],
  {
    cwd,
    columns = 80,
    rows = 24,
    env = {},
  }: { cwd: string; columns?: number; rows?: number; env?: Record<string, string | undefined> },
): PtyScreen {
  const { terminal, write, ...shown } = emulate(columns, rows);
  const pty = spawn(file, args, {
    cwd,
    cols: columns,
    rows,
    name: 'xterm-256color',
    // A person sits there, also where the tests run without one.
    env: { ...process.env, CI: '', TERM: 'xterm-256color', ...env },
  });
  pty.onData(write);
  const exited = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode }) => terminal.write('', () => resolve(exitCode)));
  });
  const person = new AsAPerson((bytes) => pty.write(bytes));
  terminal.onWriteParsed(() => person.seen());
  return {
    ...shown,
    press: (bytes) => person.press(bytes),
    send: (bytes) => pty.write(bytes),
    resize: (cols, height) => {
      terminal.resize(cols, height);
      pty.resize(cols, height);
    },
    exited,
    kill: () => pty.kill('SIGKILL'),
    hangUp: () => pty.kill('SIGHUP'),
  };
}

/** In cells. Without it that of a terminal of old. */
export type ScreenSize = { readonly columns?: number; readonly rows?: number };

/** What is drawn in the process of the tests, in a terminal of its own: its keyboard, and what can be seen. */
export type OwnScreen = SeenScreen &
  Keyboard & {
    stdin: NodeJS.ReadStream;
    stdout: NodeJS.WriteStream;
    /** Resolves when all that was written is shown. */
    shown: () => Promise<void>;
  };

/** A terminal for what is drawn in the process of the tests, which is a tenth of starting a program in one. */
export function openScreen({ columns = 80, rows = 24 }: ScreenSize = {}): OwnScreen {
  const { write, terminal, ...seen } = emulate(columns, rows);
  const stdin = new FakeStdin();
  const stdout = new EmulatedStdout(columns, rows, write);
  const person = new AsAPerson((bytes) => void stdin.write(bytes));
  terminal.onWriteParsed(() => person.seen());
  return {
    ...seen,
    shown: () => new Promise((resolve) => terminal.write('', resolve)),
    press: (bytes) => person.press(bytes),
    send: (bytes) => void stdin.write(bytes),
    // Of both, a screen uses nothing else.
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
  };
}

/** Presses a key of which nothing need be seen: the next is a press of its own. */
export async function pressAlone({ press }: OwnScreen, key: string): Promise<void> {
  press(key);
  await setImmediate();
  await setImmediate();
}

/** What writes into an emulated terminal. */
class EmulatedStdout extends Writable {
  readonly isTTY = true;
  readonly columns: number;
  readonly rows: number;
  readonly #shown: (text: string) => void;

  constructor(columns: number, rows: number, shown: (text: string) => void) {
    super({ decodeStrings: false });
    this.columns = columns;
    this.rows = rows;
    this.#shown = shown;
  }

  override _write(chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    // What a terminal makes of a line feed, in any of the modes that Node uses.
    this.#shown(String(chunk).replaceAll('\n', '\r\n'));
    done();
  }
}

/** Looks at once and whenever something was drawn, until this is so, and not for ever. Returns whether it is. */
function drawn(terminal: Terminal, isSo: () => boolean): Promise<boolean> {
  if (isSo()) return Promise.resolve(true);
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(late);
      looking.dispose();
      resolve(isSo());
    };
    const looking = terminal.onWriteParsed(() => {
      if (isSo()) end();
    });
    const late = setTimeout(end, PATIENCE_MS);
  });
}

/** A terminal, what can be seen in it, and how to write into it. */
function emulate(columns: number, rows: number) {
  const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true });
  terminal.loadAddon(new UnicodeGraphemesAddon());
  terminal.unicode.activeVersion = '15-graphemes';
  let written = '';
  const write = (data: string) => {
    written += data;
    terminal.write(data);
  };
  const lines = () => {
    const { active } = terminal.buffer;
    return Array.from({ length: terminal.rows }, (_, row) =>
      (active.getLine(active.viewportY + row)?.translateToString(true) ?? '').trimEnd(),
    );
  };
  const shown = () => lines().join('\n');
  const has = (text: string | RegExp) =>
    typeof text === 'string' ? shown().includes(text) : shown().search(text) >= 0;
  const seen: SeenScreen = {
    lines,
    see: async (text) => {
      if (!(await drawn(terminal, () => has(text)))) expect(shown()).toMatch(text);
    },
    lose: async (text) => {
      if (!(await drawn(terminal, () => !has(text)))) expect(shown()).not.toMatch(text);
    },
    becomes: (isSo) => drawn(terminal, () => isSo(lines())),
    buffer: () => terminal.buffer.active.type,
    bytes: () => written,
  };
  return { ...seen, terminal, write };
}
