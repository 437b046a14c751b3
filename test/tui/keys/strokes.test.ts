import { render, Text, useInput } from 'ink';
import { createElement } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { areLines, readStrokes } from '../../../src/tui/keys/strokes.ts';
import type { Stroke } from '../../../src/tui/keys/strokes.ts';
import { FakeStdin, FakeStdout } from '../../helpers/fake-terminal.ts';

let unmount = () => {};
afterEach(() => unmount());

/** What Ink makes of these bytes, read by us. */
async function strokesOf(bytes: string): Promise<Stroke[]> {
  const stdin = new FakeStdin();
  const seen: Stroke[] = [];
  const Reader = () => {
    useInput((input, key) => {
      seen.push(...readStrokes(input, key));
    });
    return createElement(Text, null, 'ready');
  };
  const stdout = new FakeStdout(80, 24);
  ({ unmount } = render(createElement(Reader), {
    stdin,
    stdout,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  }));
  await vi.waitFor(() => expect(stdin.isRaw).toBe(true), { timeout: 10_000 });
  stdin.write(bytes);
  await vi.waitFor(() => expect(seen.length).toBeGreaterThan(0), { timeout: 10_000 });
  return seen;
}

describe('readStrokes', () => {
  it.each<[string, string, Stroke[]]>([
    ['text and Enter in one chunk', 'yo\r', [{ text: 'y' }, { text: 'o' }, { key: 'enter' }]],
    ['an emoji as one stroke', '👨‍👩‍👧', [{ text: '👨‍👩‍👧' }]],
    ['Enter', '\r', [{ key: 'enter' }]],
    ['CR LF in a chunk', 'a\r\n', [{ text: 'a' }, { key: 'enter' }]],
    ['Ctrl+J', '\n', [{ key: 'ctrl+j' }]],
    ['Alt+Enter', '\u001B\r', [{ key: 'alt+enter' }]],
    ['Escape', '\u001B', [{ key: 'escape' }]],
    ['Tab and Shift+Tab', '\t\u001B[Z', [{ key: 'tab' }, { key: 'shift+tab' }]],
    ['a control key inside a chunk', 'a\u0015b', [{ text: 'a' }, { key: 'ctrl+u' }, { text: 'b' }]],
    ['Ctrl+X', '\u0018', [{ key: 'ctrl+x' }]],
    ['Ctrl+C', 'a\u0003', [{ text: 'a' }, { key: 'ctrl+c' }]],
    ['Backspace and Delete', '\u007F\u001B[3~', [{ key: 'backspace' }, { key: 'delete' }]],
    ['two arrows', '\u001B[A\u001B[B', [{ key: 'up' }, { key: 'down' }]],
    ['Ctrl+Right', '\u001B[1;5C', [{ key: 'ctrl+right' }]],
    ['Alt+B', '\u001Bb', [{ key: 'alt+b' }]],
    ['pages', '\u001B[5~\u001B[6~', [{ key: 'pageup' }, { key: 'pagedown' }]],
    ['a capital letter', 'G', [{ text: 'G' }]],
  ])('%s', async (_what, bytes, strokes) => {
    expect(await strokesOf(bytes)).toEqual(strokes);
  });
});

it.each([
  ['y\r', true],
  ['a\tb\rc', true],
  ['\ry', true],
  ['\r\n', false],
  ['yes', false],
  ['a\u001Ab\r', false],
])('whether %j is of several lines, which are a text where one is typed: %s', async (bytes, isText) => {
  expect(areLines(await strokesOf(bytes))).toBe(isText);
});
