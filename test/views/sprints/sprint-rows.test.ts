import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tryHold } from '../../../src/lib/files/kernel-lock.ts';
import { SprintRows } from '../../../src/views/sprints/sprint-rows.ts';
import { isRunnerAtWork, runnerLockPath } from '../../../src/workflow/project/runner-lock.ts';
import { WatchedSprints } from '../../../src/workflow/sprint/watched-sprints.ts';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { projectWithSprint, writeSprint } from '../../helpers/temp-project.ts';

/** The rows of a project with the sprint `demo`, as they were drawn once. */
async function drawnRows() {
  const place = await projectWithSprint();
  const { project } = place;
  const processes = {
    hasRunner: (stream: string) => isRunnerAtWork(project.dir, stream),
    isAlive: () => false,
  };
  const rows = new SprintRows({ project, processes, sprints: await WatchedSprints.open(project) });
  rows.overview();
  await rows.look();
  const said = () => rows.overview().rows.map(({ sprint, runs }) => `${sprint.id} ${runs.is}`);
  return { ...place, rows, said };
}

it('while nothing changes there is nothing to draw, and no row is made anew', async () => {
  const { rows } = await drawnRows();
  const [before] = rows.overview().rows;
  expect(await rows.look()).toBe(false);
  expect(rows.overview().rows[0]).toBe(before);
});

it('a row is made anew when something happened in its sprint, and no other', async () => {
  const { rows, project, root } = await drawnRows();
  await writeSprint(root, { id: 'other' });
  await rows.list();
  const before = rows.overview().rows;
  const agent = { id: 'a1', client: 'codex' };
  await ask(project, { stream: 'demo', agent, kind: 'help', question: 'Which?' });
  rows.drop('demo');
  const after = rows.overview();
  expect(after.inbox.map(({ question }) => question)).toEqual(['Which?']);
  const rowOf = (all: typeof before, id: string) => all.find(({ sprint }) => sprint.id === id);
  expect(rowOf(after.rows, 'other')).toBe(rowOf(before, 'other'));
  expect(rowOf(after.rows, 'demo')).not.toBe(rowOf(before, 'demo'));
});

it('what was asked outside of any sprint has a row as long as one of it is open', async () => {
  const { rows, project, said } = await drawnRows();
  const agent = { id: 'a1', client: 'codex' };
  const asked = (question: string) => ask(project, { stream: 'adhoc', agent, kind: 'help', question });
  const answered = (id: string) => answerRequest(project, id, { response: 'Yes', by: 'ann', via: 'cli' });
  const [first, second] = [await asked('Which?'), await asked('Why?')];
  const later = async () => {
    rows.drop('adhoc');
    return [rows.overview().inbox.map(({ question }) => question), said()];
  };
  await answered(first.id);
  expect(await later()).toEqual([['Why?'], ['demo not-started', 'adhoc outside']]);
  await answered(second.id);
  expect(await later()).toEqual([[], ['demo not-started']]);
});

it('a runner that comes or dies is noticed, of which no event tells', async () => {
  const { rows, project, said } = await drawnRows();
  expect(said()).toEqual(['demo not-started']);
  const lock = tryHold(runnerLockPath(project.dir, 'demo'));
  expect([await rows.look(), said()]).toEqual([true, ['demo running']]);
  lock?.release();
  expect([await rows.look(), said()]).toEqual([true, ['demo not-started']]);
});

it('sprints that come, change or go are noticed', async () => {
  const { rows, root, said } = await drawnRows();
  const dir = await writeSprint(root, { id: 'later', tasks: [] });
  await expect.poll(() => rows.look().then(said)).toContain('later empty');
  await rows.look();
  await writeSprint(root, { id: 'later', tasks: ['a'] });
  await expect.poll(() => rows.look().then(said)).toContain('later not-started');
  await writeFile(join(dir, 'manifest.json'), '{');
  await writeFile(join(dir, 'note.md'), '');
  await expect.poll(() => rows.look().then(() => rows.overview().problems)).toHaveLength(1);
  await rm(dir, { recursive: true });
  await expect.poll(() => rows.look().then(() => rows.overview().problems)).toEqual([]);
  expect(said()).toEqual(['demo not-started']);
});

it('a sprint whose folder is there before its manifest is noticed', async () => {
  const { rows, root, said } = await drawnRows();
  await mkdir(join(root, 'sprints', 'slow'));
  await expect.poll(() => rows.look()).toBe(true);
  await writeSprint(root, { id: 'slow' });
  expect([await rows.look(), said()]).toEqual([true, ['demo not-started', 'slow not-started']]);
});

it('two folders with the same id are said, and what was known stays', async () => {
  const { rows, root, said } = await drawnRows();
  await writeSprint(root, { id: 'twin', manifest: { id: 'demo' } });
  await rows.list();
  expect(rows.overview().problems).toEqual([expect.stringMatching(/^Cannot tell sprints apart/)]);
  expect(said()).toEqual(['demo not-started']);
});
