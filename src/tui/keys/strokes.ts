import type { Key } from 'ink';
import { graphemesOf } from '../../lib/text/cells.ts';

/** One key: a character to type, or a key by its name, lower case: `enter`, `ctrl+x`, `alt+enter`. */
export type Stroke = { readonly text: string } | { readonly key: string };

/** The stroke of a key, as the keymap names it. */
export function strokeNamed(key: string): Stroke {
  return key.length === 1 ? { text: key } : { key };
}

const named = [
  ['return', 'enter'],
  ['escape', 'escape'],
  ['tab', 'tab'],
  ['backspace', 'backspace'],
  ['delete', 'delete'],
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
] as const satisfies [keyof Key, string][];

/** Control characters that have a name of their own. */
const controls = new Map([
  ['\r', 'enter'],
  ['\r\n', 'enter'],
  ['\t', 'tab'],
  ['\b', 'backspace'],
  ['\x7f', 'backspace'],
]);

/**
 * The keys of one chunk of terminal input. Keys that arrive together come as one chunk, `y` and
 * Enter as `"y\r"`: each becomes a stroke of its own. What a screen makes of them is its own: see use-screen-input.ts.
 */
export function readStrokes(input: string, key: Key): Stroke[] {
  if (key.eventType === 'release') return [];
  const name = named.find(([flag]) => key[flag])?.[1];
  if (name !== undefined) return [{ key: modified(name, key) }];
  if (key.ctrl || key.meta) return input === '' ? [] : [{ key: modified(input.toLowerCase(), key) }];
  return graphemesOf(input).map(asStroke);
}

function modified(name: string, { ctrl, meta, shift }: Key): string {
  const isLetter = name.length === 1;
  return `${ctrl ? 'ctrl+' : ''}${meta ? 'alt+' : ''}${shift && !isLetter ? 'shift+' : ''}${name}`;
}

function asStroke(grapheme: string): Stroke {
  const name = controls.get(grapheme);
  if (name !== undefined) return { key: name };
  const code = grapheme.charCodeAt(0);
  if (code < 0x20) return { key: `ctrl+${String.fromCharCode(code + 0x60)}` };
  return { text: grapheme };
}

/** Leads out: a screen that cannot show anything takes it, too. */
export function isWayOut(stroke: Stroke): boolean {
  return 'key' in stroke && (stroke.key === 'ctrl+c' || stroke.key === 'ctrl+z');
}

/** Sends what is typed, or does what is selected. */
export function isEnter(stroke: Stroke): boolean {
  return 'key' in stroke && stroke.key === 'enter';
}

/** Said of an Enter that came together with other keys, where it ends no line. */
export const enterTooSoon = {
  tone: 'info',
  text: 'That Enter came together with other keys: press it again',
} as const;

/**
 * Whether an Enter stands among other characters of one read: where a text is typed it is the end of a line of that, as
 * not all terminals mark what is pasted. A key that leads out is none of a text.
 */
export function areLines(strokes: readonly Stroke[]): boolean {
  const hasEnter = strokes.some(isEnter);
  return hasEnter && strokes.some((stroke) => 'text' in stroke) && !strokes.some(isWayOut);
}

/**
 * Takes lines of one read. A person who types at speed may have pressed them as keys: so each is one, until a text is
 * typed, and what is left then is a paste, if it still {@link areLines}.
 */
export function takeLines<S>(
  state: S,
  strokes: readonly Stroke[],
  {
    isTyping,
    press,
    paste,
  }: {
    readonly isTyping: (state: S) => boolean;
    readonly press: (state: S, stroke: Stroke) => S;
    readonly paste: (state: S, text: string) => S;
  },
): S {
  let now = state;
  for (const [at, stroke] of strokes.entries()) {
    if (isTyping(now)) {
      const rest = strokes.slice(at);
      return areLines(rest) ? paste(now, rest.map(asText).join('')) : rest.reduce(press, now);
    }
    now = press(now, stroke);
  }
  return now;
}

function asText(stroke: Stroke): string {
  if ('text' in stroke) return stroke.text;
  if (isEnter(stroke)) return '\n';
  return stroke.key === 'tab' ? '\t' : '';
}
