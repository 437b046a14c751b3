import { describe, expect, it } from 'vitest';
import type { EventData } from '../../../src/events/catalog.ts';
import { subjectOf } from '../../../src/events/envelope.ts';
import type { RecordedCall } from '../../../src/gateway/backtest/recorded-call.ts';
import { readCalls } from '../../../src/gateway/backtest/read-calls.ts';
import { digestOf } from '../../../src/lib/digest.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { approve, askApproval, claimApproval, deny } from '../../../src/workflow/requests/approval.ts';
import { dismissRequest } from '../../../src/workflow/requests/answer.ts';
import { approveEdited } from '../../../src/workflow/requests/edited-call.ts';
import { explainFirst } from '../../../src/workflow/requests/explain-first.ts';
import { requestById } from '../../../src/workflow/requests/find-request.ts';
import { openTestProject, projectWithSprint } from '../../helpers/temp-project.ts';
import { answer, askAbout, commandOf } from './recorded-calls.ts';

const stream = 'demo';
const subject = subjectOf(stream, 'a');
const ada = { by: 'ada', via: 'cli' };

/** A call that an agent makes, as the log gets it before anything is decided. */
const made = (callId: string, over: Partial<EventData<'tool.requested'>> = {}) => {
  const args = over.args ?? { path: 'a' };
  const data = { callId, server: 'fs', tool: 'read_file', args, argsDigest: digestOf(args), ...over };
  return { type: 'tool.requested', subject, data } as const;
};
const allowed = (callId: string, rule: string) =>
  ({ type: 'tool.allowed', subject, data: { callId, rule } }) as const;
const denied = (callId: string, rule: string) =>
  ({ type: 'tool.denied', subject, data: { callId, rule } }) as const;
const returned = (callId: string) =>
  ({ type: 'tool.returned', subject, data: { callId, isError: false, durationMs: 1, bytes: 1 } }) as const;

const outcomes = async (project: Project): Promise<RecordedCall['outcome'][]> =>
  (await readCalls(project)).map(({ outcome }) => outcome);

