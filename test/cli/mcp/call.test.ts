import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { EventType } from '../../../src/events/catalog.ts';
import { openRequests } from '../../../src/workflow/requests/find-request.ts';
import { clifford } from '../../helpers/clifford-process.ts';
import { writeMcpJson } from '../../helpers/mcp-json.ts';
import { openTestProject, projectWithSprint } from '../../helpers/temp-project.ts';
import { startTask } from '../../../src/workflow/task/start-task.ts';
import { runs } from '../../mcp/support/gateway-servers.ts';
import { eventsOf } from '../../mcp/support/project-log.ts';
import {
  mcp,
  mcpJson,
  mcpAtTerminal,
  mcpOnTerminal,
  mcpProject,
  server,
  startMcp,
  trustedProject,
} from './mcp-command.ts';

const handy = { it: server('handy.ts') };
const allowAll = { allowlist: [{ server: '*', tool: '*' }] };

/** The history of a project, but for what was pinned: type and data of each event. */
async function history(root: string): Promise<[EventType, unknown][]> {
  const events = await eventsOf(await openTestProject(root));
  return events.filter(({ type }) => type !== 'tool.pinned').map(({ type, data }) => [type, data]);
}

describe('clifford mcp call', () => {
  it('runs what the policy allows, prints the result, and is in the log like any call', async () => {
    const root = await trustedProject({
      servers: { fs: server('filesystem', { args: ['.'] }) },
      policy: allowAll,
    });
    await writeFile(join(root, 'a.txt'), 'héllo\nworld\n');
    const { code, out } = await mcp(root, ['call', 'fs', 'read_text_file', '--args', '{"path":"a.txt"}']);
    expect({ code, out }).toEqual({ code: 0, out: 'héllo\nworld\n\n' });
    expect(await history(root)).toMatchObject([
      ['tool.requested', { server: 'fs', tool: 'read_text_file', args: { path: 'a.txt' } }],
      ['tool.allowed', { rule: 'allowlist[0] */*' }],
      ['tool.returned', { isError: false }],
    ]);
  });

  it('has the whole result for programs', async () => {
    const root = await trustedProject({ servers: handy, policy: allowAll });
    const { code, json } = await mcpJson(root, ['call', 'it', 'arguments', '--args', '{"a":[1]}']);
    expect(code).toBe(0);
    expect(json).toMatchObject({ structuredContent: { a: [1] }, unknown: [1] });
  });

  it('ends with 1 when the result is an error', async () => {
    const root = await trustedProject({ servers: handy, policy: allowAll });
    expect(await mcp(root, ['call', 'it', 'failing'])).toMatchObject({ code: 1, out: 'it did not work\n' });
  });

  it('checks the arguments, and names the field that does not fit', async () => {
    const root = await trustedProject({ servers: { every: server('everything') }, policy: allowAll });
    const { code, out } = await mcp(root, ['call', 'every', 'echo', '--args', '{"message": 7}']);
    expect(code).toBe(1);
    expect(out).toMatch(/do not fit the input schema .*\n- message: .*string/);
    expect((await history(root)).map(([type]) => type)).toEqual(['tool.requested', 'tool.returned']);
  });

  it('refuses by rule without starting the server, and records that', async () => {
    const servers = { crash: server('crash-at-start.ts', { args: ['started'] }) };
    const policy = { denylist: [{ server: 'crash', tool: 'wipe' }] };
    const root = await trustedProject({ servers, policy });
    const { code, out } = await mcp(root, ['call', 'crash', 'wipe']);
    expect(code).toBe(1);
    expect(out).toContain('denies crash/wipe (denylist[0] crash/wipe)');
    expect(existsSync(join(root, 'started'))).toBe(false);
    expect(await history(root)).toMatchObject([
      ['tool.requested', { tool: 'wipe' }],
      ['tool.denied', { rule: 'denylist[0] crash/wipe' }],
      ['tool.returned', { isError: true }],
    ]);
  });

  it('refuses what a human would have to allow where there is no terminal', async () => {
    const root = await trustedProject({ servers: handy });
    const { code, out } = await mcp(root, ['call', 'it', 'echo', '--args', '{"words":"hi"}']);
    expect(code).toBe(1);
    expect(out).toContain('A human has to allow it/echo (default), and nobody can be asked here');
    expect((await history(root)).map(([type]) => type)).toEqual([
      'tool.requested',
      'tool.denied',
      'tool.returned',
    ]);
  });

  it('makes visible what a result hides', async () => {
    const root = await trustedProject({ servers: { it: server('sly.ts') }, policy: allowAll });
    const { out } = await mcp(root, ['call', 'it', 'sly']);
    expect(out).toBe(String.raw`It is \u001b[2Jhidden\u202e` + '\n');
  });

  it('starts nothing that nobody has trusted', async () => {
    const root = await mcpProject({ servers: { crash: server('crash-at-start.ts', { args: ['started'] }) } });
    const { code, err } = await mcp(root, ['call', 'crash', 'x']);
    expect(code).toBe(2);
    expect(err).toContain('trust it, with: clifford mcp trust');
    expect(existsSync(join(root, 'started'))).toBe(false);
  });

  it('leaves no process behind when it is ended in mid-call, and says in the log that it was', async () => {
    const root = await trustedProject({ servers: { it: server('handy.ts') }, policy: allowAll });
    const call = startMcp(root, ['call', 'it', 'block']);
    const log = join(root, '.clifford/mcp/it.log');
    await vi.waitFor(async () => expect(await readFile(log, 'utf8')).toContain('blocked'), {
      timeout: 15_000,
    });
    call.kill('SIGTERM');
    expect(await call.ended).toMatchObject({ code: 130, out: '' });
    expect(await history(root)).toMatchObject([
      ['tool.requested', { tool: 'block' }],
      ['tool.allowed', {}],
      ['tool.failed', { error: expect.stringContaining('the command was ended') }],
    ]);
  });
});

