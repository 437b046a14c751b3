import { ConfigMemory } from '../../../src/workflow/config/config-file.ts';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { CallPolicy } from '../../../src/gateway/session/policy-in-force.ts';
import { methodTarget } from '../../../src/gateway/call/target.ts';
import { DEFAULT_POLICY } from '../../../src/gateway/config/policy-config.ts';
import { untilAllowed } from '../../../src/gateway/call/until-allowed.ts';
import { wholeArguments } from '../../../src/workflow/requests/held-call.ts';
import { createSession } from '../../../src/gateway/session/session.ts';
import type { RecordedCall } from '../../../src/gateway/call/tool.ts';
import { openRequests, requestById } from '../../../src/workflow/requests/find-request.ts';
import { answerRequest, dismissRequest } from '../../../src/workflow/requests/answer.ts';
import { approve, deny } from '../../../src/workflow/requests/approval.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { removeRule } from '../../../src/workflow/policy/remove-rule.ts';
import { forgeSnapshot } from '../../helpers/forge-snapshot.ts';
import { writeMcpJson } from '../../helpers/mcp-json.ts';
import { openTestProject, projectWithSprint, tempRoot } from '../../helpers/temp-project.ts';
import { callWith, progressLog } from '../../mcp/support/call-with.ts';
import { textOf } from '../../mcp/support/connect-agent.ts';
import { allowAll, fixture, gatewayAgent, untilToolsChange } from '../../mcp/support/gateway-agent.ts';
import { published } from '../../mcp/support/gateway-servers.ts';
import { eventsOf, untilAsked, untilLogged, untilOpen } from '../../mcp/support/project-log.ts';

const human = { by: 'ann', via: 'cli' };
const once = { ...human, scope: 'once' } as const;
const servers = { it: fixture('handy.ts') };
const echo = { words: 'hello' };

/** What a call returned that was to be asked about. */
function failed(words: string): never {
  throw new Error(`it was not asked about: ${words}`);
}

