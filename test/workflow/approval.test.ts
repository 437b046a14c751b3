import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Approval } from '../../src/events/approval.ts';
import { nameOf } from '../../src/machines/status-words.ts';
import { completeSprint } from '../../src/workflow/sprint/complete-sprint.ts';
import { cancelSprint, skipTask } from '../../src/workflow/sprint/control.ts';
import { removeRule } from '../../src/workflow/policy/remove-rule.ts';
import { openProject } from '../../src/workflow/project/project.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { answerRequest, dismissRequest } from '../../src/workflow/requests/answer.ts';
import { approve, askApproval, claimApproval, deny } from '../../src/workflow/requests/approval.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { recordDelivery } from '../../src/workflow/requests/deliver.ts';
import { requestById } from '../../src/workflow/requests/find-request.ts';
import { closedBy } from '../../src/workflow/requests/outcome-text.ts';
import { replyText } from '../../src/workflow/requests/reply-text.ts';
import { createSprintState } from '../../src/machines/project-state.ts';
import { loadSnapshot } from '../../src/workflow/project/snapshot-cache.ts';
import { setTaskStatus } from '../../src/workflow/task/set-task-status.ts';
import { fixtureProgram } from '../helpers/fixture-program.ts';
import { forkedProgram } from '../helpers/forked-program.ts';
import { approval } from '../helpers/approval.ts';
import { on } from '../helpers/history.ts';
import { openTestProject, projectWithSprint, tempRoot } from '../helpers/temp-project.ts';

const agent = { id: 'session-1', client: 'opencode' };
const other = { id: 'session-2', client: 'codex' };
const me = { by: 'ann', via: 'cli' };

const call = (over: Partial<Approval> = {}) => ({
  stream: 'demo',
  taskId: 'a',
  agent,
  approval: { ...approval, ...over },
});
const request = (project: Project, id: string) => {
  const found = requestById(project.state, id);
  if (!found) throw new Error(`there is no request ${id}`);
  return found;
};
const policyFile = async (root: string): Promise<unknown> =>
  JSON.parse(await readFile(join(root, '.clifford', 'policy.json'), 'utf8'));

