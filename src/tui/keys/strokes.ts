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