describe('a call that a human has to confirm', () => {
  it('waits, and runs once the human said yes; the log says who', async () => {
    const { text, project } = await gatewayAgent({ servers });
    const waiting = text('mcp__it__echo', echo);
    const request = await untilAsked(project);
    expect(request.asked).toMatchObject({
      kind: 'approval',
      approval: { server: 'it', tool: 'echo', args: echo, rule: 'default', trust: 'untrusted' },
    });
    expect(await eventsOf(project, 'tool.allowed')).toEqual([]);
    await approve(project, request.id, once);
    expect(await waiting).toBe('hello');
    await untilLogged(project, 'help.delivered');
    const [allowed] = await eventsOf(project, 'tool.allowed');
    expect(allowed?.data).toMatchObject({ by: 'ann', requestId: request.id });
    expect(allowed?.data.callId).toBe(request.asked.approval?.callId);
  });

  it('is refused with the reason when the human says no, and never reaches its server', async () => {
    const { call, project } = await gatewayAgent({ servers });
    const waiting = call('mcp__it__die', { code: 1 });
    const { id } = await untilAsked(project);
    await deny(project, id, { ...human, reason: 'it is in use' });
    const result = await waiting;
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('The human did not allow this call of it die');
    expect(textOf(result)).toContain('it is in use');
    const [denied] = await untilLogged(project, 'tool.denied');
    expect(denied?.data.by).toBe('ann');
    expect(await eventsOf(project, 'server.lost')).toEqual([]);
  });

  it('is shown whole while it waits, secrets too, and to nobody afterwards', async () => {
    const { text, project } = await gatewayAgent({ servers });
    const words = { words: `token sk-${'x1'.repeat(20)}` };
    const waiting = text('mcp__it__echo', words);
    const request = await untilAsked(project);
    expect(request.asked.approval?.args).toEqual({ words: 'token [hidden: 43 characters]' });
    await expect.poll(() => wholeArguments(request)).toEqual({ args: words });
    await approve(project, request.id, once);
    expect(await waiting).toBe(words.words);
    expect(await wholeArguments(request)).toBeUndefined();
  });

  it('is refused when the log has that it was refused', async () => {
    const root = await tempRoot();
    const project = await openTestProject(root);
    const written = Promise.withResolvers<void>();
    const decided = vi.fn<(verdict: unknown) => Promise<void>>(() => written.promise);
    const place = { stream: 'adhoc' };
    const policy = new CallPolicy({ policy: DEFAULT_POLICY, configOf: () => undefined });
    const target = methodTarget('it', 'resources/read', async () => ({}));
    const decision = policy.decide(project, target, echo, place);
    const call = {
      project,
      agent: { id: 'agent-1', client: 'opencode' },
      session: createSession({ root, env: {}, configMemory: new ConfigMemory(), report: () => {} }),
      signal: new AbortController().signal,
      arrivedAt: performance.now(),
      progress: undefined,
      delivers: () => {},
      takeNotes: async () => [],
      background: () => {},
    };
    let isOver = false;
    const recorded: RecordedCall = { callId: 'call-1', decided, asked: (ask) => ask(() => []) };
    const over = untilAllowed({ target, args: echo, digest: 'c', place, decision }, call, {
      policy,
      current: () => target,
      recorded,
    }).finally(() => (isOver = true));
    const { id } = await untilAsked(project);
    await deny(project, id, human);
    await vi.waitFor(() =>
      expect(decided).toHaveBeenCalledWith({ type: 'tool.denied', data: { by: 'ann', requestId: id } }),
    );
    // Whatever does not wait for the log is done by then.
    await project.refresh();
    expect(isOver).toBe(false);
    written.resolve();
    expect(await over).toMatchObject({ result: { isError: true } });
  });

  it('is refused when the human dismisses it; the log says who', async () => {
    const { call, project } = await gatewayAgent({ servers });
    const waiting = call('mcp__it__echo', echo);
    await dismissRequest(project, (await untilAsked(project)).id, human);
    expect((await waiting).isError).toBe(true);
    expect((await eventsOf(project, 'tool.denied')).map(({ data }) => data.by)).toEqual(['ann']);
  });

  it('takes the plain words of any face', async () => {
    const { text, project } = await gatewayAgent({ servers });
    const waiting = text('mcp__it__echo', echo);
    await answerRequest(project, (await untilAsked(project)).id, { ...human, response: 'yes' });
    expect(await waiting).toBe('hello');
  });

  it('is not asked about when its arguments do not fit, or the policy refuses it', async () => {
    const policy = { denylist: [{ server: 'it', tool: 'echo' }] };
    const everything = { command: process.execPath, args: [published.everything] };
    const { text, project } = await gatewayAgent({ servers: { ...servers, all: everything }, policy });
    expect(await text('mcp__it__echo', echo)).toContain('denylist[0]');
    expect(await text('mcp__all__echo', { message: 7 })).toContain('message: must be string');
    expect(await eventsOf(project, 'help.requested')).toEqual([]);
    expect(await eventsOf(project, 'tool.requested')).toHaveLength(2);
  });

  it('lets its client know that it is alive, with progress that only grows through wait and work', async () => {
    const { client, project } = await gatewayAgent({ servers }, { env: { CLIFFORD_PROGRESS_MS: '5' } });
    const { notes, onprogress, until } = progressLog();
    const waiting = callWith(client, 'mcp__it__progress', { count: 2 }, { onprogress });
    const { id } = await untilAsked(project);
    await until(3);
    await approve(project, id, once);
    expect(await waiting).toBe('there');
    expect(notes[0]?.message).toContain('waiting for a human');
    // Two steps more than there were when the server began.
    const last = notes.at(-1);
    expect(last).toMatchObject({ message: 'm', progress: last?.total });
    const values = notes.map(({ progress }) => progress);
    expect(values).toEqual([...new Set(values)].toSorted((a, b) => a - b));
  });
});