describe('a call that a human has to allow', () => {
  it('blocks its task, and says what would be called', async () => {
    const { project } = await projectWithSprint();
    const asked = await askApproval(project, call());
    expect(asked).toMatchObject({
      phase: 'open',
      taskId: 'a',
      asked: {
        kind: 'approval',
        question: 'Allow fs write_file {"path":"notes.txt","content":"hello"}?',
        approval,
      },
    });
    const task = project.state.streams.get('demo')?.tasks.get('a');
    expect(nameOf(task?.machine.value ?? '')).toBe('blocked.approval');
  });

  it('is asked about once while it waits, whoever makes it', async () => {
    const { project } = await projectWithSprint();
    const first = await askApproval(project, call());
    const again = await askApproval(project, { ...call({ callId: 'call-2' }), agent: other });
    expect(again.id).toBe(first.id);
  });

  it.each([
    ['other arguments', call({ callDigest: 'another' })],
    ['another definition of the tool', call({ definitionDigest: 'definition-2' })],
    ['another task', { ...call(), taskId: 'b' }],
  ])('is another one with %s, even after a yes', async (_, different) => {
    const { project } = await projectWithSprint();
    const first = await askApproval(project, call());
    await approve(project, first.id, { ...me, scope: 'once' });
    expect(await askApproval(project, different)).toMatchObject({ phase: 'open' });
  });

  it('shows no secrets, also where they are escaped in JSON, and not more than can be read', async () => {
    const secret = 'quote" and \\slash';
    const root = await tempRoot();
    const project = await openProject({ root, source: '/clifford/mcp', env: { API_TOKEN: secret } });
    onTestFinished(() => project.close());
    const args = { a: [secret], long: 'x'.repeat(70_000) };
    const { asked } = await askApproval(project, {
      stream: 'adhoc',
      agent,
      approval: { ...approval, args },
    });
    expect(asked.approval?.args).toMatchObject({ length: 70_053 });
    expect(JSON.stringify(asked)).toContain('[hidden API_TOKEN: 17 characters]');
    expect(JSON.stringify(asked)).not.toContain('slash');
  });

  it('shows the beginning of a change that is too long for the log', async () => {
    const { project } = await projectWithSprint();
    const { asked } = await askApproval(project, call({ change: '+x'.repeat(40_000) }));
    expect(asked.approval?.change).toBe('+x'.repeat(32_768));
  });

  const token = `sk-${'x1'.repeat(20)}`;
  it.each([
    [
      'a command behind the beginning of a key',
      { command: 'git log # -----BEGIN PRIVATE KEY-----\nrm -rf docs' },
      { command: 'git log # -----BEGIN PRIVATE KEY-----\nrm -rf docs' },
      undefined,
    ],
    [
      'how much of a token is not shown, in names too',
      { [token]: `--key=${token} -v` },
      { '[hidden: 43 characters]': '--key=[hidden: 43 characters] -v' },
      { values: 2, characters: 86, lines: 2 },
    ],
    [
      'every argument, although two names look the same',
      { [token]: 1, [token.replace('x', 'y')]: 'rm' },
      { '[hidden: 43 characters]': 1, '[hidden: 43 characters] again': 'rm' },
      { values: 2, characters: 86, lines: 2 },
    ],
    [
      'a cut that the agent wrote, and what stands before it',
      { command: `${token.slice(0, 20)}… && rm` },
      { command: '[hidden: 20 characters]… && rm' },
      { values: 1, characters: 20, lines: 1 },
    ],
  ])('shows %s', async (_, args, shown, hidden) => {
    const { project } = await projectWithSprint();
    const { id, asked } = await askApproval(project, { ...call(), approval: { ...approval, args } });
    expect(asked.approval?.args).toEqual(shown);
    expect(asked.approval?.hidden).toEqual(hidden);
    // As another process reads it.
    const reader = await openTestProject(project.root);
    expect(request(reader, id).asked.approval?.args).toEqual(shown);
  });

  it('may have arguments that nobody could read as a tree', async () => {
    const { project } = await projectWithSprint();
    const deep = JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) as unknown;
    const { asked } = await askApproval(project, { ...call(), approval: { ...approval, args: deep } });
    expect(asked.approval?.args).toEqual({ cut: JSON.stringify(deep), length: 400 });
  });
});

