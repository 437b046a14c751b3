import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AgentContext } from '../../../src/workflow/project/agent.ts';
import { homeStream, streamUnderWay } from '../../../src/workflow/sprint/home-stream.ts';
import { openSprint } from '../../../src/workflow/sprint/open-sprint.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { setTaskStatus } from '../../../src/workflow/task/set-task-status.ts';
import { projectWithSprint, writeSprint } from '../../helpers/temp-project.ts';

const agent = { id: 'session-1', client: 'opencode' };
const nothingKnown = (): AgentContext => ({
  env: {},
  report: () => undefined,
  lastStream: undefined,
  ownTask: undefined,
});

it('an agent that names no sprint means the only one, also when all of its tasks wait for a human', async () => {
  const { project, stream } = await projectWithSprint({ tasks: ['a'] });
  expect(await homeStream(project, agent, nothingKnown())).toBe('adhoc');
  await ask(project, { stream, agent, kind: 'help', task: 'a', question: 'Which?' });
  expect(await homeStream(project, agent, nothingKnown())).toBe(stream);
});

it('an active sprint is meant before one that waits for a human, by agents and by files alike', async () => {
  const { root, project, stream } = await projectWithSprint({ tasks: ['a'] });
  await ask(project, { stream, agent, kind: 'help', task: 'a', question: 'Which?' });
  const dir = await writeSprint(root, { id: 'next' });
  await openSprint(project, dir);
  await setTaskStatus(project, { stream: 'next', taskId: 'a', status: 'active', agent });
  expect(await homeStream(project, agent, nothingKnown())).toBe('next');
  expect(streamUnderWay(project.state)).toBe('next');
});

it('a sprint whose folder was moved is the same one, and two folders of one id are none', async () => {
  const { root, dir, project } = await projectWithSprint();
  await rename(dir, join(root, 'sprints', 'moved'));
  expect((await openSprint(project, 'sprints/moved')).stream).toBe('demo');
  await writeSprint(root);
  await expect(openSprint(project, 'sprints/moved')).rejects.toMatchObject({
    code: 'SPRINT_AMBIGUOUS',
    message: `Cannot tell sprints apart: ${dir} and ${join(root, 'sprints', 'moved')} both have id demo`,
  });
});