describe('the yes of a human', () => {
  it('serves one call: the same call again asks again', async () => {
    const { text, project } = await gatewayAgent({ servers });
    const first = text('mcp__it__echo', echo);
    await approve(project, (await untilAsked(project)).id, once);
    await first;
    const second = text('mcp__it__echo', echo);
    await approve(project, (await untilAsked(project)).id, once);
    expect(await second).toBe('hello');
    expect(await eventsOf(project, 'help.requested')).toHaveLength(2);
  });

  it('serves one of two calls that waited for it together; the other asks anew', async () => {
    const { call, project } = await gatewayAgent({ servers });
    const calls = [call('mcp__it__echo', echo), call('mcp__it__echo', echo)];
    const { id } = await untilAsked(project);
    await untilLogged(project, 'tool.requested', 2);
    await approve(project, id, once);
    const again = await untilLogged(project, 'help.requested', 2);
    expect(await eventsOf(project, 'tool.allowed')).toHaveLength(1);
    await deny(project, again.at(-1)?.data.requestId ?? '', human);
    const results = await Promise.all(calls);
    expect(results.filter(({ isError }) => isError === true)).toHaveLength(1);
  });

  it('is for these arguments: others ask', async () => {
    const { call, project } = await gatewayAgent({ servers });
    const first = call('mcp__it__echo', echo);
    await approve(project, (await untilAsked(project)).id, once);
    await first;
    void call('mcp__it__echo', { words: 'rm -rf /' }).catch(() => undefined);
    expect((await untilAsked(project)).asked.approval?.args).toEqual({ words: 'rm -rf /' });
  });

  it('for always lets every later call of the tool through, by its rule, until that is taken back', async () => {
    const { text, project } = await gatewayAgent({ servers });
    const first = text('mcp__it__echo', echo);
    await approve(project, (await untilAsked(project)).id, { ...human, scope: 'always' });
    await first;
    expect(await text('mcp__it__echo', { words: 'more' })).toBe('more');
    const [, allowed] = await untilLogged(project, 'tool.allowed', 2);
    expect(allowed?.data.rule).toMatch(/^granted r-.* \(always, by ann\)$/);

    await removeRule(project, project.state.policyRules[0]?.id ?? '', { by: 'ann' });
    void text('mcp__it__echo', { words: 'again' }).catch(() => undefined);
    await untilAsked(project);
  });

  it('is read from the log: a snapshot that keeps a rule that was taken back lets nothing through', async () => {
    const { text, project, root, server } = await gatewayAgent({ servers });
    const first = text('mcp__it__echo', echo);
    await approve(project, (await untilAsked(project)).id, { ...human, scope: 'always' });
    await first;
    const [rule] = project.state.policyRules;
    await removeRule(project, rule?.id ?? '', { by: 'ann' });
    await server.stop();
    await forgeSnapshot(root, ({ state }) => void (state.policyRules = rule ? [rule] : []));

    const second = await gatewayAgent({ servers }, { root });
    expect(second.project.state.policyRules).toEqual([rule]);
    void second.text('mcp__it__echo', { words: 'more' }).catch(() => undefined);
    await untilAsked(project);
    expect(await eventsOf(project, 'tool.allowed')).toHaveLength(1);
  });

  it('is read from the log also by a server that opens it anew', async () => {
    const { text, project, root } = await gatewayAgent({ servers });
    const first = text('mcp__it__echo', echo);
    await approve(project, (await untilAsked(project)).id, { ...human, scope: 'always' });
    await first;
    const [rule] = project.state.policyRules;
    await removeRule(project, rule?.id ?? '', { by: 'ann' });
    // What a crash left cannot be moved aside: nothing can be appended, and the handle is given up.
    const obstacle = join(root, '.clifford/quarantine');
    await writeFile(obstacle, '');
    await appendFile(join(root, '.clifford/events.jsonl'), '{"torn');
    expect(await text('mcp__it__echo', echo)).toContain('Cannot append');
    await rm(obstacle);
    await forgeSnapshot(root, ({ state }) => void (state.policyRules = rule ? [rule] : []));

    const later = text('mcp__it__echo', echo);
    const { id, asked } = await Promise.race([untilAsked(project), later.then(failed)]);
    expect(asked.approval?.rule).toBe('default');
    await deny(project, id, human);
    expect(await later).toContain('The human did not allow this call');
  });

  it('lets the other calls of the tool that wait through as well when it is a wide one', async () => {
    const { text, project } = await gatewayAgent({ servers });
    const [one, other] = [text('mcp__it__echo', { words: '1' }), text('mcp__it__echo', { words: '2' })];
    const [first] = await untilOpen(project, 2);
    await approve(project, first?.id ?? '', { ...human, scope: 'always' });
    expect(await Promise.all([one, other])).toEqual(['1', '2']);
    await untilLogged(project, 'tool.allowed', 2);
    expect(openRequests(project.state)).toEqual([]);
  });

  it('for a task holds for that task', async () => {
    const { root, stream } = await projectWithSprint();
    const env = { CURRENT_SPRINT_DIR: 'sprints/demo' };
    const { text, project } = await gatewayAgent({ servers }, { root, env });
    await text('update_task_status', { sprintDir: 'sprints/demo', taskId: 'a', status: 'active' });
    const first = text('mcp__it__echo', echo);
    const request = await untilAsked(project);
    expect(request).toMatchObject({ stream, taskId: 'a' });
    await approve(project, request.id, { ...human, scope: 'task' });
    await first;
    expect(await text('mcp__it__echo', { words: 'more' })).toBe('more');
    await text('update_task_status', { sprintDir: 'sprints/demo', taskId: 'a', status: 'completed' });
    await text('update_task_status', { sprintDir: 'sprints/demo', taskId: 'b', status: 'active' });
    void text('mcp__it__echo', { words: 'more' }).catch(() => undefined);
    expect((await untilAsked(project)).taskId).toBe('b');
  });

  it('is not waited for when the policy refuses by now', async () => {
    const { text, project, root, client } = await gatewayAgent({ servers });
    const changed = untilToolsChange(client);
    await client.listTools();
    const waiting = text('mcp__it__echo', echo);
    await untilAsked(project);
    await writeMcpJson(root, { servers, policy: { denylist: [{ server: 'it', tool: 'echo' }] } });
    await changed;
    expect(await waiting).toContain('denylist[0] it/echo');
    expect(await eventsOf(project, 'tool.allowed')).toEqual([]);
  });
});

