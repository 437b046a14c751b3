import { execFileSync } from 'node:child_process';
import { appendFile, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withLock } from '../../../src/lib/files/kernel-lock.ts';
import { nodeTooOld } from '../../../src/require-node.ts';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { describeOnEachEngine } from '../../helpers/each-engine.ts';
import { openTestProject, projectWithSprint, tempRoot } from '../../helpers/temp-project.ts';
import { textOf } from '../support/connect-agent.ts';
import { request, startServer } from '../support/mcp-process.ts';
import type { McpProcess } from '../support/mcp-process.ts';
import { eventsOf, untilAsked, untilLogged } from '../support/project-log.ts';

const human = { by: 'ann', via: 'cli' };
const which = { task: 'a', reason: 'two ways', question: 'Which colour?' };
const env = { CURRENT_SPRINT_DIR: 'sprints/demo' };

/** A server whose agent waits for an answer. */
async function waitingServer() {
  const { root, project } = await projectWithSprint();
  const server = startServer(root, { env });
  const { call } = await server.connect();
  const answer = call('request_help', which);
  answer.catch(() => undefined);
  return { root, project, server, answer, question: await untilAsked(project) };
}

it('a server speaks JSON-RPC and nothing else on stdout, through errors and to its end', async () => {
  const { root, project } = await projectWithSprint();
  // Whatever Node itself has to say goes to stderr.
  const server = startServer(root, { env: { NODE_DEBUG: 'net', ...env } });
  const { client, call } = await server.connect();
  await client.listTools();
  await call('get_sprint_context', { sprintDir: 'sprints/demo' });
  await call('get_sprint_context', { sprintDir: '..' });
  await call('update_task_status', { sprintDir: 'sprints/demo', taskId: 'a', status: 'completed' });
  await call('nonsense', {});
  await expect(client.request({ method: 'server/discover' }, ResultSchema)).rejects.toThrow(
    'Method not found',
  );
  server.child.stdin.write('this is no JSON\n');
  const answer = call('request_help', which);
  await answerRequest(project, (await untilAsked(project)).id, { ...human, response: 'grün\n✓' });
  expect(textOf(await answer)).toBe('grün\n✓');
  void call('request_help', { ...which, question: 'And now?' }).catch(() => undefined);
  await untilAsked(project);
  const { code } = await server.exitAfter(() => server.child.kill('SIGTERM'));
  expect(code).toBe(0);
  expect(server.messages()).toHaveLength(8);
  expect(server.stderr).toContain('NET');
});

it('a server says in one line that a message of its client is none, and never what was in it', async () => {
  const { root } = await projectWithSprint();
  const server = startServer(root);
  const { client } = await server.connect();
  const send = (message: object) =>
    server.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  send({ id: 0, result: 'swordfish' });
  send({ id: 77, result: { action: 'accept', content: { q1: 'swordfish' } } });
  await client.ping();
  await server.exitAfter(() => server.child.stdin.end());
  expect(server.stderr).toBe(
    'clifford mcp: The client has sent what is no message of MCP: it is passed over\n' +
      'clifford mcp: Received a response for an unknown message ID\n',
  );
});

describeOnEachEngine('the end of a server', () => {
  it.each([
    ['its client leaves', (server: McpProcess) => server.child.stdin.end(), 'the client has left'],
    ['SIGTERM', (server: McpProcess) => server.child.kill('SIGTERM'), 'the server was ended by SIGTERM'],
    ['SIGINT', (server: McpProcess) => server.child.kill('SIGINT'), 'the server was ended by SIGINT'],
  ])(
    'comes within a second while a question waits, when %s; the question stays',
    async (_title, end, why) => {
      const { server, project, question } = await waitingServer();
      const { code } = await server.exitAfter(() => void end(server));
      expect(code).toBe(0);
      await project.refresh();
      const [detached] = await eventsOf(project, 'help.detached');
      expect(detached?.data).toEqual({ requestId: question.id, agent: question.asked.origin.agent, why });
      expect((await untilAsked(project)).id).toBe(question.id);
    },
  );

  it('comes within a second when its client has stopped reading, and loses no answer', async () => {
    const { root, project, server, question } = await waitingServer();
    server.child.stdout.destroy();
    await server.exitAfter(() => {
      void answerRequest(project, question.id, { ...human, response: 'blue' });
    });
    expect(await eventsOf(project, 'help.delivered')).toEqual([]);
    const { call } = await startServer(root, { env }).connect();
    expect(textOf(await call('request_help', which))).toBe('blue');
    await untilLogged(project, 'help.delivered');
  });
});

