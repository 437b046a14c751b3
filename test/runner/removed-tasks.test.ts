import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nameOf } from '../../src/machines/status-words.ts';
import { agentHere } from '../helpers/agent-here.ts';
import { agentCmd, eventsOf, freshSprint, startRun } from '../helpers/sprint-run.ts';
import { writeSprint } from '../helpers/temp-project.ts';

const skipped = { by: 'manifest', reason: 'sprints/demo/manifest.json no longer has it' };

/** Which tasks were started and which were skipped, in order. */
async function fates(project: Parameters<typeof eventsOf>[0]): Promise<string[]> {
  return (await eventsOf(project))
    .filter(({ type }) => type === 'task.started' || type === 'task.skipped')
    .map(({ type, subject }) => `${type} ${subject}`);
}

it('a task that was taken out of the manifest between two runs is skipped, and not run', async () => {
  const { root, project } = await freshSprint({ tasks: ['a', 'b', 'c'] });
  await startRun(root, { agentCmd: agentCmd('give-up'), failFast: true }).ended;
  expect(await fates(project)).toEqual(['task.started demo/a']);

  // The failed one, too: a run makes those pending again.
  await writeSprint(root, { tasks: ['c'] });
  const { runner, ended } = startRun(root, { agentCmd: agentHere('complete') });
  const notes: string[] = [];
  runner.on('problem', (note) => notes.push(note));
  expect(await ended).toMatchObject({ outcome: 'completed' });
  expect(await fates(project)).toEqual([
    'task.started demo/a',
    'task.skipped demo/a',
    'task.skipped demo/b',
    'task.started demo/c',
  ]);
  const events = await eventsOf(project);
  expect(events.find(({ type }) => type === 'task.skipped')?.data).toEqual(skipped);
  expect(notes).toEqual([
    'sprints/demo/manifest.json has no task a any more: it will be skipped',
    'sprints/demo/manifest.json has no task b any more: it will be skipped',
  ]);
});

it('a task that is taken out while another is worked on is not run', async () => {
  const { root, project } = await freshSprint({ tasks: ['a', 'b', 'c'] });
  const entries = ['a', 'c'].map((id) => ({ id, file: `${id}.md` }));
  const manifest = JSON.stringify({ id: 'demo', tasks: entries });
  const plan = join(root, 'plan.json');
  await writeFile(plan, JSON.stringify({ a: { 'sprints/demo/manifest.json': manifest } }));
  const { ended } = startRun(root, { agentCmd: agentHere('change-files', plan) });
  expect(await ended).toMatchObject({ outcome: 'completed' });
  expect(await fates(project)).toEqual(['task.started demo/a', 'task.skipped demo/b', 'task.started demo/c']);
});

it('a manifest that cannot be read takes no task out', async () => {
  const { root, project } = await freshSprint({ tasks: ['a', 'b'] });
  const plan = join(root, 'plan.json');
  await writeFile(plan, JSON.stringify({ a: { 'sprints/demo/manifest.json': '{' } }));
  await startRun(root, { agentCmd: agentHere('change-files', plan) }).ended;
  const tasks = (await project.refresh()).streams.get('demo')?.tasks.values() ?? [];
  expect([...tasks].map(({ machine }) => nameOf(machine.value))).not.toContain('done.skipped');
});
