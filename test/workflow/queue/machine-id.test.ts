import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { machineId } from '../../../src/workflow/queue/machine-id.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

const stateHome = async () => ({ XDG_STATE_HOME: await tempRoot() });

it('is made once, also by workers that are started at once, and kept', async () => {
  const env = await stateHome();
  const all = await Promise.all(Array.from({ length: 5 }, () => machineId(env)));
  expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  expect(all[0]).toEqual({ id: expect.stringMatching(/^[\da-f]{64}$/) });
  expect(await machineId(env)).toEqual(all[0]);
});

it('is another one in each state folder, as containers of one host have them', async () => {
  const [one, other] = await Promise.all([machineId(await stateHome()), machineId(await stateHome())]);
  expect(one.id).not.toBe(other.id);
});

it('is another one on each machine that has the same home', async () => {
  const env = await stateHome();
  const [one, other] = [await machineId(env, 'one'), await machineId(env, 'other')];
  expect(one.id).not.toBe(other.id);
});

it('is that of the boot where nothing can be kept, and says so', async () => {
  const none = await machineId({});
  expect(none).toEqual({
    id: expect.stringMatching(/^[\da-f]{64}$/),
    problem: 'neither HOME nor XDG_STATE_HOME is set',
  });
  const file = join(await tempRoot(), 'file');
  await writeFile(file, '');
  const closed = await machineId({ XDG_STATE_HOME: file });
  expect(closed).toEqual({ id: none.id, problem: expect.stringContaining(file) });
});

it('leaves a file alone that is not as it was written', async () => {
  const env = await stateHome();
  await machineId(env);
  const file = join(env.XDG_STATE_HOME, 'clifford/machine-id.json');
  await writeFile(file, 'by hand');
  expect((await machineId(env)).problem).toBe(`${file} cannot be read: it is not what Clifford writes`);
  expect(await readFile(file, 'utf8')).toBe('by hand');
});
