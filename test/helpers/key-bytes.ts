/** What a terminal sends for keys that have a name. Esc as terminals do that can tell it from the beginning of another. */
const named = new Map([
  ['enter', '\r'],
  ['escape', '\u001B[27u'],
  ['tab', '\t'],
  ['shift+tab', '\u001B[Z'],
  ['backspace', '\u007F'],
  ['delete', '\u001B[3~'],
  ['up', '\u001B[A'],
  ['down', '\u001B[B'],
  ['right', '\u001B[C'],
  ['left', '\u001B[D'],
  ['home', '\u001B[H'],
  ['end', '\u001B[F'],
  ['pageup', '\u001B[5~'],
  ['pagedown', '\u001B[6~'],
]);
const modifiers = new Map([
  ['shift', 2],
  ['alt', 3],
  ['ctrl', 5],
]);

/**
 * What a terminal sends for a key, as the keymap names it: `y`, `ctrl+r`, `alt+enter`.
 *
 * @throws {Error} for a name that no terminal has a sequence for
 */
export function bytesOf(key: string): string {
  const plain = named.get(key);
  if (plain !== undefined) return plain;
  if (Array.from(key).length === 1) return key;
  const at = key.lastIndexOf('+', key.length - 2);
  const [modifier, base] = [key.slice(0, at), key.slice(at + 1)];
  if (modifier === 'ctrl' && /^[a-z]$/.test(base)) return String.fromCodePoint(base.charCodeAt(0) - 0x60);
  const arrow = /^.\[([A-DFH])$/.exec(named.get(base) ?? '')?.[1];
  const code = modifiers.get(modifier);
  if (arrow !== undefined && code !== undefined) return `\u001B[1;${code}${arrow}`;
  const alone = named.get(base) ?? base;
  if (modifier === 'alt' && alone.length === 1) return `\u001B${alone}`;
  throw new Error(`No terminal sends ${key}`);
}
