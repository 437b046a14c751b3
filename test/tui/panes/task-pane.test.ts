import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { PaneSource } from '../../../src/tui/panes/pane.ts';
import { taskPane } from '../../../src/tui/panes/task-pane.ts';
import { paneSource } from '../../helpers/pane-source.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

it('names a file that is not there', async () => {
  const { root, project } = await projectWithSprint();
  await rm(join(root, 'sprints/demo/a.md'));
  expect(await taskPane.load(paneSource({ project }), 'a')).toMatchObject({
    empty: 'Its file is not there: sprints/demo/a.md',
  });
});

it('of the past says that the text is that of now, and of what was not planned by then nothing', async () => {
  const { root, project } = await projectWithSprint();
  await writeFile(join(root, 'sprints/demo/a.md'), '# What it says now');
  const textsAt = async (past: PaneSource['past']) => {
    const { lines, empty } = await taskPane.load(paneSource({ project, past }), 'a');
    return [empty, ...lines(80).map(({ line }) => line.spans.map(({ text }) => text).join(''))];
  };
  const sprint = project.state.streams.get('demo');
  expect(await textsAt(undefined)).toEqual(['Its file is empty', 'What it says now']);
  expect(await textsAt({ version: 1, sprint })).toEqual([
    'Its file is empty now',
    'sprints/demo/a.md, as it is now: what it said then is not recorded',
    '',
    'What it says now',
  ]);
  expect(await textsAt({ version: 0, sprint: undefined })).toEqual(['It was not planned yet']);
});

it('of the past has nothing above a file that is empty now', async () => {
  const { root, project } = await projectWithSprint();
  await writeFile(join(root, 'sprints/demo/a.md'), '');
  const past = { version: 1, sprint: project.state.streams.get('demo') };
  const { lines, empty } = await taskPane.load(paneSource({ project, past }), 'a');
  expect([empty, lines(80)]).toEqual(['Its file is empty now', []]);
});

it('names a file that is too long for it by its path in the project', async () => {
  const { root, project } = await projectWithSprint();
  await writeFile(join(root, 'sprints/demo/a.md'), 'x\n'.repeat(500_001));
  const { lines } = await taskPane.load(paneSource({ project }), 'a');
  const last = lines(80)
    .at(-1)
    ?.line.spans.map(({ text }) => text);
  expect(last?.join('')).toBe('[cut after 1000000 of 1000002 bytes: read sprints/demo/a.md]');
});
