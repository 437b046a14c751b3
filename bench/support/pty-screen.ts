import { setTimeout as pause } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import { processorSeconds } from './processor-time.ts';

const KEYS = 60;
/** Of what was written this much is looked through for a text. */
const KEPT = 100_000;
/** Begins what is drawn at once. */
const FRAME = '\u001B[?2026h';

/** A program on a terminal of 120×40. */
export type PtyScreen = {
  /** Waits until the program writes this; what was written until then is not looked at again. */
  readonly see: (text: string) => Promise<void>;
  /** The same of a pattern; says what was found. */
  readonly match: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly press: (keys: string) => void;
  /** How much it has written, in UTF-16 units. */
  readonly written: () => number;
  /** How often it has drawn. */
  readonly frames: () => number;
  /** The part of one core that its process uses over the next `ms`. */
  readonly cpuShare: (ms: number) => Promise<number>;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Ends it, and resolves when it has ended. */
  readonly end: (signal: 'SIGKILL' | 'SIGTERM') => Promise<void>;
};

/** Starts `node argv` on a terminal, with these variables besides its own. */
export function ptyScreen(argv: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): PtyScreen {
  const pty = spawn(process.execPath, [...argv], {
    cwd,
    cols: 120,
    rows: 40,
    name: 'xterm-256color',
    env: { ...process.env, CI: '', ...env },
  });
  const exited = new Promise<void>((resolve) => pty.onExit(() => resolve()));
  let seen = '';
  let written = 0;
  let frames = 0;
  const waiting = new Set<() => void>();
  pty.onData((data) => {
    seen = (seen + data).slice(-KEPT);
    written += data.length;
    frames += data.split(FRAME).length - 1;
    for (const look of waiting) look();
  });
  const match = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve) => {
      const look = () => {
        const found = pattern.exec(seen);
        if (!found) return;
        waiting.delete(look);
        seen = '';
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  return {
    match,
    see: async (text) => void (await match(new RegExp(text.replaceAll(/[^\w ]/g, '\\$&')))),
    press: (keys) => pty.write(keys),
    written: () => written,
    frames: () => frames,
    cpuShare: async (ms) => {
      const [used, start] = [processorSeconds(pty.pid), performance.now()];
      await pause(ms);
      return (processorSeconds(pty.pid) - used) / ((performance.now() - start) / 1_000);
    },
    signal: (signal) => pty.kill(signal),
    end: (signal) => {
      pty.kill(signal);
      return exited;
    },
  };
}

/** Times from a letter's writing to the frame that shows it, in ms; each is taken back. */
export async function keyLatencies({ see, press }: PtyScreen): Promise<number[]> {
  const times: number[] = [];
  for (let key = 0; key < KEYS; key += 1) {
    // Keys meet the screen's timers at any phase.
    await pause(40 + Math.random() * 60);
    const letter = String.fromCharCode(0x4e00 + key);
    const start = performance.now();
    const shown = see(letter);
    press(letter);
    await shown;
    times.push(performance.now() - start);
    press('\u007F');
  }
  return times;
}