describe('a yes to one call', () => {
  it('serves exactly one, and the next is asked about again', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askApproval(project, call());
    expect(await claimApproval(project, request(project, id), 'call-1')).toBe(false);
    expect(await approve(project, id, { ...me, scope: 'once' })).toMatchObject({ accepted: true });
    expect(await claimApproval(project, request(project, id), 'call-1')).toBe(true);
    expect(await claimApproval(project, request(project, id), 'call-2')).toBe(false);
    expect(await claimApproval(project, request(project, id), 'call-1')).toBe(true);
    expect(await askApproval(project, call({ callId: 'call-2' }))).toMatchObject({
      phase: 'open',
      asked: { follows: id },
    });
    expect(project.state.policyRules).toEqual([]);
    expect(project.state.pins.size).toBe(0);
  });

  it('is asked about once more after it was used: the same call made again joins that', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askApproval(project, call());
    await approve(project, id, { ...me, scope: 'once' });
    await claimApproval(project, request(project, id), 'call-1');
    const second = await askApproval(project, call({ callId: 'call-2' }));
    expect(second.id).not.toBe(id);
    expect((await askApproval(project, call({ callId: 'call-3' }))).id).toBe(second.id);
  });

  it('waits for the next attempt when its agent has gone', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askApproval(project, call());
    await approve(project, id, { ...me, scope: 'once' });
    // As guidance it is handed over, and stays unused.
    await recordDelivery(project, [request(project, id)], other.id);
    const again = await askApproval(project, { ...call({ callId: 'call-2' }), agent: other });
    expect(again).toMatchObject({ id, answer: { verdict: 'approved' } });
    expect(await claimApproval(project, again, 'call-2')).toBe(true);
  });

  it.each([
    ['completed', ['task.completed']],
    ['failed', ['task.failed']],
    ['reset', ['task.failed', 'task.reset']],
  ] as const)('is over when its task is %s, whoever makes the call', async (_, ends) => {
    const { project, stream } = await projectWithSprint({ tasks: ['a'] });
    const { id } = await askApproval(project, call());
    await approve(project, id, { ...me, scope: 'once' });
    for (const type of ends) await project.dispatch(stream, () => [on(`${stream}/a`, type)]);
    const { version } = project.state.streams.get(stream) ?? {};
    expect(await claimApproval(project, request(project, id), 'call-2')).toBe(false);
    expect(project.state.streams.get(stream)?.version).toBe(version);
    expect(await askApproval(project, call({ callId: 'call-2' }))).toMatchObject({
      phase: 'open',
      asked: { follows: id },
    });
    expect(replyText(request(project, id))).toContain('its task has ended since: making it again asks again');
  });

  it.each([
    ['completed', (project: Project) => completeSprint(project, { stream: 'demo', by: 'ann' })],
    ['cancelled', (project: Project) => cancelSprint(project, { stream: 'demo', by: 'ann' })],
  ])('that is about no task is over when its sprint is %s', async (_, end) => {
    const { project, stream } = await projectWithSprint({ tasks: ['a'] });
    const { id } = await askApproval(project, { stream, agent, approval });
    await approve(project, id, { ...me, scope: 'once' });
    await skipTask(project, { stream, taskId: 'a', by: 'ann' });
    await end(project);
    expect(await claimApproval(project, request(project, id), 'call-1')).toBe(false);
    const again = await askApproval(project, { stream, agent, approval });
    expect(again).toMatchObject({ phase: 'open', asked: { follows: id } });
  });

  it('that was still open when its task was reset counts', async () => {
    const { project, stream } = await projectWithSprint({ tasks: ['a'] });
    await skipTask(project, { stream, taskId: 'a', by: 'ann' });
    const { id, taskId } = await askApproval(project, call());
    expect(taskId).toBeUndefined();
    await project.dispatch(stream, () => [on(`${stream}/a`, 'task.reset')]);
    await approve(project, id, { ...me, scope: 'once' });
    expect(await claimApproval(project, request(project, id), 'call-1')).toBe(true);
  });

  it.each([
    ['another program', 0, other],
    ['anybody an hour later', 3_600_000, agent],
  ])('that is about no task does not wait for %s', async (_, later, who) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const project = await openTestProject(await tempRoot());
    const apart = (caller: typeof agent) =>
      askApproval(project, { stream: 'adhoc', agent: caller, approval });
    const { id } = await apart(agent);
    await approve(project, id, { ...me, scope: 'once' });
    expect((await apart({ ...agent, id: 'session-3' })).id).toBe(id);
    vi.setSystemTime(Date.now() + later);
    expect(await apart(who)).toMatchObject({ phase: 'open', asked: { follows: id } });
  });

  it('is taken by one of two processes that want it at once', async () => {
    const root = await tempRoot();
    const project = await openTestProject(root);
    const claimers = await Promise.all(['left', 'right'].map((name) => forkedProgram(program, [root, name])));
    for (let round = 0; round < 20; round += 1) {
      const { id } = await askApproval(project, {
        stream: 'adhoc',
        agent,
        approval: { ...approval, callDigest: `call ${round}` },
      });
      await approve(project, id, { ...me, scope: 'once' });
      const got = await Promise.all(claimers.map((claimer) => claim(claimer, id)));
      expect(got.filter(Boolean)).toHaveLength(1);
    }
    let allowed = 0;
    for await (const { events } of project.log.read())
      allowed += events.filter(({ type }) => type === 'tool.allowed').length;
    expect(allowed).toBe(20);
  });
});

