import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keyboardStream } from '../../../src/tui/terminal/keyboard-stream.ts';
import { FakeStdin } from '../../helpers/fake-terminal.ts';

const begin = '\u001B[200~';
const end = '\u001B[201~';
const up = '\u001B[A';
/** Longer than any that is under way says nothing. */
const LONG_MS = 2_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A keyboard, and what a reader of it has read, as Ink reads. */
function keyboard() {
  const stdin = new FakeStdin();
  const stream = keyboardStream(stdin as unknown as NodeJS.ReadStream);
  stream.setEncoding('utf8');
  const read: unknown[] = [];
  stream.on('readable', () => {
    for (let chunk: unknown; (chunk = stream.read()) !== null;) read.push(chunk);
  });
  /** What was read of these, each a chunk of its own. */
  const type = async (...chunks: string[]) => {
    for (const chunk of chunks) {
      stdin.write(chunk);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return read.splice(0);
  };
  const quiet = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    return read.splice(0);
  };
  return { stdin, stream, type, quiet };
}

it('keys and pastes come as they are typed, and it is the keyboard in all else', async () => {
  const { stdin, stream, type, quiet } = keyboard();
  const twice = `${begin}e${end}${begin}f${end}`;
  const all = ['y', up, `${begin}a`, 'b\r', `c${end}q`, `${begin}d${end}`, end, '\u0003', 'text\r', twice];
  expect(await type(...all)).toEqual(all);
  expect(await quiet(10 * LONG_MS)).toEqual([]);
  stream.setRawMode(true);
  expect(stdin.isRaw).toBe(true);
});

it('what terminals report as a string is no key, unless it is pasted', async () => {
  const { type } = keyboard();
  const [colour, version] = ['\u001B]11;rgb:0000/0000/0000\u0007', '\u001BP>|XTerm(390)\u001B\\'];
  expect(await type(colour, `a${version}b${colour}`, '\u001B]', 'y')).toEqual(['', 'ab', '\u001B]', 'y']);
  const pasted = [`${begin}${colour}${end}`, `${begin}a`, colour, end];
  expect(await type(...pasted)).toEqual(pasted);
});

describe('a paste right behind Esc', () => {
  const escape = '\u001B';

  it.each([
    ['as a whole', [`${begin}y${end}`]],
    ['in pieces', ['\u001B[20', '0~y', `${end}n`]],
  ])('is read when that is known to be a key: %s', async (_how, pieces) => {
    const { type, quiet } = keyboard();
    expect(await type(escape, ...pieces)).toEqual([escape]);
    expect(await quiet(59)).toEqual([]);
    expect(await quiet(1)).toEqual([pieces.join('')]);
    expect(await type('q')).toEqual(['q']);
    expect(await quiet(10 * LONG_MS)).toEqual([]);
  });

  it('is one at once when Esc was long ago, and so is what begins with Esc as a key does', async () => {
    const { type, quiet } = keyboard();
    expect(await type(escape, '[A', escape, up)).toEqual([escape, '[A', escape, up]);
    expect(await type(escape)).toEqual([escape]);
    expect(await quiet(60)).toEqual([]);
    expect(await type(`${begin}y${end}`)).toEqual([`${begin}y${end}`]);
  });
});

describe('a paste whose end is lost', () => {
  it.each([
    ['as a whole', [`${begin}text`]],
    ['with its mark in two', ['x\u001B[20', '0~text']],
    ['with half of its end', [`${begin}text\u001B[20`]],
    ['after another one', [`${begin}a${end}${begin}text`]],
    ['with a mark in it', [`${begin}text${begin}`]],
  ])('ends when nothing more of it came for long: %s', async (_how, chunks) => {
    const { type, quiet } = keyboard();
    expect(await type(...chunks)).toEqual(chunks);
    expect(await quiet(LONG_MS - 1)).toEqual([]);
    expect(await quiet(1)).toEqual([end]);
    expect(await type('q', up)).toEqual(['q', up]);
    expect(await quiet(10 * LONG_MS)).toEqual([]);
  });

  it('does not end while more of it comes', async () => {
    const { type, quiet } = keyboard();
    await type(`${begin}a`);
    for (const piece of ['b', 'c', 'd']) {
      expect(await quiet(LONG_MS - 1)).toEqual([]);
      expect(await type(piece)).toEqual([piece]);
    }
    expect(await type(`e${end}`)).toEqual([`e${end}`]);
    expect(await quiet(LONG_MS)).toEqual([]);
  });

  it('ends at once with Ctrl+C, which no text has in it', async () => {
    const { type, quiet } = keyboard();
    expect(await type(`${begin}a`, '\u0003', '\u0003', 'q')).toEqual([
      `${begin}a`,
      `${end}\u0003`,
      '\u0003',
      'q',
    ]);
    expect(await quiet(LONG_MS)).toEqual([]);
    expect(await type(`${begin}a`, '\u0003\u0003')).toEqual([`${begin}a`, `${end}\u0003\u0003`]);
  });

  it('presses no keys with what comes of it after that', async () => {
    const { type, quiet } = keyboard();
    await type(`${begin}a`);
    await quiet(LONG_MS);
    expect(await type('b\ry\r', 'yes\r', `y\r${end}\r`, 'y\r')).toEqual([
      `${begin}b\ry\r${end}`,
      `${begin}yes\r${end}`,
      `${begin}y\r${end}\r`,
      'y\r',
    ]);
  });

  it('has an end that stands alone, or a key that is pressed meanwhile', async () => {
    const { type, quiet } = keyboard();
    await type(`${begin}a`);
    await quiet(LONG_MS);
    expect(await type(end, 'y\r')).toEqual([begin + end, 'y\r']);
    await type(`${begin}a`);
    await quiet(LONG_MS);
    expect(await type('j', 'y\r')).toEqual(['j', 'y\r']);
  });
});
