import { keymap } from '../../src/tui/keys/keymap.ts';
import { bytesOf } from './key-bytes.ts';
import { pick, type Random } from './random.ts';

const keyNames = [...new Set(Object.values(keymap).flatMap((all) => all.flatMap(({ keys }) => keys)))];
const words = ['yes', 'no', 'y', 'n', 'foo bar', '1', '2', '日本', '👨‍👩‍👧', 'q', 'install it'];
const fragments = [
  '\u001B',
  '\u001B[',
  '\u001BO',
  '\u001B[1;',
  '\u001B[200~',
  '\u001B[201~',
  '\u001B[<0;1;1M',
  '\u0000',
];

/** One key, mostly one that the line of hints names; or several, a paste, or a piece of a sequence. */
export function randomChunk(random: Random, hints: string): string {
  const at = random();
  if (at < 0.35) return namedKey(random, hints) ?? bytesOf(pick(random, keyNames));
  if (at < 0.8) return bytesOf(pick(random, keyNames));
  if (at < 0.9) return pick(random, words);
  if (at < 0.93) return `${pick(random, words)}\r`;
  if (at < 0.96) return `\u001B[200~${pick(random, words).repeat(1 + Math.floor(random() * 40))}\u001B[201~`;
  return pick(random, fragments);
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