describe('the calls of a log', () => {
  it('are none where there is no log', async () => {
    const { project } = await projectWithSprint();
    expect(await readCalls(project)).toEqual([]);
  });

  it('say by which rule they ran or were refused, and which of them an agent did unasked', async () => {
    const { project } = await projectWithSprint();
    await project.record(stream, [made('1'), allowed('1', 'default'), returned('1')]);
    await project.record(stream, [made('2'), denied('2', 'denylist[0] fs/*')]);
    await project.record(stream, [made('3'), allowed('3', 'granted r-1 (this sprint, by ada (root))')]);
    await project.record(stream, [made('4', { server: '@opencode', tool: 'read' }), returned('4')]);
    await project.record(stream, [made('5'), returned('5')]);
    await project.record(stream, [made('6', { server: 'clifford', tool: 'request_help' }), returned('6')]);
    const unattended = 'agents.ask nothing (otherwise default)';
    await project.record(stream, [made('7'), allowed('7', 'agents.ask nothing'), returned('7')]);
    await project.record(stream, [made('8'), allowed('8', unattended), returned('8')]);
    await project.record(stream, [made('9'), denied('9', unattended)]);
    expect(await outcomes(project)).toEqual([
      { is: 'ran', rule: 'default' },
      { is: 'stopped', rule: 'denylist[0] fs/*' },
      { is: 'approved', by: 'ada (root)' },
      { is: 'unasked' },
      { is: 'undecided' },
      { is: 'ran', rule: 'agents.ask nothing' },
      { is: 'unattended', rule: unattended },
      { is: 'unattended', rule: unattended },
    ]);
  });

  it('are those that a human made of them, where one did', async () => {
    const { project } = await projectWithSprint();
    const id = await askAbout(project, stream, { ...commandOf('npm test'), callId: '1' });
    await approveEdited(project, id, { ...ada, args: { command: 'npm run test' } });
    // The agent makes that one: it is no call of its own.
    await project.record(stream, [made('2', { server: '@opencode', tool: 'execute' })]);
    const ended = requestById(project.state, id);
    expect(ended && (await claimApproval(project, ended, '2'))).toBe(true);
    expect(await readCalls(project)).toMatchObject([
      { requestId: id, args: { command: 'npm run test' }, outcome: { is: 'approved', by: 'ada' } },
    ]);
  });

  it('are no answer of a human who only asked about one', async () => {
    const { project } = await projectWithSprint();
    const id = await askAbout(project, stream, commandOf('npm test'));
    await explainFirst(project, id, ada);
    await project.record(stream, [{ type: 'tool.denied', subject, data: { callId: id, by: 'ada' } }]);
    expect(await outcomes(project)).toEqual([{ is: 'undecided' }]);
  });

  it('say what a human decided, and that nobody or an agent did', async () => {
    const { project } = await projectWithSprint();
    const ids = [
      await answer(project, stream, 'approved', commandOf('npm test')),
      await answer(project, stream, 'denied', commandOf('git push')),
      await askAbout(project, stream, commandOf('ls')),
      await askAbout(project, stream, commandOf('ls -a')),
      await askAbout(project, stream, commandOf('ls -l')),
    ];
    await dismissRequest(project, ids[3] ?? '', ada);
    await deny(project, ids[4] ?? '', { by: 'agent:run-1', via: 'cli' });
    const calls = await readCalls(project);
    expect(calls.map(({ requestId, outcome }) => ({ requestId, outcome }))).toEqual([
      { requestId: ids[0], outcome: { is: 'approved', by: 'ada' } },
      { requestId: ids[1], outcome: { is: 'denied', by: 'ada' } },
      ...ids.slice(2).map((requestId) => ({ requestId, outcome: { is: 'undecided' } })),
    ]);
    expect(calls[0]).toMatchObject({
      stream,
      taskId: 'a',
      server: '@opencode',
      args: { command: 'npm test' },
    });
  });

  it('are one where a later attempt makes the same call, waits on or takes the word', async () => {
    const { project } = await projectWithSprint();
    const own = { server: '@opencode', tool: 'execute', args: { command: 'npm test' } };
    const approval = {
      ...own,
      callId: '1',
      isOwn: true as const,
      callDigest: 'd',
      definitionDigest: 'd',
      rule: 'default',
      trust: 'untrusted' as const,
    };
    const agent = { id: 'run-1', client: 'opencode' };
    const asked = { stream, taskId: 'a', agent, approval };
    const { id } = await askApproval(project, asked, () => [made('1', own)]);
    await askApproval(project, { ...asked, approval: { ...approval, callId: '2' } }, () => [made('2', own)]);
    await approve(project, id, { ...ada, scope: 'once' });
    await project.record(stream, [made('3', own)]);
    const request = requestById(project.state, id);
    expect(request && (await claimApproval(project, request, '3'))).toBe(true);
    await project.record(stream, [returned('3')]);
    expect(await outcomes(project)).toEqual([{ is: 'approved', by: 'ada' }]);
  });

  it('are decided by nobody where a human was too late', async () => {
    const { project } = await projectWithSprint();
    await project.record(stream, [made('1')]);
    const id = await askAbout(project, stream, { server: 'fs', tool: 'read_file', args: {}, callId: '1' });
    await project.record(stream, [
      { type: 'help.expired', subject, data: { requestId: id, afterMs: 5 } },
      denied('1', 'default: no human decided'),
    ]);
    expect(await outcomes(project)).toEqual([{ is: 'undecided' }]);
  });

  it('are those of one sprint, where one is named', async () => {
    const { project } = await projectWithSprint();
    await project.record('adhoc', [{ ...made('1'), subject: 'adhoc' }]);
    await project.record(stream, [made('2')]);
    expect(await readCalls(project, stream)).toHaveLength(1);
    expect(await readCalls(project, 'adhoc')).toHaveLength(1);
    expect(await readCalls(project)).toHaveLength(2);
  });

  it.each<[string, EventData<'tool.requested'>['args'], Partial<EventData<'tool.requested'>>, boolean]>([
    ['as they were', { path: 'a', of: 1 }, { argsDigest: digestOf({ of: 1, path: 'a' }) }, true],
    ['without a secret', { path: '[redacted]' }, { argsDigest: digestOf({ path: 'ghp_x' }) }, false],
    ['cut', { cut: '{"pa', length: 9_000 }, { argsDigest: digestOf({ path: 'x' }) }, false],
    [
      'with as many paths as are kept',
      {},
      { server: '@a', tool: 'edit', paths: Array<string>(50).fill('a') },
      false,
    ],
    ['with a path that was cut', {}, { server: '@a', tool: 'edit', paths: ['a'.repeat(1_000)] }, false],
    ['without a command', {}, { server: '@a', tool: 'execute' }, false],
  ])('know whether their arguments are whole: %s', async (_how, args, over, isWhole) => {
    const { project } = await projectWithSprint();
    await project.record(stream, [made('1', { args, ...over })]);
    expect((await readCalls(project))[0]).toMatchObject({ isWhole });
  });

  it('are not whole where a human saw them without a secret', async () => {
    const { root, project } = await projectWithSprint();
    const withSecrets = await openTestProject(root, { DEPLOY_TOKEN: 'correct-horse-battery' });
    await answer(withSecrets, stream, 'approved', commandOf('deploy correct-horse-battery'));
    await answer(project, stream, 'approved', commandOf('deploy staging'));
    expect((await readCalls(project)).map(({ isWhole }) => isWhole)).toEqual([false, true]);
  });
});
