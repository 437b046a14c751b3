import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { screenFor, screenOptionsIn } from '../../src/cli/input/screen-options.ts';
import type { Cli } from '../../src/cli/cli.ts';
import { clifford } from '../helpers/clifford-process.ts';
import { tempRoot } from '../helpers/temp-project.ts';

function at(env: Record<string, string>, isTTY = true) {
  const hints: string[] = [];
  const stream = { isTTY };
  const cli = { env, cwd: tmpdir(), stdin: stream, stdout: stream, hint: (line: string) => hints.push(line) };
  return { cli: cli as unknown as Cli, hints };
}

it.each([
  [{ TERM: 'xterm' }, {}, true],
  [{ TERM: 'xterm' }, { plain: true }, false],
  [{ TERM: 'xterm', CI: '1' }, {}, false],
  [{ TERM: 'dumb' }, { plain: true }, false],
] as const)('a screen is drawn with %j and %j: %s', async (env, options, isDrawn) => {
  const { cli, hints } = at(env);
  expect((await screenFor(cli, options)) !== undefined).toBe(isDrawn);
  expect(hints).toEqual([]);
});

it('is told of in a line where the terminal cannot show one, and a person sits there', async () => {
  const { cli, hints } = at({ TERM: 'dumb' });
  expect(await screenFor(cli, {})).toBeUndefined();
  expect(hints).toEqual(['no screen on this terminal (TERM=dumb): it is printed line by line']);
  const piped = at({ TERM: 'dumb' }, false);
  expect(await screenFor(piped.cli, {})).toBeUndefined();
  expect(piped.hints).toEqual([]);
});

it('takes its look from the configuration, where nothing is closer at hand', async () => {
  const root = await tempRoot();
  const own = join(root, 'own.json');
  await writeFile(join(root, 'clifford.json'), '{ "screen": { "theme": "light" } }');
  await writeFile(
    own,
    '{ "screen": { "theme": "dark", "ascii": true, "reducedMotion": true, "mouse": true } }',
  );
  const looks = (env: Record<string, string>) => {
    const { cli } = at({ CLIFFORD_PROJECT_ROOT: root, CLIFFORD_CONFIG: own, ...env });
    return screenFor(cli, {});
  };
  const configured = { theme: 'light', diff: 'words', ascii: 'signs', isStill: true, hasMouse: true };
  expect(await looks({ LANG: 'C.UTF-8' })).toEqual(configured);
  expect(await looks({ LANG: 'C' })).toEqual({ ...configured, ascii: 'all' });
  const off = { CLIFFORD_ASCII: '0', CLIFFORD_REDUCED_MOTION: '0', CLIFFORD_MOUSE: 'no' };
  expect(await looks({ ...off, CLIFFORD_THEME: 'dark', LANG: 'C' })).toEqual({
    theme: 'dark',
    diff: 'words',
    ascii: undefined,
    isStill: false,
    hasMouse: false,
  });
});

it('takes its look from the command line', async () => {
  const { cli } = at({ CLIFFORD_THEME: 'dark' });
  expect(await screenFor(cli, { theme: 'light', mouse: true })).toMatchObject({
    theme: 'light',
    hasMouse: true,
  });
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
