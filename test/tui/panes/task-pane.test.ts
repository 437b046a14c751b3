import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { taskPane } from '../../../src/tui/panes/task-pane.ts';
import { LineNumbers } from '../../../src/tui/text/line-numbers.ts';
import { TracksOfNow } from '../../../src/workflow/history/task-tracks.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { PastOutput } from '../../../src/workflow/transcripts/past-output.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

/** What the pane shows of the task. */
async function loaded(project: Project) {
  const source = {
    project,
    stream: 'demo',
    events: { read: () => Promise.resolve([]) },
    tracks: new TracksOfNow(project.log, 'demo'),
    output: new PastOutput(project.dir),
    numbers: new LineNumbers(),
    past: undefined,
  };
  return taskPane.load(source, 'a');
}

it('names a file that is not there', async () => {
  const { root, project } = await projectWithSprint();
  await rm(join(root, 'sprints/demo/a.md'));
  expect(await loaded(project)).toMatchObject({ empty: 'Its file is not there: sprints/demo/a.md' });
});

it('names a file that is too long for it by its path in the project', async () => {
  const { root, project } = await projectWithSprint();
  await writeFile(join(root, 'sprints/demo/a.md'), 'x\n'.repeat(500_001));
  const { lines } = await loaded(project);
  const last = lines(80)
    .at(-1)
    ?.line.spans.map(({ text }) => text);
  expect(last?.join('')).toBe('[cut after 1000000 of 1000002 bytes: read sprints/demo/a.md]');
});
