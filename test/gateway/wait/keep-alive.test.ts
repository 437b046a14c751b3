import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { callWith, progressLog } from '../../mcp/support/call-with.ts';
import { connectAgent } from '../../mcp/support/connect-agent.ts';
import { startServer } from '../../mcp/support/mcp-process.ts';
import { eventsOf, untilAsked, untilLogged } from '../../mcp/support/project-log.ts';

const human = { by: 'ann', via: 'cli' };
const which = { task: 'a', reason: 'two ways', question: 'Which colour?' };
const sprint = { CURRENT_SPRINT_DIR: 'sprints/demo' };

describe('progress', () => {
  it('comes at once, then at an interval, and grows', async () => {
    const { root, project } = await projectWithSprint();
    const { client } = await connectAgent(root, { env: { CLIFFORD_PROGRESS_MS: '20' } });
    const { notes, onprogress, until } = progressLog();
    const answer = callWith(client, 'request_help', which, { onprogress });
    const { id } = await untilAsked(project);
    await until(4);
    await answerRequest(project, id, { ...human, response: 'blue' });
    expect(await answer).toBe('blue');
    expect(notes.slice(0, 4).map(({ progress }) => progress)).toEqual([1, 2, 3, 4]);
    expect(notes[0]?.message).toBe(`waiting for a human 0 s, question ${id}`);
  });

  it('comes at once, however long the interval', async () => {
    const { root, project } = await projectWithSprint();
    const { client } = await connectAgent(root, { env: { CLIFFORD_PROGRESS_MS: '3600000' } });
    const { onprogress, until } = progressLog();
    const answer = callWith(client, 'ask_clarification', { question: 'Which colour?' }, { onprogress });
    await until(1);
    await answerRequest(project, (await untilAsked(project)).id, { ...human, response: 'blue' });
    expect(await answer).toBe('blue');
  });

  it('ends with the call, answered or cancelled', async () => {
    const { root, project } = await projectWithSprint();
    const sent: JSONRPCMessage[] = [];
    const { client, text } = await connectAgent(root, {
      env: { CLIFFORD_PROGRESS_MS: '10' },
      wrap: (inner) => {
        const send = inner.send.bind(inner);
        inner.send = async (message, options) => {
          sent.push(message);
          await send(message, options);
        };
        return inner;
      },
    });
    const progressOf = () => sent.filter((message) => 'method' in message).length;

    const one = progressLog();
    const answer = callWith(client, 'request_help', which, one);
    await one.until(2);
    await answerRequest(project, (await untilAsked(project)).id, { ...human, response: 'blue' });
    await answer;
    const two = progressLog();
    const cancel = new AbortController();
    const cancelled = callWith(
      client,
      'request_help',
      { ...which, question: 'And now?' },
      { ...two, signal: cancel.signal },
    );
    await two.until(1);
    cancel.abort('enough');
    await expect(cancelled).rejects.toThrow('enough');
    await untilLogged(project, 'help.detached');

    const before = progressOf();
    // Longer than several intervals: a file was read, a line was written and synced each time.
    for (let round = 0; round < 20; round += 1)
      await text('get_sprint_context', { sprintDir: 'sprints/demo' });
    expect(progressOf()).toBe(before);
  });

  it('is not sent to a client that sent no token', async () => {
    const { root, project } = await projectWithSprint();
    const server = startServer(root, { env: { ...sprint, CLIFFORD_PROGRESS_MS: '1' } });
    const { call } = await server.connect();
    const answer = call('request_help', which);
    await answerRequest(project, (await untilAsked(project)).id, { ...human, response: 'blue' });
    await answer;
    expect(server.messages().filter((message) => 'method' in message)).toEqual([]);
    await server.exitAfter(() => server.child.stdin.end());
  });
});

describe('a client that stops reading', () => {
  it('is noticed by progress: the server ends, the question stays, and nobody waits for it', async () => {
    const { root, project } = await projectWithSprint();
    const server = startServer(root, { env: { ...sprint, CLIFFORD_PROGRESS_MS: '50' } });
    const { client } = await server.connect();
    const { onprogress, until } = progressLog();
    callWith(client, 'request_help', which, { onprogress }).catch(() => undefined);
    await until(1);
    const { code } = await server.exitAfter(() => server.child.stdout.destroy());
    expect(code).toBe(0);
    const { id } = await untilAsked(project);
    const [detached] = await untilLogged(project, 'help.detached');
    expect(detached?.data).toMatchObject({ requestId: id, why: 'the client has left' });
  });
});

describe('a client that resets its time limit on progress', () => {
  it('gets the answer from one call, several of its limits later', async () => {
    const { root, project } = await projectWithSprint();
    const env = { ...sprint, CLIFFORD_PROGRESS_MS: '20' };
    const server = startServer(root, { env });
    const { client } = await server.connect();
    const { onprogress, until } = progressLog();
    const timeout = 60_000;
    // The client's clock: from one notification to the next its whole limit goes by, less a little.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const answer = callWith(client, 'request_help', which, {
      timeout,
      resetTimeoutOnProgress: true,
      onprogress: (note) => {
        vi.advanceTimersByTime(timeout - 1);
        onprogress(note);
      },
    });
    const { id } = await untilAsked(project);
    await until(5);
    await answerRequest(project, id, { ...human, response: 'blue' });
    expect(await answer).toBe('blue');
    expect(await eventsOf(project, 'help.requested')).toHaveLength(1);
    expect(await eventsOf(project, 'help.detached')).toEqual([]);
    await server.exitAfter(() => server.child.stdin.end());
  });
});