describe('the first decision', () => {
  it('wins, and the second is told who was first', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askApproval(project, call());
    await deny(project, id, { by: 'bob', via: 'tui', reason: 'not there' });
    expect(await approve(project, id, { ...me, scope: 'always' })).toMatchObject({
      accepted: false,
      request: { answer: { verdict: 'denied', by: 'bob' } },
    });
    expect(project.state.policyRules).toEqual([]);
    expect(closedBy(request(project, id))).toMatch(/^bob denied it on the screen at \S+: not there$/);
    expect(await claimApproval(project, request(project, id), 'call-1')).toBe(false);
  });

  it.each(['approve', 'deny'] as const)('is no way to %s a question', async (verb) => {
    const { project, stream } = await projectWithSprint();
    const { id } = await ask(project, { stream, agent, kind: 'help', question: 'Which port?' });
    const decided =
      verb === 'approve' ? approve(project, id, { ...me, scope: 'once' }) : deny(project, id, me);
    await expect(decided).rejects.toMatchObject({
      code: 'NOT_AN_APPROVAL',
      message: `Cannot ${verb} ${id}: it is a question, not a tool call`,
    });
  });
});

describe('a no', () => {
  it('tells the agent why, and an attempt that has not heard it', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askApproval(project, call());
    await deny(project, id, { ...me, reason: 'Write below docs/ only.' });
    expect(replyText(request(project, id))).toBe(
      `The human did not allow this call of fs write_file (${id}). Reason: Write below docs/ only. Do not ` +
        'make it again as it is, and do not reach the same in another way: do without it, or ask with request_help.',
    );
    await recordDelivery(project, [request(project, id)], agent.id);
    expect((await askApproval(project, { ...call(), agent: other })).id).toBe(id);
    expect(await askApproval(project, call())).toMatchObject({ phase: 'open', asked: { follows: id } });
  });

  it('needs no reason', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askApproval(project, call());
    await deny(project, id, me);
    expect(replyText(request(project, id))).not.toContain('Reason');
  });

  it('is what a dismissal is', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askApproval(project, call());
    await dismissRequest(project, id, { ...me, reason: 'wrong place' });
    expect(replyText(request(project, id))).toContain('did not allow this call of fs write_file');
    expect(await claimApproval(project, request(project, id), 'call-1')).toBe(false);
  });
});

it.each(['log', 'mcp'])('what ended without a human (%s) is nobody’s no: the next call asks', async (via) => {
  const { project } = await projectWithSprint();
  const { id } = await askApproval(project, call());
  await dismissRequest(project, id, { by: 'clifford', via });
  expect(await askApproval(project, { ...call(), agent: other })).toMatchObject({
    phase: 'open',
    asked: { follows: id },
  });
});

