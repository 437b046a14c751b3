import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { updateTaskStatus } from '../../src/mcp/tools/update-task-status.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { version } from '../../src/version.ts';
import { openTestProject, projectWithSprint, tempRoot } from '../helpers/temp-project.ts';
import { connectAgent, textOf } from './support/connect-agent.ts';
import { eventsOf, untilAsked, untilLogged } from './support/project-log.ts';

const sprintDir = 'sprints/demo';

describe('the server', () => {
  it('introduces itself, and says how to begin', async () => {
    const { client } = await connectAgent(await tempRoot());
    expect(client.getServerVersion()).toEqual({ name: 'clifford', version });
    expect(client.getInstructions()).toContain('Start with get_sprint_context');
  });

  it('keeps the beginning of a long client name, and takes its decisions', async () => {
    const { root, project } = await projectWithSprint();
    const { text } = await connectAgent(root, { name: 'n'.repeat(600) });
    expect(await text('update_task_status', { sprintDir, taskId: 'a', status: 'active' })).toBe(
      'Task a is active',
    );
    const [started] = await eventsOf(project, 'task.started');
    expect(started?.data.by).toBe('n'.repeat(100));
  });

  it('says so when .clifford/ cannot be made', async () => {
    const root = await tempRoot();
    await rm(join(root, '.clifford'), { recursive: true });
    await writeFile(join(root, '.clifford'), '');
    await expect(connectAgent(root)).rejects.toMatchObject({ code: 'LOG_INACCESSIBLE' });
  });

  it('lists tools that headless agents neither refuse nor hide', async () => {
    const { client } = await connectAgent(await tempRoot());
    const { tools } = await client.listTools();
    const safe = { destructiveHint: false, openWorldHint: false };
    expect(tools.map(({ name, annotations, _meta }) => ({ name, annotations, _meta }))).toEqual([
      {
        name: 'get_sprint_context',
        annotations: { ...safe, readOnlyHint: true, idempotentHint: true },
        _meta: { 'anthropic/alwaysLoad': true },
      },
      {
        name: 'request_help',
        annotations: { ...safe, readOnlyHint: true, idempotentHint: false },
        _meta: { 'anthropic/alwaysLoad': true },
      },
      {
        name: 'ask_clarification',
        annotations: { ...safe, readOnlyHint: true, idempotentHint: false },
        _meta: { 'anthropic/alwaysLoad': true },
      },
      {
        name: 'update_task_status',
        annotations: { ...safe, readOnlyHint: false, idempotentHint: true },
        _meta: { 'anthropic/alwaysLoad': true },
      },
      { name: 'report_uat', annotations: { ...safe, readOnlyHint: false, idempotentHint: true } },
      { name: 'update_changelog', annotations: { ...safe, readOnlyHint: false, idempotentHint: true } },
      { name: 'complete_sprint', annotations: { ...safe, readOnlyHint: false, idempotentHint: true } },
    ]);
  });

  it('describes every argument', async () => {
    const { client } = await connectAgent(await tempRoot());
    const { tools } = await client.listTools();
    expect(Object.fromEntries(tools.map(({ name, inputSchema }) => [name, inputSchema]))).toMatchObject({
      get_sprint_context: { required: ['sprintDir'], additionalProperties: false },
      request_help: { required: ['task', 'reason', 'question'], additionalProperties: false },
      update_task_status: { required: ['sprintDir', 'taskId', 'status'], additionalProperties: false },
      report_uat: { required: ['sprintDir', 'taskId', 'title', 'changes', 'verificationSteps'] },
      update_changelog: { required: ['sprintId', 'sprintName', 'entries'], additionalProperties: false },
      complete_sprint: { required: ['sprintDir'], additionalProperties: false },
    });
  });

  it.each([
    [
      { task: 'a', reason: '', question: 'q', urgent: true },
      'Cannot call request_help: Unrecognized key: "urgent"',
    ],
    [{ task: 'a', reason: '', question: '  ' }, 'Cannot call request_help: question: Too small'],
    [
      { question: 'q' },
      'Cannot call request_help: task: Invalid input: expected string, received undefined; reason:',
    ],
    [{ task: 'a', reason: '', question: 'q'.repeat(65_537) }, 'Cannot call request_help: question: Too big'],
  ])('refuses arguments %#, naming them', async (args, message) => {
    const { call } = await connectAgent(await tempRoot());
    const result = await call('request_help', args);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(message);
    expect(textOf(result)).toContain('. Correct the arguments and call it again');
  });

  it('refuses a tool it does not have', async () => {
    const { call } = await connectAgent(await tempRoot());
    const result = await call('request_halp', {});
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(
      'Cannot call request_halp: there is no such tool. ' +
        'The tools are get_sprint_context, request_help, ask_clarification, update_task_status, report_uat, update_changelog, complete_sprint',
    );
  });

  it('refuses arguments nested a hundred thousand deep in one line, and goes on', async () => {
    const faults: unknown[] = [];
    const { call, text } = await connectAgent(await tempRoot(), {
      onServer: (server) => server.on('error', (fault) => faults.push(fault)),
    });
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    for (const tool of ['request_help', 'get_sprint_context']) {
      const refused = await call(tool, { sprintDir: deep });
      expect(refused.isError).toBe(true);
      expect(textOf(refused)).toBe(
        `Cannot call ${tool}: its arguments are nested more than 200 deep. Flatten the arguments and call it again`,
      );
    }
    expect(await text('get_sprint_context', { sprintDir: 'nowhere' })).toContain('nowhere');
    expect(faults.filter((fault) => fault instanceof RangeError)).toEqual([]);
  });

  it('calls a bug a bug: in words to the agent, with its stack to its human', async () => {
    const { root, project } = await projectWithSprint();
    const { server, call } = await connectAgent(root);
    const problems: unknown[] = [];
    server.on('error', (problem) => problems.push(problem));
    const bug = new TypeError('x is not a function');
    vi.spyOn(updateTaskStatus, 'prepare').mockRejectedValue(bug);
    const result = await call('update_task_status', { sprintDir, taskId: 'a', status: 'active' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('Clifford has a bug: x is not a function');
    expect(problems).toEqual([bug]);
    const [failed] = await untilLogged(project, 'tool.failed');
    expect(failed?.data.error).toBe('x is not a function');
  });
});

describe('a task that waits for others', () => {
  const tasks = [
    { id: 'a', file: 'a.md' },
    { id: 'b', file: 'b.md', dependsOn: ['a'] },
  ];
  const stateOf = (project: Project) =>
    project.refresh().then(({ streams }) => streams.get('demo')?.tasks.get('b')?.machine.value);

  it('is started by no agent before those are done', async () => {
    const { root, project } = await projectWithSprint({ manifest: { tasks } });
    const { call, text } = await connectAgent(root);
    const start = { sprintDir, taskId: 'b', status: 'active' };
    const refused = await call('update_task_status', start);
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toBe(
      'Cannot start task b: b waits for a. It can start when a is completed or skipped. Work on a task that is ready',
    );
    expect((await call('update_task_status', { ...start, status: 'completed' })).isError).toBe(true);
    expect(await stateOf(project)).toBe('pending');

    for (const status of ['active', 'completed'])
      await text('update_task_status', { sprintDir, taskId: 'a', status });
    expect(await text('update_task_status', start)).toBe('Task b is active');
  });

  it('is not started by a question about it: that belongs to the sprint', async () => {
    const { root, project } = await projectWithSprint({ manifest: { tasks } });
    const { text } = await connectAgent(root, { env: { CURRENT_SPRINT_DIR: sprintDir } });
    const asked = text('request_help', { task: 'b', reason: 'Two are free', question: 'Which port?' });
    const { id, taskId } = await untilAsked(project);
    expect(taskId).toBeUndefined();
    expect(await stateOf(project)).toBe('pending');
    await answerRequest(project, id, { response: '8080', by: 'bob', via: 'tui' });
    expect(await asked).toBe('8080');
  });
});

describe('the record of an agent', () => {
  it('begins with its connection, about its task', async () => {
    const { root, project } = await projectWithSprint();
    await project.dispatch('demo', () => [
      { type: 'sprint.started', subject: 'demo', data: { runner: 'runner', maxAttempts: 1 } },
      { type: 'task.started', subject: 'demo/b', data: { attempt: 1, by: 'runner', runId: 'run-1' } },
    ]);
    await connectAgent(root, { name: 'claude-code', env: { CLIFFORD_RUN_ID: 'run-1' } });
    const [connected] = await untilLogged(project, 'agent.connected');
    expect(connected).toMatchObject({
      source: '/clifford/mcp',
      subject: 'demo/b',
      data: { runId: 'run-1', client: { name: 'claude-code', version: '1.0.0' }, protocol: '2025-11-25' },
    });
    expect(project.state.streams.get('demo')?.tasks.get('b')?.machine.value).toEqual({ active: 'working' });
  });

  it('belongs to nobody’s stream when no sprint is known', async () => {
    const root = await tempRoot();
    await connectAgent(root);
    const [connected] = await untilLogged(await openTestProject(root), 'agent.connected');
    expect(connected).toMatchObject({ subject: 'adhoc', data: { client: { name: 'agent' } } });
    expect(connected?.data.runId).toBeUndefined();
  });

  it('holds every call: before it decides anything, and how it ended', async () => {
    const { root, project } = await projectWithSprint();
    const { call } = await connectAgent(root);
    const args = { sprintDir, taskId: 'a', status: 'active' };
    const result = await call('update_task_status', args);
    const [returned] = await untilLogged(project, 'tool.returned');
    const events = await eventsOf(project, 'tool.requested', 'task.started', 'tool.returned');
    expect(events.map(({ type, subject }) => `${type} ${subject}`)).toEqual([
      'tool.requested demo/a',
      'task.started demo/a',
      'tool.returned demo/a',
    ]);
    const [requested] = await eventsOf(project, 'tool.requested');
    expect(requested?.data).toMatchObject({ server: 'clifford', tool: 'update_task_status', args });
    expect(returned?.data).toMatchObject({
      callId: requested?.data.callId,
      isError: false,
      bytes: JSON.stringify(result).length,
    });
  });

  it('holds calls that were refused', async () => {
    const { root, project } = await projectWithSprint();
    const { call } = await connectAgent(root, { env: { CURRENT_SPRINT_DIR: sprintDir } });
    await call('complete_sprint', { sprintDir: '..' });
    const [returned] = await untilLogged(project, 'tool.returned');
    expect(returned).toMatchObject({ subject: 'demo', data: { isError: true } });
    const [requested] = await eventsOf(project, 'tool.requested');
    expect(requested).toMatchObject({ subject: 'demo', data: { args: { sprintDir: '..' } } });
  });

  it('holds the beginning of long arguments, and no secrets', async () => {
    const { root, project } = await projectWithSprint();
    const { call } = await connectAgent(root, { env: { API_TOKEN: 'hunter2-hunter2' } });
    const summary = `${'x'.repeat(4_000)} hunter2-hunter2 ${'y'.repeat(4_000)}`;
    await call('complete_sprint', { sprintDir, summary: `hunter2-hunter2 ${summary}` });
    await call('complete_sprint', { sprintDir, summary: 'my hunter2-hunter2' });
    const [long, short] = await untilLogged(project, 'tool.requested', 2);
    expect(JSON.stringify([long, short])).not.toContain('hunter2');
    expect(short?.data.args).toEqual({ sprintDir, summary: 'my [redacted:API_TOKEN]' });
    expect(long?.data.args).toMatchObject({ cut: expect.stringContaining('[redacted:API_TOKEN] xxx') });
    expect(JSON.stringify(long?.data.args).length).toBeLessThan(4_300);
  });
});