// A lock of the file, and what says nothing of the log.
describe('the end of a server', () => {
  it('does not wait for a log that another process has locked', async () => {
    const { root, server } = await waitingServer();
    const leave = () => server.exitAfter(() => server.child.stdin.end());
    await withLock(join(root, '.clifford/events.jsonl'), leave);
    // One that waits says in the end that the log is busy.
    expect(server.stderr).toBe('');
  });

  it('comes after the responses that were under way', async () => {
    const { root } = await projectWithSprint();
    const server = startServer(root);
    const { client } = await server.connect();
    await client.listTools();
    const { code } = await server.exitAfter(() => {
      server.write(request('tools/list'));
      server.child.stdin.end();
    });
    expect(code).toBe(0);
    expect(server.messages()).toHaveLength(3);
  });
});

describeOnEachEngine('a server that was started again', () => {
  it('gives the same question the answer that came meanwhile, and asks nobody twice', async () => {
    const { root, project, server, question } = await waitingServer();
    await server.exitAfter(() => server.child.kill('SIGKILL'));
    await answerRequest(project, question.id, { ...human, response: 'blue' });
    const { call } = await startServer(root, { env }).connect();
    expect(textOf(await call('request_help', which))).toBe('blue');
    await untilLogged(project, 'help.delivered');
    expect(await eventsOf(project, 'help.requested')).toHaveLength(1);
  });

  it('waits on where the one before left off', async () => {
    const { root, project, server, question } = await waitingServer();
    await server.exitAfter(() => server.child.stdin.end());
    const { call } = await startServer(root, { env }).connect();
    const answer = call('request_help', { ...which, requestId: question.id });
    await untilLogged(project, 'tool.requested', 2);
    await answerRequest(project, question.id, { ...human, response: 'blue' });
    expect(textOf(await answer)).toBe('blue');
  });
});

describe('the start of a server', () => {
  it('makes .clifford, for its user alone, where there is none', async () => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'clifford-bare-')));
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    const server = startServer(root);
    const { call } = await server.connect();
    void call('request_help', which).catch(() => undefined);
    const project = await openTestProject(root);
    expect((await untilAsked(project)).stream).toBe('adhoc');
    expect((await stat(join(root, '.clifford'))).mode & 0o777).toBe(0o700);
    await server.exitAfter(() => server.child.stdin.end());
  });

  it('fails with one line when CLIFFORD_PROJECT_ROOT is no folder', async () => {
    const root = await tempRoot();
    const server = startServer(root, { env: { CLIFFORD_PROJECT_ROOT: join(root, 'gone') } });
    const { code } = await server.exitAfter(() => undefined);
    expect(code).toBe(2);
    expect(server.messages()).toEqual([]);
    expect(server.stderr).toBe(
      `Cannot open project ${join(root, 'gone')}: CLIFFORD_PROJECT_ROOT is not a folder. ` +
        'Set CLIFFORD_PROJECT_ROOT to an existing folder, or unset it\n',
    );
  });

  it('succeeds on a damaged log, and each call says where the damage is', async () => {
    const { root } = await projectWithSprint();
    const path = join(root, '.clifford/events.jsonl');
    const { size } = await stat(path);
    await appendFile(path, 'damage\n');
    const server = startServer(root);
    const { call } = await server.connect();
    const result = await call('get_sprint_context', { sprintDir: 'sprints/demo' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(`${path}`);
    expect(textOf(result)).toContain(`byte ${size}`);
    await server.exitAfter(() => server.child.stdin.end());
  });

  const oldNode = findOldNode();
  it.skipIf(oldNode === undefined)('ends with one line on a Node that is too old', async () => {
    const server = startServer(await tempRoot(), { node: oldNode?.path ?? '' });
    const { code } = await server.exitAfter(() => undefined);
    expect(code).toBe(2);
    expect(server.messages()).toEqual([]);
    expect(server.stderr).toBe(`${nodeTooOld(oldNode?.version ?? '')}\n`);
  });
});

/** A Node on this machine that is older than what Clifford needs. */
function findOldNode(): { path: string; version: string } | undefined {
  for (const path of ['/usr/bin/node', '/usr/local/bin/node']) {
    try {
      const version = execFileSync(path, ['--version'], { encoding: 'utf8' }).trim().slice(1);
      if (nodeTooOld(version) !== undefined) return { path, version };
    } catch {
      continue;
    }
  }
  return undefined;
}
