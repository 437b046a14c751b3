import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { findRequest } from '../../src/workflow/requests/find-request.ts';
import { processesOf } from '../helpers/project-processes.ts';
import { agentCmd, eventsOf, freshSprint, recorded, startRun, taskBecomes } from '../helpers/sprint-run.ts';

const server = join(import.meta.dirname, '../../dist/mcp-entry.js');

it('an agent that cannot go on with its session is parked where that is said for it, and the next one is told the answer', async () => {
  const { root, project } = await freshSprint();
  const env = { LATE_SERVER: server, LATE_WAY: 'stay' };
  const late = { command: agentCmd('late-asker'), env, parkAfter: 0.005 };
  await writeFile(join(root, 'clifford.json'), JSON.stringify({ agent: 'late', agents: { late } }));
  const { ended } = startRun(root, {});
  await taskBecomes(project, 'blocked.question');
  await recorded(project, 'agent.parked');
  await recorded(project, 'agent.exited');
  expect(await processesOf(root, '')).toEqual([]);
  const { id } = findRequest(await project.refresh(), 'last');
  await answerRequest(project, id, { response: '8080', by: 'me', via: 'cli' });
  expect(await ended).toMatchObject({ outcome: 'completed' });
  expect(JSON.parse(await readFile(join(root, 'received.jsonl'), 'utf8'))).toEqual({
    previousQuestion: 'Which port?',
    humanResponse: '8080',
  });
  const events = await eventsOf(project);
  const resumed = events.filter(({ type }) => type === 'agent.resumed');
  expect(resumed.map(({ data }) => data)).toEqual([
    { runId: expect.any(String), parkedMs: expect.any(Number) },
  ]);
  expect(events.filter(({ type }) => type === 'help.requested')).toHaveLength(1);
  expect(events.filter(({ type }) => type === 'help.delivered')).toHaveLength(1);
  expect(events.filter(({ type }) => type === 'task.retried')).toEqual([]);
});
