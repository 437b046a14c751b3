import { describe, expect, it, vi } from 'vitest';
import { Waiters } from '../../src/gateway/wait/waiters.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { openRequests } from '../../src/workflow/requests/find-request.ts';
import { openTestProject, projectWithSprint, tempRoot } from '../helpers/temp-project.ts';
import { callWith, progressLog } from './support/call-with.ts';
import { connectAgent } from './support/connect-agent.ts';
import { startServer } from './support/mcp-process.ts';
import { eventsOf, untilAsked, untilLogged, untilOpen } from './support/project-log.ts';

const human = { by: 'ann', via: 'cli' };
const which = { task: 'a', reason: 'two ways', question: 'Which colour?' };

describe('the log', () => {
  it('says that another agent waits for an open question, too', async () => {
    const { root, project } = await projectWithSprint();
    const first = (await connectAgent(root)).text('request_help', which);
    const { id, asked } = await untilAsked(project);
    const second = (await connectAgent(root)).text('request_help', { ...which, requestId: id });
    const [attached] = await untilLogged(project, 'help.attached');
    expect(attached?.data.requestId).toBe(id);
    expect(attached?.data.agent).not.toBe(asked.origin.agent);
    await answerRequest(project, id, { ...human, response: 'blue' });
    expect(await Promise.all([first, second])).toEqual(['blue', 'blue']);
  });

  it('says that nobody waits when the last of several calls for one question has ended', async () => {
    const { root, project } = await projectWithSprint();
    const { call } = await connectAgent(root);
    const cancels = [new AbortController(), new AbortController(), new AbortController()];
    const calls = cancels.map(({ signal }) => call('request_help', which, signal));
    const { id } = await untilAsked(project);
    await untilLogged(project, 'tool.requested', 3);
    const ends = Promise.allSettled(calls);
    cancels[0]?.abort('one');
    await untilLogged(project, 'tool.failed', 1);
    cancels[1]?.abort('two');
    await untilLogged(project, 'tool.failed', 2);
    expect(await eventsOf(project, 'help.detached')).toEqual([]);
    cancels[2]?.abort('three');
    const [detached] = await untilLogged(project, 'help.detached');
    expect(detached?.data.why).toBe('the call was cancelled: three');
    await ends;

    const again = call('request_help', which);
    await untilLogged(project, 'help.attached');
    await answerRequest(project, id, { ...human, response: 'blue' });
    await again;
    expect(await eventsOf(project, 'help.requested')).toHaveLength(1);
    expect(await eventsOf(project, 'help.detached')).toHaveLength(1);
  });

  it('says that an agent waits for the word on a task it called blocked', async () => {
    const { root, project } = await projectWithSprint();
    const { text } = await connectAgent(root);
    const task = { sprintDir: 'sprints/demo', taskId: 'a' };
    await text('update_task_status', { ...task, status: 'active' });
    await text('update_task_status', { ...task, status: 'blocked', summary: 'no network' });
    const { id, waiting } = await untilAsked(project);
    expect([...waiting]).toEqual([]);
    const word = text('request_help', { ...which, requestId: id });
    await untilLogged(project, 'help.attached');
    await answerRequest(project, id, { ...human, response: 'it is back' });
    expect(await word).toBe('it is back');
  });
});

describe('a client that leaves a hundred calls', () => {
  it('is let go, each question stays, and the log has the end of all the calls or, in a hurry, of none', async () => {
    const root = await tempRoot();
    const project = await openTestProject(root);
    // Each call says once that it waits, however long the others take.
    const server = startServer(root, { env: { CLIFFORD_PROGRESS_MS: '3600000' } });
    const { client } = await server.connect();
    const { onprogress, until } = progressLog();
    const count = 100;
    for (let at = 0; at < count; at += 1) {
      const question = `Question ${at}?`;
      callWith(client, 'request_help', { ...which, question }, { onprogress }).catch(() => undefined);
    }
    await until(count);
    const { code } = await server.exitAfter(() => server.child.stdin.end());
    expect(code).toBe(0);
    expect(server.stderr).toBe('');
    expect(openRequests(await project.refresh())).toHaveLength(count);
    const { length } = await eventsOf(project, 'help.detached');
    expect([count, 0]).toContain(length);
  });

  it('leaves them together: the log says of all that nobody waits, in one go', async () => {
    const project = await openTestProject(await tempRoot());
    const waiters = new Waiters('agent');
    const numbers = Array.from({ length: 200 }, (_, index) => index);
    const requests = await Promise.all(
      numbers.map((at) =>
        ask(project, { stream: 'adhoc', agent: { id: 'agent' }, kind: 'help', question: `Question ${at}?` }),
      ),
    );
    await Promise.all(requests.map((request) => waiters.enter(project, request)));
    const record = vi.spyOn(project, 'record');
    await Promise.all(requests.map(({ id }) => waiters.leave(id, { why: 'gone' })));
    expect(await eventsOf(project, 'help.detached')).toHaveLength(200);
    expect(openRequests(project.state).every(({ waiting }) => waiting.size === 0)).toBe(true);
    expect(record).toHaveBeenCalledOnce();
  });
});

describe('two agents with several questions each', () => {
  it('get each answer in the call that asked, in whatever order they are given', async () => {
    const { root, project } = await projectWithSprint({ tasks: ['a', 'b'] });
    const agents = [await connectAgent(root), await connectAgent(root)];
    const asked = agents.flatMap(({ text }, agent) =>
      ['one', 'two', 'three', 'four'].map((word) => {
        const question = `${word} of ${agent}?`;
        return text('request_help', { task: agent === 0 ? 'a' : 'b', reason: '', question }).then(
          (answer) => ({
            question,
            answer,
          }),
        );
      }),
    );
    const open = await untilOpen(project, 8);
    // Every third, around and around: 0, 3, 6, 1, …
    for (let at = 0; at < open.length; at += 1) {
      const request = open[(at * 3) % open.length];
      if (request)
        await answerRequest(project, request.id, { ...human, response: `to ${request.asked.question}` });
    }
    for (const { question, answer } of await Promise.all(asked)) expect(answer).toBe(`to ${question}`);
  });

  it('join a question that somebody asked outside', async () => {
    const { root, project } = await projectWithSprint();
    const { id } = await ask(project, { stream: 'demo', agent: { id: 'shell' }, kind: 'help', ...which });
    const { text } = await connectAgent(root, { env: { CURRENT_SPRINT_DIR: 'sprints/demo' } });
    const answer = text('request_help', which);
    await untilLogged(project, 'help.attached');
    await answerRequest(project, id, { ...human, response: 'blue' });
    expect(await answer).toBe('blue');
    expect(await eventsOf(project, 'help.requested')).toHaveLength(1);
  });
});
