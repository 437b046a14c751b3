import { expect, it } from 'vitest';
import { startForHandshake } from '../../../src/cli/doctor/program-handshake.ts';

/** What a program says that does this, line by line, and how it ends. */
async function hear(code: string): Promise<{ lines: string[]; ended: string }> {
  const lines: string[] = [];
  const program = await startForHandshake({
    file: process.execPath,
    args: ['-e', code],
    cwd: '/',
    env: {},
    onLine: (line) => lines.push(line),
  });
  const ended = await program.ended;
  await program.end();
  return { lines, ended };
}

it.each([
  [
    'process.stdout.write("one\\ntwo"); process.exitCode = 3',
    ['one', 'two'],
    'it ended with exit code 3: one | two',
  ],
  ['process.stdout.write("one\\r\\ntwo\\r")', ['one', 'two'], 'it ended with exit code 0: one | two'],
  ['process.stderr.write("no key"); process.exitCode = 1', [], 'it ended with exit code 1: no key'],
  // Half of a character at the end.
  [
    'process.stdout.write(Buffer.from([0x61, 0xe2, 0x82]))',
    ['a\uFFFD'],
    'it ended with exit code 0: a\uFFFD',
  ],
])('a last line without its end is heard: %s', async (code, lines, ended) => {
  expect(await hear(code)).toEqual({ lines, ended });
});

it('a last line without its end may be long', async () => {
  const { lines } = await hear('process.stdout.write("x".repeat(300_000))');
  expect(lines.map(({ length }) => length)).toEqual([300_000]);
});

it('what a program has crashed of is its message, not the end of its stack', async () => {
  const { ended } = await hear('throw new Error("no config")');
  expect(ended).toBe('it ended with exit code 1: Error: no config');
});
