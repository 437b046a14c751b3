import { expect, it } from 'vitest';
import { nameOf } from '../../../src/machines/status-words.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { completeTask } from '../../../src/workflow/task/set-task-status.ts';
import { startTask } from '../../../src/workflow/task/start-task.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

const about = { stream: 'demo', taskId: 'a', agent: { id: 'editor' } };

/** A runner takes up the task. */
async function startAttempt(project: Project): Promise<void> {
  await project.dispatch('demo', (state) => {
    const sprint = state.streams.get('demo');
    const task = sprint?.tasks.get('a');
    if (!sprint || !task) throw new Error('no task a');
    return startTask(sprint, task, { by: 'runner', runId: 'run-1', checksDigest: 'those' });
  });
}

/** As it is once something has happened before what is decided first. */
function whenFirstDecided(project: Project, happen: () => Promise<void>): Project {
  let isFirst = true;
  return new Proxy(project, {
    get: (target, key: keyof Project) => {
      if (key !== 'dispatch' || !isFirst) return target[key];
      isFirst = false;
      return async (...order: Parameters<Project['dispatch']>) => {
        await happen();
        return target.dispatch(...order);
      };
    },
  });
}

it('a word that would have been refused completes no attempt that begins meanwhile, unless that is verified', async () => {
  const { project } = await projectWithSprint();
  const late = whenFirstDecided(project, () => startAttempt(project));
  const verified: unknown[] = [];
  const ending = completeTask(late, about, async (what) => {
    verified.push(what);
    throw new Error('its checks failed');
  });
  await expect(ending).rejects.toThrow('its checks failed');
  expect(verified).toEqual([{ attempt: 1, runId: 'run-1', checksDigest: 'those' }]);
  expect(nameOf(project.state.streams.get('demo')?.tasks.get('a')?.machine.value ?? '')).toBe(
    'active.starting',
  );
});