describe('a call that nobody decides about', () => {
  it('is refused when the time of the policy is over, and a later yes serves the same call', async () => {
    const policy = { approvalTimeout: 20 };
    const { call, text, project } = await gatewayAgent({ servers, policy });
    const result = await call('mcp__it__echo', echo);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('No human allowed this call of it echo');
    const [denied] = await untilLogged(project, 'tool.denied');
    expect(denied?.data.rule).toContain('default: no human decided within');
    const { id } = await untilAsked(project);
    await approve(project, id, once);
    expect(await text('mcp__it__echo', echo)).toBe('hello');
    expect(await eventsOf(project, 'help.requested')).toHaveLength(1);
  });

  it('returns before its client gives it up, and the same call waits on for the same question', async () => {
    const { call, text, project } = await gatewayAgent(
      { servers },
      { env: { CLIFFORD_WAIT_LIMIT_MS: '300' } },
    );
    const limited = await call('mcp__it__echo', echo);
    expect(limited.isError).not.toBe(true);
    expect(textOf(limited)).toContain('No decision yet');
    const { id } = await untilAsked(project);
    expect(textOf(limited)).toContain(id);
    await approve(project, id, once);
    expect(await text('mcp__it__echo', echo)).toBe('hello');
    expect(await eventsOf(project, 'help.requested')).toHaveLength(1);
  });

  it('keeps its question when the agent cancels it, or leaves; another server hands the yes on', async () => {
    const { call, project, root, server } = await gatewayAgent({ servers });
    const cancel = new AbortController();
    const cancelled = call('mcp__it__echo', echo, cancel.signal);
    const { id } = await untilAsked(project);
    cancel.abort('later');
    await expect(cancelled).rejects.toThrow('later');
    await untilLogged(project, 'help.detached');
    void call('mcp__it__echo', echo).catch(() => undefined);
    await untilLogged(project, 'help.attached');
    await server.stop();
    await approve(project, id, once);
    expect(requestById(project.state, id)?.usedBy).toBeUndefined();
    const { text } = await gatewayAgent({ servers }, { root });
    expect(await text('mcp__it__echo', echo)).toBe('hello');
    expect(await eventsOf(project, 'help.requested')).toHaveLength(1);
  });
});

