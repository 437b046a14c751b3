import { ConfigMemory } from '../../src/workflow/config/config-file.ts';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { createSession } from '../../src/gateway/session/session.ts';
import { waitForHuman } from '../../src/gateway/wait/wait-for-human.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { openTestProject, projectWithSprint, tempRoot } from '../helpers/temp-project.ts';
import { callWith, progressLog } from './support/call-with.ts';
import { connectAgent, textOf } from './support/connect-agent.ts';
import { startServer } from './support/mcp-process.ts';
import { eventsOf, untilAsked, untilLogged } from './support/project-log.ts';

const human = { by: 'ann', via: 'cli' };
const which = { task: 'a', reason: 'two ways', question: 'Which colour?' };
const why = "the call was answered before the client's limit";

describe('a call that would outlast its client', () => {
  it('is answered before: the question stays open, and how to go on waiting', async () => {
    const { root, project } = await projectWithSprint();
    const { call } = await connectAgent(root, { env: { CLIFFORD_WAIT_LIMIT_MS: '50' } });
    const result = await call('request_help', which);
    const { id, asked } = await untilAsked(project);
    expect(result.isError).toBeUndefined();
    expect(textOf(result)).toBe(
      `No answer yet. The question (${id}) stays open. Call request_help again with requestId ${id} (or the ` +
        'same question) to go on waiting; do not continue the blocked step.',
    );
    const [detached] = await untilLogged(project, 'help.detached');
    expect(detached?.data).toEqual({ requestId: id, agent: asked.origin.agent, why });
    expect(await eventsOf(project, 'help.delivered')).toEqual([]);
  });

  it.each(['with the requestId', 'with the same question'])(
    'brings the answer when it is made again %s, from one question',
    async (how) => {
      const { root, project } = await projectWithSprint();
      const env = { CURRENT_SPRINT_DIR: 'sprints/demo', CLIFFORD_WAIT_LIMIT_MS: '100' };
      const server = startServer(root, { env });
      const { client } = await server.connect();
      const ask_ = (args: object) => callWith(client, 'request_help', args, {});

      let reply = await ask_(which);
      let calls = 1;
      const { id } = await untilAsked(project);
      const again = how === 'with the requestId' ? { ...which, requestId: id } : which;
      while (reply.startsWith('No answer yet.')) {
        if (calls === 3) await answerRequest(project, id, { ...human, response: 'blue' });
        reply = await ask_(again);
        calls += 1;
      }
      expect(reply).toBe('blue');
      await untilLogged(project, 'help.delivered');
      expect(await eventsOf(project, 'help.requested')).toHaveLength(1);
      const waits = await eventsOf(project, 'help.requested', 'help.attached', 'help.detached');
      // Asked, then away and back; a call that was over before the log knew of it is not told.
      const [first, ...rest] = waits.map(({ type }) => type);
      expect(first).toBe('help.requested');
      rest.forEach((type, index) => expect(type).toBe(index % 2 === 0 ? 'help.detached' : 'help.attached'));
      await server.exitAfter(() => server.child.stdin.end());
    },
  );

  it('counts its time from the arrival of the call', async () => {
    const project = await openTestProject(await tempRoot());
    const agent = { id: 'agent' };
    const request = await ask(project, { stream: 'adhoc', agent, kind: 'help', question: 'Which?' });
    const recorded: Promise<unknown>[] = [];
    const wait = await waitForHuman(request, {
      project,
      agent,
      session: createSession({
        root: project.root,
        env: {},
        configMemory: new ConfigMemory(),
        report: () => undefined,
      }),
      signal: new AbortController().signal,
      // The limit of a client without a token is 50 s.
      arrivedAt: performance.now() - 49_900,
      progress: undefined,
      background: (work) => recorded.push(work),
      delivers: () => undefined,
      takeNotes: async () => [],
    });
    expect(wait).toEqual({ is: 'limited' });
    await Promise.all(recorded);
  });

  it('is answered sooner once the client has given one up', async () => {
    const { root, project } = await projectWithSprint();
    const { client } = await connectAgent(root);
    const { onprogress, until } = progressLog();
    const timer = new AbortController();
    const first = callWith(client, 'request_help', which, { onprogress, signal: timer.signal });
    const { id } = await untilAsked(project);
    await until(1);
    // As the SDK's clients do it when their time limit is over.
    timer.abort(new McpError(ErrorCode.RequestTimeout, 'Request timed out'));
    await expect(first).rejects.toThrow('Request timed out');
    const [detached] = await untilLogged(project, 'help.detached');
    expect(detached?.data.why).toContain('Request timed out');

    const second = callWith(client, 'request_help', which, { onprogress });
    expect(await second).toContain(`No answer yet. The question (${id}) stays open.`);
  });

  it('waits on with a limit that is none, and says so once', async () => {
    const { root, project } = await projectWithSprint();
    const server = startServer(root, {
      env: { CURRENT_SPRINT_DIR: 'sprints/demo', CLIFFORD_WAIT_LIMIT_MS: '2147483648' },
    });
    const { call } = await server.connect();
    const answer = call('request_help', which);
    await answerRequest(project, (await untilAsked(project)).id, { ...human, response: 'blue' });
    expect(textOf(await answer)).toBe('blue');
    await server.exitAfter(() => server.child.stdin.end());
    expect(server.stderr).toBe(
      'clifford mcp: CLIFFORD_WAIT_LIMIT_MS is ignored. It has to be whole milliseconds from 0 (no ' +
        'limit) to 2147483647, and is "2147483648"\n',
    );
  });
});
