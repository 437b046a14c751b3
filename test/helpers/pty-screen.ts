import { spawn } from '@lydell/node-pty';
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes';
import { Terminal } from '@xterm/headless';
import { expect, vi } from 'vitest';

/** A program in a terminal: its keyboard, and what can be seen. */
export type PtyScreen = {
  /** The visible lines, without trailing blanks. */
  lines: () => string[];
  /** Waits until the visible screen contains a text. */
  see: (text: string | RegExp) => Promise<void>;
  /** Waits until it does not. */
  lose: (text: string) => Promise<void>;
  press: (bytes: string) => void;
  resize: (columns: number, rows: number) => void;
  /** `alternate` while a full-screen program runs. */
  buffer: () => string;
  /** Everything the program wrote. */
  bytes: () => string;
  /** Exit code, when it has ended and all it wrote is shown. */
  exited: Promise<number>;
  kill: () => void;
  /** As when its terminal is closed. */
  hangUp: () => void;
};

const PATIENCE = { timeout: 15_000, interval: 20 };

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
  const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true });
  terminal.loadAddon(new UnicodeGraphemesAddon());
  terminal.unicode.activeVersion = '15-graphemes';
  const pty = spawn(file, args, {
    cwd,
    cols: columns,
    rows,
    name: 'xterm-256color',
    // A person sits there, also where the tests run without one.
    env: { ...process.env, CI: '', TERM: 'xterm-256color', ...env },
  });
  let written = '';
  pty.onData((data) => {
    written += data;
    terminal.write(data);
  });
  const exited = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode }) => terminal.write('', () => resolve(exitCode)));
  });
  const lines = () => {
    const { active } = terminal.buffer;
    return Array.from({ length: terminal.rows }, (_, row) =>
      (active.getLine(active.viewportY + row)?.translateToString(true) ?? '').trimEnd(),
    );
  };
  return {
    lines,
    see: (text) => vi.waitFor(() => expect(lines().join('\n')).toMatch(text), PATIENCE),
    lose: (text) => vi.waitFor(() => expect(lines().join('\n')).not.toMatch(text), PATIENCE),
    press: (bytes) => pty.write(bytes),
    resize: (cols, height) => {
      terminal.resize(cols, height);
      pty.resize(cols, height);
    },
    buffer: () => terminal.buffer.active.type,
    bytes: () => written,
    exited,
    kill: () => pty.kill('SIGKILL'),
    hangUp: () => pty.kill('SIGHUP'),
  };
}
