import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { screenFor, screenOptionsIn } from '../../src/cli/input/screen-options.ts';
import type { Cli } from '../../src/cli/cli.ts';
import { clifford } from '../helpers/clifford-process.ts';

function at(env: Record<string, string>, isTTY = true) {
  const hints: string[] = [];
  const stream = { isTTY };
  const cli = { env, stdin: stream, stdout: stream, hint: (line: string) => hints.push(line) };
  return { cli: cli as unknown as Cli, hints };
}

it.each([
  [{ TERM: 'xterm' }, {}, true],
  [{ TERM: 'xterm' }, { plain: true }, false],
  [{ TERM: 'xterm', CI: '1' }, {}, false],
  [{ TERM: 'dumb' }, { plain: true }, false],
] as const)('a screen is drawn with %j and %j: %s', (env, options, isDrawn) => {
  const { cli, hints } = at(env);
  expect(screenFor(cli, options) !== undefined).toBe(isDrawn);
  expect(hints).toEqual([]);
});

it('is told of in a line where the terminal cannot show one, and a person sits there', () => {
  const { cli, hints } = at({ TERM: 'dumb' });
  expect(screenFor(cli, {})).toBeUndefined();
  expect(hints).toEqual(['no screen on this terminal (TERM=dumb): it is printed line by line']);
  const piped = at({ TERM: 'dumb' }, false);
  expect(screenFor(piped.cli, {})).toBeUndefined();
  expect(piped.hints).toEqual([]);
});

it('takes its look from the command line', () => {
  const { cli } = at({ CLIFFORD_THEME: 'dark' });
  expect(screenFor(cli, { theme: 'light' })).toMatchObject({ theme: 'light' });
});

it.each([
  [[], {}],
  [['--debug'], {}],
  [['--plain'], { plain: true }],
  [['--theme', 'dark'], { theme: 'dark' }],
  [['--theme=none'], { theme: 'none' }],
  [['--mouse', '--theme=none'], { theme: 'none', mouse: true }],
  [['--json'], undefined],
  [['status'], undefined],
])('clifford %j is about its screen: %j', (argv, options) => {
  expect(screenOptionsIn(argv)).toEqual(options);
});

it.each([
  [['--theme', 'pink'], 'Cannot take pink for --theme <theme>: it has to be one of auto, dark, light, none'],
  [['--theme=pink', '--plain'], 'Cannot take pink for'],
  [['--theme'], 'Cannot take "" for --theme <theme>'],
])('clifford %j names the themes that there are', async (argv, text) => {
  const { code, err } = await clifford(argv, { cwd: tmpdir() });
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(text) });
});
