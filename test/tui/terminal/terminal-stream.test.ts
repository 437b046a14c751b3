import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { releaseScreen, terminalStream } from '../../../src/tui/terminal/terminal-stream.ts';

const enter = '\u001B[?1049h';
const leave = '\u001B[?1049l';

function terminal() {
  const stdout = new PassThrough() as unknown as NodeJS.WriteStream;
  const written = () => String(stdout.read() ?? '');
  return { stdout, written };
}

it('changes what is written, and is the terminal in all else', () => {
  const { stdout, written } = terminal();
  stdout.columns = 77;
  const { stream } = terminalStream(stdout, (text) => text.toUpperCase());
  stream.write('abc');
  expect(written()).toBe('ABC');
  expect(stream.columns).toBe(77);
  const listener = () => undefined;
  stream.on('resize', listener);
  expect(stdout.listeners('resize')).toEqual([listener]);
});

it('stays on the screen of programs between two screens, the first of which was told to hold it', () => {
  const { stdout, written } = terminal();
  const first = terminalStream(stdout);
  first.stream.write(enter);
  first.hold();
  first.stream.write(leave);
  const second = terminalStream(stdout);
  second.stream.write(enter);
  second.stream.write(leave);
  expect(written()).toBe(`${enter}\u001B[2J\u001B[H${leave}`);
});

it('gives back what is held, once', () => {
  const { stdout, written } = terminal();
  const { stream, hold } = terminalStream(stdout);
  hold();
  stream.write(leave);
  releaseScreen(stdout);
  releaseScreen(stdout);
  expect(written()).toBe(`${leave}\u001B[?25h`);
});

it('gives back what is held as the screen would have left it', () => {
  const { stdout, written } = terminal();
  const { stream, hold } = terminalStream(stdout, (text) => text.replace(leave, `mouse off${leave}`));
  hold();
  stream.write(leave);
  releaseScreen(stdout);
  expect(written()).toBe(`mouse off${leave}\u001B[?25h`);
});
