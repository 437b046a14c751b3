import { describe, expect, it, vi } from 'vitest';
import type { AgentCall } from '../../../src/gateway/permission/agent-call.ts';
import { loadMcpConfig } from '../../../src/gateway/config/load-mcp-config.ts';
import { recordTrust } from '../../../src/gateway/config/trust.ts';
import { HeldPolicy } from '../../../src/gateway/permission/held-policy.ts';
import { permitCall } from '../../../src/gateway/permission/permit-call.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { removeRule } from '../../../src/workflow/policy/remove-rule.ts';
import { dismissRequest } from '../../../src/workflow/requests/answer.ts';
import { approve, claimApproval, deny } from '../../../src/workflow/requests/approval.ts';
import { requestById } from '../../../src/workflow/requests/find-request.ts';
import { wholeArguments } from '../../../src/workflow/requests/held-call.ts';
import { forgeSnapshot } from '../../helpers/forge-snapshot.ts';
import { writeMcpJson } from '../../helpers/mcp-json.ts';
import { openTestProject, projectWithSprint, tempRoot } from '../../helpers/temp-project.ts';
import { eventsOf, untilAsked, untilLogged, untilOpen } from '../../mcp/support/project-log.ts';

const human = { by: 'ann', via: 'cli' };
const once = { ...human, scope: 'once' } as const;

const touch: AgentCall = {
  kind: 'execute',
  title: 'A command',
  args: { command: 'touch x' },
  commands: ['touch x'],
  cwd: '/',
  paths: [],
  hosts: [],
};

async function setUp(policy: object = {}) {
  const { root, project, stream } = await projectWithSprint();
  const trusts = { ...process.env, CLIFFORD_TRUST_PROJECT: '1' };
  const writePolicy = (said: object) => writeMcpJson(root, { policy: said });
  await writePolicy(policy);
  /** Asks as the agent of a run. */
  const permit = (
    callId: string,
    {
      call = {},
      run = 'run-1',
      by = project,
      env = trusts,
      signal = new AbortController().signal,
      isRecorded = false,
      taskId = 'a',
      isAlive = () => true,
      isOfRun = false,
      policy = new HeldPolicy({ root, env }),
    }: {
      call?: Partial<AgentCall>;
      run?: string;
      by?: Project;
      env?: typeof process.env;
      signal?: AbortSignal;
      isRecorded?: boolean;
      taskId?: string;
      isAlive?: () => boolean;
      isOfRun?: boolean;
      policy?: HeldPolicy;
    } = {},
  ) => {
    const agent = { id: run, client: 'fake', ...(isOfRun ? { runId: run } : {}) };
    const deps = { project: by, agent, name: 'fake', stream, taskId, policy, isAlive };
    return permitCall({ ...touch, cwd: root, ...call }, { callId, isRecorded }, deps, signal);
  };
  const another = () => openTestProject(root);
  return { root, project, stream, permit, writePolicy, another };
}

const allowed = expect.objectContaining({ is: 'allowed' });

/** A policy, and when the calls that wait have looked at it for the first time. */
function watchedPolicy(root: string, env: typeof process.env = process.env) {
  const policy = new HeldPolicy({ root, env });
  const onChange = vi.spyOn(policy, 'onChange');
  const looked = async (times = 1) => {
    await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(times));
    // One look after the other.
    await policy.now();
  };
  return { policy, looked };
}