describe('a tool that is defined anew', () => {
  it('asks again though a snapshot says that it is known', async () => {
    const { call, project, root, server } = await gatewayAgent({ servers, policy: allowAll });
    await call('mcp__it__echo', echo);
    await server.stop();
    const digestIn = (pins: Project['state']['pins']) => pins.get('it')?.get('echo');
    const known = digestIn(project.state.pins) ?? '';
    // As if another definition were the known one, and then the other way round.
    await project.record('adhoc', [
      { type: 'tool.pinned', subject: 'adhoc', data: { server: 'it', tools: { echo: 'other' }, by: 'ann' } },
    ]);
    await forgeSnapshot(root, ({ state }) => {
      state.pins = new Map(state.pins).set('it', new Map(state.pins.get('it')).set('echo', known));
    });
    const second = await gatewayAgent({ servers, policy: allowAll }, { root });
    expect(digestIn(second.project.state.pins)).toBe(known);
    void second.text('mcp__it__echo', echo).catch(() => undefined);
    expect((await untilAsked(project)).asked.approval).toMatchObject({ tool: 'echo' });
  });

  it('asks again though it is allowed, and shows what changed; an always makes it known', async () => {
    const agent = await gatewayAgent({ servers, policy: allowAll });
    const { text, project } = agent;
    expect(await text('mcp__it__echo', echo)).toBe('hello');
    await untilLogged(project, 'tool.pinned');
    const changed = untilToolsChange(agent.client);
    await agent.client.listTools();
    await text('mcp__it__change', {});
    await changed;

    const waiting = text('mcp__it__echo', echo);
    const { id, asked } = await untilAsked(project);
    expect(asked.approval?.rule).toBe('changed definition (otherwise allowlist[0] */*)');
    expect(asked.approval?.change).toContain('-  "description": "The tool echo"');
    expect(asked.approval?.change).toContain('+  "description": "Says it backwards"');
    await approve(project, id, { ...human, scope: 'always' });
    expect(await waiting).toBe('hello');
    expect(await text('mcp__it__echo', { words: 'more' })).toBe('more');
  });

  it('while its call waits is asked about again: the yes was for the old one', async () => {
    const { text, project, client } = await gatewayAgent({ servers });
    const changed = untilToolsChange(client);
    await client.listTools();
    const waiting = text('mcp__it__echo', echo);
    const { id } = await untilAsked(project);
    const change = text('mcp__it__change', {});
    const [, second] = await untilOpen(project, 2);
    await approve(project, second?.id ?? '', once);
    await change;
    await changed;
    await approve(project, id, once);
    const asked = await untilLogged(project, 'help.requested', 3);
    expect(asked.at(-1)?.data.approval?.change).toContain('Says it backwards');
    await approve(project, asked.at(-1)?.data.requestId ?? '', once);
    expect(await waiting).toBe('hello');
  });
});
