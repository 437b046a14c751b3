import { keymap as overviewKeymap } from '../../src/tui/overview/overview-keys.ts';
import { keymap } from '../../src/tui/keys/keymap.ts';
import { bytesOf } from './key-bytes.ts';
import type { Cell, MonkeyEyes } from './monkey-eyes.ts';
import { pick, type Random } from './random.ts';

const keyNames = [
  ...new Set(
    [...Object.values(keymap), ...Object.values(overviewKeymap)].flatMap((all) =>
      all.flatMap(({ keys }) => keys),
    ),
  ),
];
const words = [
  'yes',
  'no',
  'y',
  'n',
  'foo bar',
  '1',
  '2',
  '日本',
  '👨‍👩‍👧',
  'q',
  'install it',
  '/status',
  '/mcp list',
];
const fragments = [
  '\u001B',
  '\u001B[',
  '\u001BO',
  '\u001BOy',
  '\u001BOyy',
  '\u001B[9zy',
  '\u001B[B\r',
  '\u001B[1;',
  '\u001B[200~',
  '\u001B[201~',
  '\u001B[<0;1;1M',
  '\u0000',
];

/** What somebody copied from where others write: it means to press keys, and to end the paste before. */
const pasted = [
  'y\r',
  'Y',
  'y',
  '\r',
  '1\r',
  'q',
  'P',
  'R',
  '\u0003',
  '\u001B[A\r',
  '\u001B',
  '\u001B]52;c;cm0gLXJm\u0007',
  '\u001B[31m\u202Eno\r\n',
  'x\u001B[201~y',
  'x\u001B[201~\r',
  '\u001B[201~y\r',
  'y\n'.repeat(400),
];

/** Where one key decides. */
const decides =
  /Y allow once|Y allow all|[123] (?:task|sprint|always)|y (?:dismiss|cancel it|skip it|stop it)/;
/** What does not decide there, or not the same. */
const tempting = ['\r', ' ', 'ok', 'o', '1', 'y\r', 'yy', '\u001B[200~y\u001B[201~'];

/** What somebody presses who means to decide: the key that is named, what it asks for, and what confirms it. */
const meant: readonly (readonly [named: RegExp, ...keys: string[]])[] = [
  [/Enter answer/, 'the old one', '\r'],
  [/Y allow once/, 'y'],
  [/N deny(?! all)/, 'n', 'not this', '\r'],
  [/\bi (?:answer|decide)/, 'i'],
  [/S skip…/, 'S', 'not now', '\r', 'y'],
  [/X cancel…/, 'X', 'not at all', '\r', 'y'],
  [/R retry(?! what)/, 'R'],
  [/M note…/, 'M', 'look again', '\r'],
];

/** The keys of one decision that the line of hints offers, each for a frame of its own; none: it offers none. */
export function meantKeys(random: Random, hints: string): readonly string[] {
  const offered = meant.filter(([named]) => named.test(hints));
  if (offered.length === 0) return [];
  const [, ...keys] = pick(random, offered);
  return keys;
}

/** One key, mostly one that the line of hints names; or several, a paste, or a piece of a sequence; or a click on an option. */
export function randomChunk(
  random: Random,
  { hints, options, isMouse }: Pick<MonkeyEyes, 'hints' | 'options'> & { readonly isMouse: boolean },
): string {
  if (isMouse && options.length > 0 && random() < 0.1) return click(pick(random, options));
  if (decides.test(hints) && random() < 0.2) return pick(random, tempting);
  const at = random();
  if (at < 0.35) return namedKey(random, hints) ?? bytesOf(pick(random, keyNames));
  if (at < 0.8) return bytesOf(pick(random, keyNames));
  if (at < 0.9) return pick(random, words);
  if (at < 0.93) return `${pick(random, words)}\r`;
  if (at < 0.945) return `\u001B[200~${pick(random, pasted)}\u001B[201~`;
  if (at < 0.96) return mouse(random);
  if (at < 0.975) return `\u001B[200~${pick(random, words).repeat(1 + Math.floor(random() * 40))}\u001B[201~`;
  return pick(random, fragments);
}

/** A click, or a notch of the wheel: most of them on a small screen. */
function mouse(random: Random): string {
  const reach = random() < 0.5 ? 40 : 150;
  const [column, row] = [random() * reach, random() * reach * 0.3].map((at) => 1 + Math.floor(at));
  return `\u001B[<${pick(random, [0, 0, 64, 65])};${column};${row}M`;
}

function click([column, row]: Cell): string {
  return `\u001B[<0;${column};${row}M`;
}

/** How many keys these are: a paste and a sequence are one. */
export function keyCount(chunk: string): number {
  const count = Array.from(chunk).length;
  return count > 6 || chunk.startsWith('\u001B') ? 1 : Math.max(1, count);
}

function namedKey(random: Random, hints: string): string | undefined {
  const names = hints.split(' · ').flatMap((hint) => {
    const key = hint.trim().split(' ')[0] ?? '';
    if (/^[A-Za-z0-9?/]$/.test(key)) return [/[A-Z]/.test(key) && random() < 0.5 ? key.toLowerCase() : key];
    if (key === 'Enter') return ['\r'];
    if (key === 'Esc') return [bytesOf('escape')];
    if (key === 'Tab') return ['\t'];
    if (key.includes('PgDn')) return [bytesOf('pagedown')];
    const control = /^\^([A-Z])$/.exec(key)?.[1];
    return control === undefined ? [] : [bytesOf(`ctrl+${control.toLowerCase()}`)];
  });
  return names.length === 0 ? undefined : pick(random, names);
}
