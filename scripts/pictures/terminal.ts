import { spawn } from '@lydell/node-pty';
// oxlint-disable-next-line import/default -- CommonJS, which has one at run time
import graphemes from '@xterm/addon-unicode-graphemes';
import headless, { type Terminal } from '@xterm/headless';

/** A terminal's size, in cells. */
export type Size = { readonly columns: number; readonly rows: number };

/** What a program wrote, so long after it was started, in seconds. */
export type Output = readonly [atSeconds: number, text: string];

/** A program in an emulated terminal. */
export type Program = {
  readonly screen: Terminal;
  readonly press: (keys: string) => void;
  /** Waits until the screen shows this, and then until nothing has been drawn for a moment. */
  readonly see: (text: string | RegExp) => Promise<void>;
  /** All that it wrote so far. */
  readonly output: readonly Output[];
  /** Its exit code. */
  readonly exited: Promise<number>;
  readonly kill: () => void;
};

const LIMIT_MS = 60_000;
/** A screen that has not changed for so long, in ms, is drawn to its end, its boxes armed. */
const STILL_MS = 700;

/** Starts a program in a terminal of this size, as a person would see it. */
export function openTerminal(
  command: readonly [file: string, ...args: string[]],
  {
    columns,
    rows,
    cwd,
    env,
  }: Size & { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Program {
  const screen = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  screen.loadAddon(new graphemes.UnicodeGraphemesAddon());
  screen.unicode.activeVersion = '15-graphemes';
  const [file, ...args] = command;
  const startedAt = performance.now();
  const output: Output[] = [];
  let drawnAt = startedAt;
  const pty = spawn(file, args, { cwd, cols: columns, rows, name: 'xterm-256color', env: { ...env } });
  pty.onData((text) => {
    drawnAt = performance.now();
    output.push([(drawnAt - startedAt) / 1000, text]);
    screen.write(text);
  });
  const exited = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode }) => screen.write('', () => resolve(exitCode)));
  });
  const isStill = () => performance.now() - drawnAt >= STILL_MS;
  return {
    screen,
    output,
    exited,
    press: (keys) => {
      // What was seen before says nothing of what they lead to.
      drawnAt = performance.now();
      pty.write(keys);
    },
    kill: () => pty.kill(),
    async see(text) {
      const until = performance.now() + LIMIT_MS;
      const isSeen = (shown: string) => (typeof text === 'string' ? shown.includes(text) : text.test(shown));
      while (!(isSeen(linesOf(screen).join('\n')) && isStill())) {
        if (performance.now() > until) throw new Error(`Not seen: ${text}\n${linesOf(screen).join('\n')}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}

/** The visible lines. */
function linesOf({ buffer: { active }, rows }: Terminal): string[] {
  return Array.from(
    { length: rows },
    (_, row) => active.getLine(active.viewportY + row)?.translateToString(true) ?? '',
  );
}
