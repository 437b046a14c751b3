import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventsOf, freshSprint, startRun, taskBecomes } from '../../helpers/sprint-run.ts';
import { untilLogged } from '../../mcp/support/project-log.ts';
import { sendNote } from '../../../src/workflow/notes/send-note.ts';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { openSprint } from '../../../src/workflow/sprint/open-sprint.ts';
import { findRequest } from '../../../src/workflow/requests/find-request.ts';
import { acpSprint, completeByTool, done, human, ofType } from '../support/acp-sprint.ts';

const note = (project: Project) =>
  sendNote(project, { stream: 'demo', taskId: 'a', text: 'Leave the API as it is', ...human });
const deliveries = async (project: Project) =>
  ofType(await eventsOf(project), 'note.delivered').map(({ data: { way } }) => way);

it('is said into the turn of an agent that can be steered, once', async () => {
  const { root, project } = await acpSprint([{ steerable: 'waits' }]);
  const { ended } = startRun(root, {});
  await untilLogged(project, 'agent.started');
  await note(project);
  expect(await ended).toEqual(done);
  const steers = (await readFile(join(root, 'acp-steers.jsonl'), 'utf8')).trim().split('\n');
  expect(steers).toEqual([expect.stringContaining('Leave the API as it is')]);
  expect(await deliveries(project)).toEqual(['steering']);
});

it('is told by no server that the agent starts while it is being said into its turn', async () => {
  const { root, project } = await acpSprint([
    { steerable: 'called' },
    { awaits: 'go' },
    { tool: 'get_sprint_context', args: { sprintDir: 'sprints/demo' } },
    completeByTool,
    completeByTool,
  ]);
  const { ended } = startRun(root, {});
  await untilLogged(project, 'agent.started');
  await note(project);
  await untilLogged(project, 'note.taken');
  await writeFile(join(root, 'go'), '');
  expect(await ended).toEqual(done);
  expect(await deliveries(project)).toEqual(['steering']);
  expect(await readFile(join(root, 'acp-results.jsonl'), 'utf8')).not.toContain('the API');
});

it('begins a turn of its own with an agent that cannot be, when its turn is over', async () => {
  const { root, project, prompts } = await acpSprint([{ awaits: 'go' }, { ends: true }]);
  const { ended } = startRun(root, {});
  await untilLogged(project, 'agent.started');
  await note(project);
  await writeFile(join(root, 'go'), '');
  expect(await ended).toEqual(done);
  const [, second, ...more] = await prompts();
  expect(second).toContain('Leave the API as it is');
  expect(more).toEqual([]);
  expect(await deliveries(project)).toEqual(['turn']);
});

it('so does what an agent did not take into its turn', async () => {
  const { root, project, prompts } = await acpSprint([
    { steerable: 'refuses' },
    { awaits: 'go' },
    { ends: true },
  ]);
  const { ended } = startRun(root, {});
  await untilLogged(project, 'agent.started');
  await note(project);
  await untilLogged(project, 'note.returned');
  await writeFile(join(root, 'go'), '');
  expect(await ended).toEqual(done);
  expect((await prompts())[1]).toContain('Leave the API as it is');
  expect(await deliveries(project)).toEqual(['turn']);
});

it('so does what it has not answered by then', async () => {
  const { root, project, prompts } = await acpSprint([
    { steerable: 'silent' },
    { awaits: 'go' },
    { ends: true },
  ]);
  const { ended } = startRun(root, {});
  await untilLogged(project, 'agent.started');
  await note(project);
  await untilLogged(project, 'note.taken');
  await writeFile(join(root, 'go'), '');
  expect(await ended).toEqual(done);
  expect((await prompts())[1]).toContain('Leave the API as it is');
  expect(await deliveries(project)).toEqual(['turn']);
});

it('is heard before the task is completed where the agent did not take it into its turn', async () => {
  const { root, project } = await acpSprint([
    { steerable: 'over' },
    { awaits: 'go' },
    completeByTool,
    completeByTool,
  ]);
  const { ended } = startRun(root, {});
  await untilLogged(project, 'agent.started');
  await note(project);
  await untilLogged(project, 'note.returned');
  await writeFile(join(root, 'go'), '');
  expect(await ended).toEqual(done);
  expect(await deliveries(project)).toEqual(['call']);
  expect(ofType(await eventsOf(project), 'note.taken')).toHaveLength(2);
});

it('waits while the agent waits for an answer, which stays the answer', async () => {
  const { root, project } = await acpSprint([
    { steerable: 'yes' },
    { tool: 'request_help', args: { task: 'a', reason: 'r', question: 'Which port?' } },
  ]);
  const { ended } = startRun(root, {});
  await taskBecomes(project, 'blocked.question');
  await note(project);
  const request = findRequest(await project.refresh(), 'last');
  expect(request.phase).toBe('open');
  expect(ofType(await eventsOf(project), 'note.taken')).toEqual([]);
  await answerRequest(project, request.id, { response: '8080', ...human });
  expect(await ended).toEqual(done);
  expect(await deliveries(project)).toHaveLength(1);
});

it('stands in the prompt of an agent that has no tools of ours', async () => {
  const { root, project, dir } = await freshSprint({
    manifest: { done: 'exit-0', verify: ['grep -q "the API" prompt'] },
  });
  await openSprint(project, dir);
  await note(project);
  expect(await startRun(root, { agentCmd: `sh -c 'cat > prompt'` }).ended).toEqual(done);
  expect(await deliveries(project)).toEqual(['prompt']);
});

it('of which nobody knows whether the agent had it is said to the next one', async () => {
  const { root, project } = await acpSprint([{ steerable: 'yes' }, { awaits: 'go' }]);
  await openSprint(project, join(root, 'sprints/demo'));
  await project.dispatch('demo', () => [
    { type: 'sprint.started', subject: 'demo', data: { runner: 'gone', maxAttempts: 2 } },
    { type: 'task.started', subject: 'demo/a', data: { attempt: 1, by: 'gone', runId: 'run-gone' } },
  ]);
  const { id: noteId } = await note(project);
  await project.record('demo', [
    { type: 'note.taken', subject: 'demo/a', data: { noteId, to: 'run-gone', way: 'steering' } },
  ]);
  const { ended } = startRun(root, {});
  await untilLogged(project, 'note.delivered');
  await writeFile(join(root, 'go'), '');
  expect(await ended).toEqual(done);
  expect(await deliveries(project)).toEqual(['steering']);
});