describe('a yes that stands for more', () => {
  it('is a rule in the log, with the known definition, and in .clifford/policy.json', async () => {
    const { root, project } = await projectWithSprint();
    const { id } = await askApproval(project, call());
    await approve(project, id, { ...me, scope: 'always' });
    const rule = {
      id: expect.stringMatching(/^r-/),
      server: 'fs',
      tool: 'write_file',
      definitionDigest: 'definition-1',
      scope: { kind: 'always' },
      by: 'ann',
    };
    expect(project.state.policyRules).toMatchObject([rule]);
    expect(project.state.pins.get('fs')?.get('write_file')).toBe('definition-1');
    expect(await policyFile(root)).toEqual({ rules: [{ ...rule, at: expect.any(String) }] });
    expect(await claimApproval(project, request(project, id), 'call-1')).toBe(true);
  });

  it.each([
    ['task', { kind: 'task', stream: 'demo', taskId: 'a' }],
    ['sprint', { kind: 'sprint', stream: 'demo' }],
  ] as const)('for its %s names it, and ends with the sprint', async (scope, held) => {
    const { root, project, stream } = await projectWithSprint({ tasks: ['a'] });
    const { id } = await askApproval(project, call());
    await approve(project, id, { ...me, scope });
    expect(await policyFile(root)).toMatchObject({ rules: [{ scope: held }] });
    await setTaskStatus(project, { stream, taskId: 'a', status: 'completed', agent });
    await completeSprint(project, { stream, by: 'ann' });
    expect(project.state.policyRules).toEqual([]);
    expect(await policyFile(root)).toEqual({ rules: [] });
  });

  it('is taken back, once', async () => {
    const { root, project } = await projectWithSprint();
    const { id } = await askApproval(project, call());
    await approve(project, id, { ...me, scope: 'always' });
    const [rule] = project.state.policyRules;
    await removeRule(await openTestProject(root), rule?.id ?? '', { by: 'ann' });
    expect((await project.refresh()).policyRules).toEqual([]);
    expect(await policyFile(root)).toEqual({ rules: [] });
    await expect(removeRule(project, rule?.id ?? '', { by: 'ann' })).rejects.toMatchObject({
      code: 'RULE_UNKNOWN',
    });
    // Nobody waited for it any more: it does not serve a call after all.
    expect(await askApproval(project, call({ callId: 'call-2' }))).toMatchObject({ phase: 'open' });
  });

  it('survives the snapshot of a log whose sprint is compressed', async () => {
    const { root, project, stream } = await projectWithSprint({ tasks: ['a'] });
    const { id } = await askApproval(project, call());
    await approve(project, id, { ...me, scope: 'always' });
    await setTaskStatus(project, { stream, taskId: 'a', status: 'completed', agent });
    await completeSprint(project, { stream, by: 'ann' });
    const rules = project.state.policyRules;
    const long = Array.from({ length: 3_000 }, () => ({
      type: 'agent.usage' as const,
      subject: 'adhoc',
      data: { runId: 'run-1', tokens: { input: 1, output: 1 } },
    }));
    await project.record('adhoc', long);
    const kept = loadSnapshot(join(root, '.clifford', 'cache', 'state.json'), createSprintState)?.state;
    expect(rules).toHaveLength(1);
    expect(kept?.streams.loaded().map(({ id: loaded }) => loaded)).toEqual(['adhoc']);
    expect(kept?.policyRules).toEqual(rules);
    expect(kept?.pins).toEqual(project.state.pins);
    const reopened = await openTestProject(root);
    expect(reopened.state.policyRules).toEqual(rules);
  });

  it.each(['task', 'sprint'] as const)('cannot stand for a %s outside of one', async (scope) => {
    const project = await openTestProject(await tempRoot());
    const { id } = await askApproval(project, { stream: 'adhoc', agent, approval });
    await expect(approve(project, id, { ...me, scope })).rejects.toMatchObject({
      code: 'SCOPE_IMPOSSIBLE',
      fix: 'Choose one of: once, always',
    });
    expect(request(project, id).phase).toBe('open');
  });
});

describe('words of a face that knows no approvals', () => {
  it.each(['yes', ' Y ', 'Approved.', 'allow'])('%j is a yes to this call alone', async (response) => {
    const { project } = await projectWithSprint();
    const { id } = await askApproval(project, call());
    await answerRequest(project, id, { ...me, response });
    expect(request(project, id).answer).toMatchObject({ verdict: 'approved', scope: 'once', response });
  });

  it.each([
    ['no', undefined],
    ['No, use /tmp', 'No, use /tmp.'],
  ])('%j is a no', async (response, reason) => {
    const { project } = await projectWithSprint();
    const { id } = await askApproval(project, call());
    await answerRequest(project, id, { ...me, response });
    expect(request(project, id).answer).toMatchObject({ verdict: 'denied', response });
    expect(/Reason: ([^.]*\.)/.exec(replyText(request(project, id)) ?? '')?.[1]).toBe(reason);
  });

  it('that turn it down are a no, whatever they say', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askApproval(project, call());
    await answerRequest(project, id, { ...me, response: 'yes, but later', rejected: true });
    expect(request(project, id).answer).toMatchObject({ verdict: 'denied' });
  });

  it.each(['yes, always', 'sure', 'notes.txt is fine', '8080'])('%j is neither', async (response) => {
    const { project } = await projectWithSprint();
    const { id } = await askApproval(project, call());
    await expect(answerRequest(project, id, { ...me, response })).rejects.toMatchObject({
      code: 'APPROVAL_UNCLEAR',
      message: `Cannot answer ${id}: it asks whether fs write_file may run, and ${JSON.stringify(response)} is neither yes nor no`,
    });
    expect(request(project, id).phase).toBe('open');
  });
});

const program = fixtureProgram('processes/claimer.ts');

async function claim(claimer: ChildProcess, id: string): Promise<boolean> {
  claimer.send(id);
  const [got] = (await once(claimer, 'message')) as [boolean];
  return got;
}
