import { expect, it } from 'vitest';
import { join } from 'node:path';
import { readdirSync } from 'node:fs';
import type { Project } from '../../src/workflow/project/project.ts';
import { isRunHere, noteClaim, noteRun } from '../../src/workflow/worktree/worktree-claims.ts';
import { sweepNotes } from '../../src/workflow/worktree/sweep-notes.ts';
import { agentHere } from '../helpers/agent-here.ts';
import { on } from '../helpers/history.ts';
import { killedBefore } from '../helpers/killed-project.ts';
import { freshSprint, startRun } from '../helpers/sprint-run.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';

it('an attempt is noted as of this folder until the log names the next one', async () => {
  const { root, project } = await freshSprint();
  const killed = await killedBefore('agent.started', root);
  const run = (options: { project?: Project } = {}) =>
    startRun(root, { agentCmd: agentHere('crash-once'), sprint: 'demo', ...options }).ended;
  expect((await run()).outcome).toBe('failed');
  await expect(run({ project: killed })).rejects.toThrow('killed');
  const last = (await project.refresh()).streams.get('demo')?.tasks.get('a')?.agent;
  expect(last?.attempt).toBe(1);
  expect(isRunHere(project, last?.runId ?? '')).toBe(true);
  expect((await run()).outcome).toBe('completed');
  // Nothing of it is to be found any more: neither of the first one, nor of the one that was killed, nor of the last.
  expect(readdirSync(join(project.dir, 'claims'))).toEqual([]);
});

it.each([
  ['a sprint', (of: string) => [of]],
  ['all sprints', () => []],
] as const)(
  'of the notes of %s those go that by the log are over, and none of which it knows nothing',
  async (_, streamsOf) => {
    const { project, stream } = await projectWithSprint();
    const claims = [await noteClaim(project), await noteClaim(project), await noteClaim(project)];
    await noteRun(project, 'run-1');
    await noteRun(project, 'run-2');
    await noteRun(project, 'run-3');
    await noteRun(project, 'run-of-another-log');
    const [before = '', remade = '', current = ''] = claims;
    await project.record(stream, [
      on(stream, 'sprint.started'),
      { ...on(`${stream}/a`, 'worktree.claimed'), id: before },
      { ...on(`${stream}/a`, 'worktree.remade'), id: remade },
      { ...on(`${stream}/a`, 'worktree.claimed'), id: current },
      on(`${stream}/a`, 'task.started', { attempt: 1, runId: 'run-1' }),
      on(`${stream}/a`, 'task.failed', { runId: 'run-1' }),
      on(`${stream}/a`, 'task.reset'),
      on(`${stream}/a`, 'task.started', { attempt: 2, runId: 'run-2' }),
      on(`${stream}/a`, 'agent.started', { attempt: 2, runId: 'run-2' }),
      on(`${stream}/a`, 'task.failed', { runId: 'run-2' }),
      on(`${stream}/a`, 'task.reset'),
      on(`${stream}/a`, 'task.started', { attempt: 3, runId: 'run-3' }),
    ]);
    await sweepNotes(project, ...streamsOf(stream));
    const left = [before, remade, current, 'run-1', 'run-2', 'run-3', 'run-of-another-log'];
    expect(left.filter((id) => isRunHere(project, id))).toEqual([
      current,
      'run-2',
      'run-3',
      'run-of-another-log',
    ]);
  },
);

it('no note of another sprint goes', async () => {
  const { project, stream } = await projectWithSprint();
  await noteRun(project, 'run-of-other');
  await project.record('other', [
    on('other', 'sprint.created'),
    on('other', 'sprint.started'),
    on('other/a', 'task.started', { attempt: 1, runId: 'run-of-other' }),
  ]);

  await sweepNotes(project, stream);
  expect(isRunHere(project, 'run-of-other')).toBe(true);
});
