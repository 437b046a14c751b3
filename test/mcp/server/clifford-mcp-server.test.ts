import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as published from '../../../src/index.ts';
import { CliffordMcpServer } from '../../../src/mcp/server/clifford-mcp-server.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { answerRequest, dismissRequest } from '../../../src/workflow/requests/answer.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { openTestProject, projectWithSprint, tempRoot } from '../../helpers/temp-project.ts';
import { connectAgent } from '../support/connect-agent.ts';
import { allowAll, fixture, gatewayAgent } from '../support/gateway-agent.ts';
import { runs } from '../support/gateway-servers.ts';
import { eventsOf, untilAsked } from '../support/project-log.ts';

const human = { by: 'ann', via: 'cli' };
const which = { task: 'a', reason: 'two ways', question: 'Which colour?' };

type Emitted = 'block' | 'block-resolved' | 'block-dismissed';

function next(server: CliffordMcpServer, event: Emitted): Promise<object> {
  return new Promise((resolve) => {
    server.once(event, resolve);
  });
}

/** A question of another process's agent. */
function askElsewhere(project: Project, question: string) {
  const agent = { id: `agent of ${question}` };
  return ask(project, { stream: 'demo', agent, kind: 'help', task: 'a', reason: 'r', question });
}

describe('CliffordMcpServer', () => {
  it('is exported from the package', () => {
    expect(new published.CliffordMcpServer()).toBeInstanceOf(CliffordMcpServer);
  });

  it('knows nothing and does nothing before it is started, and after it was stopped', async () => {
    const { root, project } = await projectWithSprint();
    const { id } = await askElsewhere(project, 'one');
    const { server } = await connectAgent(root);
    const idle = new CliffordMcpServer({ projectRoot: root });
    expect(server.isBlocked()).toBe(true);
    await server.stop();
    await server.stop();
    for (const each of [idle, server]) {
      expect(each.isBlocked()).toBe(false);
      expect(each.getCurrentBlock()).toBeNull();
      expect(each.resolveCurrentBlock('x')).toBe(false);
      expect(each.dismissCurrentBlock()).toBe(false);
      expect(await each.answer(id, 'x')).toEqual({ accepted: false, because: 'unknown' });
    }
    expect((await untilAsked(project)).id).toBe(id);
  });

  it('shows the question of its agent, and hands it the answer', async () => {
    const { root, project } = await projectWithSprint();
    const { server, text } = await connectAgent(root, { by: 'bob' });
    expect(server.resolveCurrentBlock('too early')).toBe(false);
    const blocked = next(server, 'block');
    const answer = text('request_help', which);
    const block = await blocked;
    expect(block).toEqual({
      ...which,
      requestId: expect.stringMatching(/^q-/),
      sprint: 'adhoc',
      kind: 'help',
      context: '',
      options: [],
      askedAt: expect.stringMatching(/^20/),
    });
    expect(server.getCurrentBlock()).toEqual(block);
    expect(server.isBlocked()).toBe(true);

    const resolved = next(server, 'block-resolved');
    expect(server.resolveCurrentBlock('blue')).toBe(true);
    expect(await answer).toBe('blue');
    expect(await resolved).toMatchObject({ task: 'a', response: 'blue' });
    expect(server.isBlocked()).toBe(false);
    const [answered] = await eventsOf(project, 'help.answered');
    expect(answered?.data).toMatchObject({ by: 'bob', via: 'api' });
  });

  it('dismisses the question of its agent, which is told', async () => {
    const { root } = await projectWithSprint();
    const { server, text } = await connectAgent(root);
    expect(server.dismissCurrentBlock()).toBe(false);
    const blocked = next(server, 'block');
    const answer = text('request_help', which);
    await blocked;
    const dismissed = next(server, 'block-dismissed');
    expect(server.dismissCurrentBlock()).toBe(true);
    expect(await answer).toContain('The human dismissed this question');
    expect(await dismissed).toMatchObject({ task: 'a' });
    expect(server.getCurrentBlock()).toBeNull();
  });

  it('shows what other processes asked and answered, the oldest first', async () => {
    const { root, project } = await projectWithSprint();
    const one = await askElsewhere(project, 'one');
    const blocks: object[] = [];
    const { server } = await connectAgent(root);
    server.on('block', (block) => blocks.push(block));
    expect(server.getCurrentBlock()).toMatchObject({ question: 'one' });

    const second = next(server, 'block');
    const two = await askElsewhere(project, 'two');
    expect(await second).toMatchObject({ question: 'two' });
    expect(server.getCurrentBlock()).toMatchObject({ question: 'one' });

    const resolved = next(server, 'block-resolved');
    await answerRequest(project, one.id, { ...human, response: 'first' });
    expect(await resolved).toMatchObject({ requestId: one.id, response: 'first' });
    expect(server.getCurrentBlock()).toMatchObject({ question: 'two' });

    const dismissed = next(server, 'block-dismissed');
    await dismissRequest(project, two.id, human);
    expect(await dismissed).toMatchObject({ requestId: two.id });
    expect(server.isBlocked()).toBe(false);
    expect(blocks).toHaveLength(1);
  });

  it('has ended the programs behind the gateway when it has stopped, also those that heed no signal', async () => {
    const servers = { stubborn: fixture('stubborn.ts'), it: fixture('handy.ts') };
    const { server, text } = await gatewayAgent({ servers, policy: allowAll });
    const pids = [await text('mcp__stubborn__pid', {}), await text('mcp__it__fork', {})].map(Number);
    expect(pids.map(runs)).toEqual([true, true]);
    await server.stop();
    // On a slow machine what is left is ended by others, soon.
    await expect.poll(() => pids.map(runs)).toEqual([false, false]);
  });

  it('emits what is open when it starts', async () => {
    const { root, project } = await projectWithSprint();
    await askElsewhere(project, 'one');
    const server = new CliffordMcpServer({
      projectRoot: root,
      transport: silent(),
      env: {},
      questionFiles: false,
    });
    const blocked = next(server, 'block');
    await server.start();
    expect(await blocked).toMatchObject({ question: 'one' });
    await server.stop();
  });

  it('says what became of an answer: the first wins, also over resolveCurrentBlock', async () => {
    const { root, project } = await projectWithSprint();
    const { id } = await askElsewhere(project, 'one');
    const { server } = await connectAgent(root, { by: 'bob' });
    const resolved: object[] = [];
    server.on('block-resolved', (end) => resolved.push(end));

    const outcomes = await Promise.all([server.answer(id, 'blue'), server.answer(id, 'red')]);
    expect(outcomes).toEqual([
      { accepted: true, response: 'blue' },
      { accepted: false, because: 'answered', by: 'bob', response: 'blue' },
    ]);
    expect(await server.answer('q-nobody', 'x')).toEqual({ accepted: false, because: 'unknown' });
    expect(resolved).toEqual([{ requestId: id, task: 'a', response: 'blue' }]);

    const other = await askElsewhere(project, 'two');
    await dismissRequest(project, other.id, human);
    expect(await server.answer(other.id, 'x')).toEqual({ accepted: false, because: 'dismissed', by: 'ann' });
  });

  it('emits an answer handed over too late not at all: only the winner’s', async () => {
    const { root, project } = await projectWithSprint();
    const { id } = await askElsewhere(project, 'one');
    const { server } = await connectAgent(root);
    const resolved: object[] = [];
    server.on('block-resolved', (end) => resolved.push(end));
    const first = next(server, 'block-resolved');
    expect(server.resolveCurrentBlock('blue')).toBe(true);
    expect(server.resolveCurrentBlock('red')).toBe(true);
    await first;
    expect(await server.answer(id, 'green')).toMatchObject({ accepted: false, response: 'blue' });
    expect(resolved).toEqual([{ requestId: id, task: 'a', response: 'blue' }]);
    expect(await eventsOf(project, 'help.answered')).toHaveLength(1);
  });

  it('tells of an end that a completed task brought', async () => {
    const { root, project } = await projectWithSprint();
    await askElsewhere(project, 'one');
    const { server, call } = await connectAgent(root);
    const dismissed = next(server, 'block-dismissed');
    await call('update_task_status', { sprintDir: 'sprints/demo', taskId: 'a', status: 'completed' });
    expect(await dismissed).toMatchObject({ task: 'a' });
  });

  it('opens the log anew for the next answer when one could not be written', async () => {
    const { root, project } = await projectWithSprint();
    await askElsewhere(project, 'one');
    await askElsewhere(project, 'two');
    const { server } = await connectAgent(root);
    // What a crash left cannot be moved aside: nothing can be appended.
    const obstacle = join(root, '.clifford', 'quarantine');
    await writeFile(obstacle, '');
    await appendFile(join(root, '.clifford', 'events.jsonl'), '{"torn');
    const failure = once(server, 'error');
    expect(server.resolveCurrentBlock('too soon')).toBe(true);
    expect(await failure).toMatchObject([{ code: 'LOG_POISONED' }]);

    await rm(obstacle);
    const resolved = next(server, 'block-resolved');
    expect(server.resolveCurrentBlock('first')).toBe(true);
    expect(await resolved).toMatchObject({ response: 'first' });
    const { requestId = '' } = server.getCurrentBlock() ?? {};
    expect(await server.answer(requestId, 'second')).toEqual({ accepted: true, response: 'second' });
  });

  it('goes on with another log when its own was replaced: its questions are gone', async () => {
    const { root, project } = await projectWithSprint();
    const { id } = await askElsewhere(project, 'one');
    const { server } = await connectAgent(root);
    const errors: unknown[] = [];
    server.on('error', (error) => errors.push(error));
    const gone = next(server, 'block-dismissed');
    await rm(join(root, '.clifford', 'events.jsonl'));
    expect(await gone).toEqual({ requestId: id, task: 'a' });
    expect(errors).toContainEqual(expect.objectContaining({ code: 'LOG_REPLACED' }));
    expect(server.isBlocked()).toBe(false);

    const agent = { id: 'x' };
    const asked = next(server, 'block');
    const later = await openTestProject(root);
    await ask(later, { stream: 'adhoc', agent, kind: 'help', question: 'two' });
    expect(await asked).toMatchObject({ question: 'two' });
    expect(await server.answer(server.getCurrentBlock()?.requestId ?? '', 'yes')).toMatchObject({
      accepted: true,
    });
  });

  it('does not bring back a project that was deleted, and goes on with it when somebody else does', async () => {
    const { root, project } = await projectWithSprint();
    await askElsewhere(project, 'one');
    const copy = await tempRoot();
    await cp(root, copy, { recursive: true });
    const { server, text } = await connectAgent(root);
    const problems: unknown[] = [];
    server.on('error', (problem) => problems.push(problem));
    await rm(root, { recursive: true });
    const gone = [{ code: 'LOG_REPLACED' }, { code: 'LOG_INACCESSIBLE' }];
    await expect.poll(() => problems).toMatchObject(gone);
    expect(await text('request_help', which)).toMatch(/^Cannot open .*\.clifford: ENOENT/);
    expect(existsSync(root)).toBe(false);

    const asked = next(server, 'block');
    await cp(copy, root, { recursive: true });
    await askElsewhere(await openTestProject(root), 'two');
    expect(await asked).toMatchObject({ question: 'two' });
    expect(server.resolveCurrentBlock('yes')).toBe(true);
    expect(problems).toHaveLength(2);
  });

  it('does not start on a log it cannot read, and can be started again', async () => {
    const root = await tempRoot();
    await appendFile(join(root, '.clifford/events.jsonl'), 'no event\n');
    const server = new CliffordMcpServer({ projectRoot: root, transport: silent(), env: {} });
    await expect(server.start()).rejects.toMatchObject({ code: 'LOG_CORRUPT' });
    await expect(server.start()).rejects.toMatchObject({ code: 'LOG_CORRUPT' });
    expect(server.isBlocked()).toBe(false);
  });
});

/** A link whose other end never says anything. */
function silent() {
  return { start: async () => {}, send: async () => {}, close: async () => {} };
}