describe('a call of an agent’s own tool', () => {
  it('runs by a human’s yes, and that is for one call only', async () => {
    const { project, permit } = await setUp();
    const first = permit('c1');
    const request = await untilAsked(project);
    expect(request.asked.approval).toMatchObject({
      server: '@fake',
      tool: 'execute',
      isOwn: true,
      callId: 'c1',
    });
    const second = permit('c2');
    await untilLogged(project, 'tool.requested', 2);
    await approve(project, request.id, once);
    const again = await untilAsked(project);
    expect(again.id).not.toBe(request.id);
    await deny(project, again.id, { ...human, reason: 'once is enough' });
    const words = await Promise.all([first, second]);
    expect(words).toContainEqual(allowed);
    expect(words).toContainEqual({ is: 'refused', reason: expect.stringContaining('once is enough') });
    expect(await eventsOf(project, 'tool.allowed')).toHaveLength(1);
    expect((await eventsOf(project, 'help.delivered')).map(({ data }) => data.requestId)).toContain(
      request.id,
    );
    expect((await eventsOf(project, 'tool.requested')).map(({ data }) => data.callId)).toEqual(['c1', 'c2']);
  });

  it.each([
    ['npm test && rm -rf dist', { destroys: true }],
    ['git push origin +main && sudo ls', { destroys: true, sends: true, rights: true }],
    ['npm publish --access public', { sends: true }],
    ['npm test', {}],
  ])('says of a command what is worst about it: %s', async (command, worst) => {
    const { project, permit } = await setUp();
    const call = permit('c1', { call: { args: { command }, commands: [command] } });
    const { id, asked } = await untilAsked(project);
    const { destroys, sends, rights } = asked.approval ?? {};
    expect({ destroys, sends, rights }).toEqual(worst);
    await deny(project, id, human);
    await call;
  });

  it('is allowed in one process of two', async () => {
    const { project, permit, another } = await setUp();
    const other = await another();
    const calls = [permit('c1'), permit('c2', { by: other, run: 'run-2' })];
    const { id } = await untilAsked(project);
    await untilLogged(project, 'tool.requested', 2);
    await untilLogged(project, 'help.attached');
    await approve(await another(), id, once);
    const next = await untilAsked(project);
    await deny(project, next.id, human);
    expect((await Promise.all(calls)).map(({ is }) => is).toSorted()).toEqual(['allowed', 'refused']);
  });

  it('is told apart from another one by what a human does not see of it', async () => {
    const secret = 'sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
    const { project, permit } = await setUp();
    const args = (key: string) => ({ args: { command: 'send', key } });
    const first = permit('c1', { call: args(secret) });
    const request = await untilAsked(project);
    expect(JSON.stringify(request.asked.approval)).not.toContain(secret);
    await vi.waitFor(async () => expect(await wholeArguments(request)).toEqual(args(secret)));
    await approve(project, request.id, { ...human, scope: 'always' });
    expect(await first).toEqual(allowed);
    expect(await permit('c2', { call: args(secret) })).toEqual(allowed);
    const other = permit('c3', { call: args(secret.replace('AA', 'BB')) });
    await deny(project, (await untilAsked(project)).id, human);
    expect(await other).toMatchObject({ is: 'refused' });
  });

  it('waits no longer once a wider yes to the same call decides it, and its question is gone', async () => {
    const { project, permit } = await setUp();
    const elsewhere = permit('c1');
    const [request] = await untilOpen(project);
    await approve(project, request?.id ?? '', { ...human, scope: 'always' });
    expect(await elsewhere).toEqual(allowed);
    expect(await permit('c2')).toEqual(allowed);
    const [rule] = project.state.policyRules;
    await removeRule(project, rule?.id ?? '', human);
    const third = permit('c3');
    await deny(project, (await untilAsked(project)).id, human);
    expect(await third).toMatchObject({ is: 'refused' });
  });

  it('of another task waits no longer either, and its question is dismissed', async () => {
    const { root, project, permit } = await setUp();
    const { policy, looked } = watchedPolicy(root);
    const calls = [permit('c1', { policy }), permit('c2', { policy, taskId: 'b', run: 'run-2' })];
    const [first, second] = await untilOpen(project, 2);
    await looked(2);
    await approve(project, first?.id ?? '', { ...human, scope: 'always' });
    expect(await Promise.all(calls)).toEqual([allowed, allowed]);
    expect(requestById(project.state, second?.id ?? '')).toMatchObject({
      dismissal: { by: 'clifford', via: 'acp' },
    });
  });

  it('is asked about anew where another process found a rule that decides it, and there is none any more', async () => {
    const { project, permit } = await setUp();
    const waiting = permit('c1');
    const { id } = await untilAsked(project);
    // As whoever waits for the same call in another process does.
    await dismissRequest(project, id, { by: 'clifford', via: 'acp', reason: 'the policy decides it by now' });
    const [again] = await untilOpen(project);
    expect(again?.id).not.toBe(id);
    await approve(project, again?.id ?? '', once);
    expect(await waiting).toEqual(allowed);
  });

  it('is not allowed by a rule that only a snapshot has', async () => {
    const { root, project, permit, another } = await setUp();
    const first = permit('c1');
    await approve(project, (await untilAsked(project)).id, { ...human, scope: 'always' });
    await first;
    const [rule] = project.state.policyRules;
    await removeRule(project, rule?.id ?? '', human);
    await project.close();
    await forgeSnapshot(root, ({ state }) => void (state.policyRules = rule ? [rule] : []));
    const later = await another();
    expect(later.state.policyRules).toEqual([rule]);
    const second = permit('c2', { by: later });
    await deny(later, (await untilAsked(later)).id, human);
    expect(await second).toMatchObject({ is: 'refused' });
  });

  it('waits no longer once the file refuses it, whatever a human would say', async () => {
    const { root, project, permit, writePolicy } = await setUp();
    const { policy, looked } = watchedPolicy(root);
    const waiting = permit('c1', { policy });
    const { id } = await untilAsked(project);
    await looked();
    await writePolicy({ agents: { rules: [{ command: { startsWith: 'touch' }, decision: 'deny' }] } });
    expect(await waiting).toMatchObject({
      is: 'refused',
      reason: expect.stringContaining('agents.rules[0]'),
    });
    expect((await approve(project, id, once)).accepted).toBe(false);
    expect(await eventsOf(project, 'tool.allowed')).toEqual([]);
    expect((await eventsOf(project, 'tool.denied')).map(({ data }) => data.rule)).toEqual([
      'agents.rules[0]',
    ]);
  });

  it('waits no longer once a person has trusted a file that allows it', async () => {
    const { root, project, permit, writePolicy } = await setUp();
    const env = { XDG_STATE_HOME: await tempRoot() };
    const { policy, looked } = watchedPolicy(root, env);
    const waiting = permit('c1', { policy });
    const { id } = await untilAsked(project);
    await looked();
    await writePolicy({ agents: { rules: [{ command: { startsWith: 'touch' }, decision: 'allow' }] } });
    await policy.now();
    expect(requestById(project.state, id)?.phase).toBe('open');
    await recordTrust(root, await loadMcpConfig({ root, env }), env);
    expect(await waiting).toEqual(allowed);
    expect(requestById(project.state, id)).toMatchObject({ dismissal: { by: 'clifford', via: 'acp' } });
    expect((await eventsOf(project, 'tool.allowed')).map(({ data }) => data.rule)).toEqual([
      'agents.rules[0]',
    ]);
  });

  it('is refused by a policy that has become stricter between a yes and its call', async () => {
    const { root, project, permit, writePolicy } = await setUp();
    const policy = new HeldPolicy({ root, env: process.env });
    // As where no notice of the file has come yet.
    vi.spyOn(policy, 'onChange').mockReturnValue(() => undefined);
    const waiting = permit('c1', { policy });
    const { id } = await untilAsked(project);
    await writePolicy({ agents: { rules: [{ command: { startsWith: 'touch' }, decision: 'deny' }] } });
    await approve(project, id, once);
    expect(await waiting).toMatchObject({ is: 'refused' });
    expect(await eventsOf(project, 'tool.allowed')).toEqual([]);
  });

  it('is refused when nobody decides in time; a later yes is there for the same call', async () => {
    const { project, permit, writePolicy } = await setUp({ approvalTimeout: 1 });
    expect(await permit('c1')).toMatchObject({
      is: 'refused',
      reason: expect.stringContaining('No human allowed it within'),
    });
    const [request] = await untilOpen(project);
    expect(request?.waiting.size).toBe(0);
    await writePolicy({});
    const second = permit('c2');
    // Somebody waits again, which stops the clock of the attempt.
    await untilLogged(project, 'help.attached');
    await approve(project, request?.id ?? '', once);
    expect(await second).toEqual(allowed);
  });

  it('is cancelled when its agent leaves, and another run takes the answer', async () => {
    const { project, permit } = await setUp();
    const gone = new AbortController();
    const first = permit('c1', { signal: gone.signal });
    const { id } = await untilAsked(project);
    gone.abort();
    expect(await first).toEqual({ is: 'cancelled' });
    expect(requestById(project.state, id)).toMatchObject({ phase: 'open', detached: ['run-1'] });
    await approve(project, id, once);
    expect(await permit('c2', { run: 'run-2' })).toEqual(allowed);
    expect((await eventsOf(project, 'help.requested')).length).toBe(1);
  });

  it('is cancelled when its agent has ended and nobody noticed yet: the answer is there for the next one', async () => {
    const { project, permit } = await setUp();
    const first = permit('c1', { isAlive: () => false });
    await approve(project, (await untilAsked(project)).id, once);
    expect(await first).toEqual({ is: 'cancelled' });
    expect(await permit('c2', { run: 'run-2' })).toEqual(allowed);
  });

  it('whose agent could not be told that it may run leaves the yes to the same call, once', async () => {
    const { project, permit } = await setUp();
    const first = permit('c1');
    const { id } = await untilAsked(project);
    await approve(project, id, once);
    const word = await first;
    const giveBack = async () => (word.is === 'allowed' ? word.giveBack?.() : undefined);
    await giveBack();
    expect(requestById(project.state, id)?.usedBy).toBeUndefined();
    expect(await permit('c2', { run: 'run-2' })).toEqual(allowed);
    // It is another one's by now.
    await giveBack();
    expect(requestById(project.state, id)?.usedBy).toBe('c2');
    expect(await eventsOf(project, 'help.requested')).toHaveLength(1);
    void permit('c3').catch(() => undefined);
    expect((await untilAsked(project)).id).not.toBe(id);
  });

  it('leaves no yes behind that is given back when its task has ended', async () => {
    const { project, stream, permit } = await setUp();
    const first = permit('c1');
    const { id } = await untilAsked(project);
    await approve(project, id, once);
    const word = await first;
    await project.dispatch(stream, () => [
      { type: 'task.skipped', subject: `${stream}/a`, data: { by: 'ann' } },
    ]);
    if (word.is === 'allowed') await word.giveBack?.();
    expect(await claimApproval(project, { stream, id, taskId: 'a' }, 'c2')).toBe(false);
  });

  it('that nobody waits for is not even asked about', async () => {
    const { project, permit } = await setUp();
    expect(await permit('c1', { signal: AbortSignal.abort() })).toEqual({ is: 'cancelled' });
    expect(await eventsOf(project, 'tool.requested')).toEqual([]);
    expect(await eventsOf(project, 'help.requested')).toEqual([]);
  });

  it('that is written down already is not written down twice', async () => {
    const { project, permit } = await setUp({ agents: { ask: 'nothing' } });
    expect(await permit('c1', { isRecorded: true })).toEqual(allowed);
    expect(await eventsOf(project, 'tool.requested')).toEqual([]);
    expect((await eventsOf(project, 'tool.allowed')).map(({ data }) => data)).toEqual([
      { callId: 'c1', rule: 'agents.ask nothing (otherwise agents.ask what-matters)' },
    ]);
  });

  it('is allowed nothing by a policy that nobody has trusted, which may refuse', async () => {
    const rules = [
      { command: { startsWith: 'touch' }, decision: 'allow' },
      { command: { startsWith: 'rm' }, decision: 'deny' },
    ];
    const { project, permit } = await setUp({ agents: { ask: 'nothing', rules } });
    const waiting = permit('c1', { env: process.env });
    await deny(project, (await untilAsked(project)).id, human);
    expect(await waiting).toMatchObject({ is: 'refused' });
    const rm = { call: { args: { command: 'rm x' }, commands: ['rm x'] } };
    expect(await permit('c2', { ...rm, env: process.env })).toMatchObject({ is: 'refused' });
    expect(await permit('c3')).toEqual(allowed);
    const strict = await setUp({ agents: { ask: 'everything' } });
    const edit = { kind: 'edit' as const, paths: ['a'], args: { path: 'a' }, commands: [] };
    const asked = strict.permit('c1', { call: edit, env: process.env });
    await approve(strict.project, (await untilAsked(strict.project)).id, once);
    expect(await asked).toEqual(allowed);
  });

  it('is refused while the policy cannot be read', async () => {
    const { root, permit } = await setUp();
    await writeMcpJson(root, { policy: { agents: { ask: 'whatever' } } });
    expect(await permit('c1')).toMatchObject({
      is: 'refused',
      reason: expect.stringContaining('cannot be read'),
    });
  });

  it('is kept for the session that goes on, when it comes once the log says that the agent is parked', async () => {
    const { project, stream, permit } = await setUp();
    const start = (attempt: number, runId: string) =>
      project.dispatch(stream, () => [
        { type: 'task.started', subject: `${stream}/a`, data: { attempt, runId, by: 'clifford' } },
      ]);
    await project.dispatch(stream, () => [
      { type: 'sprint.started', subject: stream, data: { runner: 'clifford', maxAttempts: 1 } },
    ]);
    await start(1, 'run-1');
    const first = permit('c1', { isOfRun: true });
    const { id } = await untilAsked(project);
    await project.dispatch(stream, () => [
      { type: 'agent.parked', subject: `${stream}/a`, data: { runId: 'run-1', waitedMs: 1 } },
    ]);
    await approve(project, id, once);
    expect(await first).toEqual({ is: 'cancelled' });
    await start(2, 'run-2');
    expect(await permit('c2', { run: 'run-2', isOfRun: true })).toEqual(allowed);
  });
});
