/** What Ink writes to go to the screen that programs draw on, and back. */
export const ENTER = '\u001B[?1049h';
export const LEAVE = '\u001B[?1049l';
const SHOW_CURSOR = '\u001B[?25h';

/** Switches off what another program may have left on: mouse, focus events, pasted text in brackets, other keys, colours, no line wrap. */
export const PLAIN =
  ['?1000l', '?1002l', '?1003l', '?1005l', '?1006l', '?1015l', '?1004l', '?2004l', '?1l', '>4m', '?7h', '0m']
    .map((mode) => `\u001B[${mode}`)
    .join('') + '\u001B>';
const CLEAR = '\u001B[2J\u001B[H';

/** Terminals that were left on the screen of programs, for the next one to draw on, and what leaves it. */
const held = new WeakMap<NodeJS.WriteStream, string>();

/** A terminal as a screen writes to it. */
export type TerminalStream = {
  readonly stream: NodeJS.WriteStream;
  /** From now on, leaving the screen leaves it as it is: {@link releaseScreen} gives it back, or another screen is drawn on it. */
  readonly hold: () => void;
};

/** The terminal, with what is written to it changed. */
export function terminalStream(
  stdout: NodeJS.WriteStream,
  change: (text: string) => string = (text) => text,
): TerminalStream {
  let holds = false;
  const written = (text: string) => {
    if (text === ENTER && held.delete(stdout)) return CLEAR;
    if (text !== LEAVE || !holds) return change(text);
    held.set(stdout, change(text));
    return '';
  };
  const write = (chunk: string | Uint8Array, ...rest: []) =>
    stdout.write(typeof chunk === 'string' ? written(chunk) : chunk, ...rest);
  const stream = new Proxy(stdout, {
    get: (target, key) => {
      if (key === 'write') return write;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { stream, hold: () => (holds = true) };
}

/** Gives a terminal back that was left as it is. */
export function releaseScreen(stdout: NodeJS.WriteStream): void {
  const leave = held.get(stdout);
  if (held.delete(stdout)) stdout.write(leave + SHOW_CURSOR);
}