describe('clifford mcp call on a terminal', () => {
  const echo = ['call', 'it', 'echo', '--args', '{"words":"hello there"}'];

  it('shows the call and runs it after a yes, which the log has', async () => {
    const root = await trustedProject({ servers: handy });
    const screen = mcpOnTerminal(root, echo);
    await screen.see('Tool      it/echo (claims not believed)');
    await screen.see('rule: none matches, so the default asks');
    await screen.see(/Arguments\n {2}\{\n {4}"words": "hello there"/);
    await screen.see('Allow this call? [y/N]');
    screen.press('y\r');
    expect(await screen.exited).toBe(0);
    expect(screen.bytes()).toMatch(/\r\nhello there\r\n$/);
    expect(await history(root)).toMatchObject([
      ['tool.requested', { tool: 'echo' }],
      ['help.requested', { kind: 'approval', approval: { server: 'it', tool: 'echo' } }],
      ['help.answered', { verdict: 'approved', scope: 'once', by: 'ada', via: 'cli' }],
      ['tool.allowed', { by: 'ada' }],
      expect.anything(),
      expect.anything(),
    ]);
  });

  it('does not run it after a no', async () => {
    const root = await trustedProject({ servers: handy });
    const screen = mcpAtTerminal(root, echo);
    await screen.see('Allow this call? [y/N]');
    screen.press('A\r');
    expect(await screen.exited).toBe(1);
    // Who has just said no is told so, and not in words for an agent.
    expect(screen.bytes()).toContain('denied, so it echo was not called: only y or yes allows it\r\n');
    expect(screen.bytes()).not.toContain('The human');
    expect(screen.bytes()).not.toMatch(/\nhello there\r/);
    const types = (await history(root)).map(([type]) => type);
    expect(types).toContain('tool.denied');
    expect(types).not.toContain('tool.allowed');
  });

  it('ends at Ctrl-C, asks nobody any more, and asks again the next time', async () => {
    const root = await trustedProject({ servers: { it: server('handy.ts') } });
    const screen = mcpOnTerminal(root, echo);
    await screen.see('Allow this call? [y/N]');
    screen.press('\u0003');
    expect(await screen.exited).toBe(130);
    const project = await openTestProject(root);
    expect(openRequests(project.state)).toEqual([]);
    const again = mcpOnTerminal(root, echo);
    await again.see('Allow this call? [y/N]');
    again.press('y\r');
    expect(await again.exited).toBe(0);
  });

  it('is over when somebody else was faster', async () => {
    const root = await trustedProject({ servers: handy });
    const screen = mcpAtTerminal(root, echo);
    await screen.see('Allow this call? [y/N]');
    const [asked] = openRequests((await openTestProject(root)).state);
    expect(await clifford(['approve', asked?.id ?? ''], { cwd: root })).toMatchObject({ code: 0 });
    expect(await screen.exited).toBe(0);
    expect(screen.bytes()).toMatch(/\r\nhello there\r\n$/);
  });

  it('is no place to ask for the shell of an agent', async () => {
    const { root, project } = await projectWithSprint();
    await project.dispatch('demo', ({ streams }) => {
      const sprint = streams.get('demo');
      const task = sprint?.tasks.get('a');
      return sprint && task ? startTask(sprint, task, { by: 'runner', runId: 'run-1' }) : [];
    });
    await writeMcpJson(root, { servers: handy });
    await mcp(root, ['trust', '--yes']);
    const screen = mcpAtTerminal(root, echo, { CLIFFORD_RUN_ID: 'run-1' });
    expect(await screen.exited).toBe(1);
    expect(screen.lines().join('\n')).not.toContain('Allow this call?');
    expect(await eventsOf(project, 'tool.denied')).toMatchObject([
      { subject: 'demo/a', data: { rule: 'default' } },
    ]);
  });
});

describe('a server of a command', () => {
  it('ends with it', async () => {
    const root = await trustedProject({ servers: handy, policy: allowAll });
    const { out } = await mcp(root, ['call', 'it', 'pid']);
    expect(runs(Number(out))).toBe(false);
  });
});
