import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import type { CliPlace } from '../../src/cli/cli.ts';
import { main } from '../../src/cli/main.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';

/** What a command prints on a terminal, or into a pipe, of this environment. */
async function printed(root: string, argv: string[], isTTY: boolean, env: Record<string, string>) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  for (const stream of [stdin, stdout, stderr]) Object.assign(stream, { isTTY });
  const place = { stdin, stdout, stderr, env: { ...env, USER: 'ada', NO_COLOR: '1' }, cwd: () => root };
  expect(await main(argv, place as unknown as CliPlace)).toBe(0);
  return stripVTControlCharacters(String(stdout.read() ?? ''));
}

it('print-outs are of ASCII on a terminal that shows nothing else, or where that is wished, and as they are in a pipe', async () => {
  const { root, project } = await projectWithSprint({ manifest: { name: 'Größe' } });
  await project.dispatch('demo', () => [
    { type: 'sprint.started', subject: 'demo', data: { runner: 'test', maxAttempts: 1 } },
    { type: 'task.started', subject: 'demo/a', data: { attempt: 1, by: 'Größe' } },
  ]);
  const status = (isTTY: boolean, env: Record<string, string>) => printed(root, ['status'], isTTY, env);
  expect(await status(true, { LANG: 'C.UTF-8' })).toMatch(/Größe[^]*● a [^]*○ b /);
  expect(await status(true, { LANG: 'C' })).toMatch(/Gro\?e[^]*\* a [^]*o b /);
  expect(await status(true, { LANG: 'C.UTF-8', CLIFFORD_ASCII: '1' })).toMatch(/Größe[^]*\* a [^]*o b /);
  // A program reads it.
  expect(await status(false, { LANG: 'C' })).toMatch(/Größe[^]*● a [^]*○ b /);
  for (const argv of [
    ['replay', '--plain'],
    ['replay', '--changes-since', '1'],
    ['replay', '--summary'],
  ])
    expect(await printed(root, argv, true, { LANG: 'C' })).toMatch(/^[\n -~]+$/);
});
