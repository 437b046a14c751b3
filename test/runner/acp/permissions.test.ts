import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { approve, deny } from '../../../src/workflow/requests/approval.ts';
import { eventsOf, startRun, typesOf } from '../../helpers/sprint-run.ts';
import { acpSprint, completeByTool, done, human, ofType, openCall } from '../support/acp-sprint.ts';

/** Trusts the policy as a person would have. */
const trusting = { env: { ...process.env, CLIFFORD_TRUST_PROJECT: '1' } };

describe('an agent that asks over ACP before it acts', () => {
  it('runs a command once a human has allowed it, and all of it is in the log', async () => {
    const { root, project, has } = await acpSprint([{ run: 'touch made' }, completeByTool]);
    const { ended, text } = startRun(root, {});
    const id = await openCall(project);
    expect(has('made')).toBe(false);
    await approve(project, id, { ...human, scope: 'once' });
    expect(await ended).toEqual(done);
    expect(has('made')).toBe(true);
    expect(text()).toContain('At work.\n▸ execute touch made\n');

    const events = await eventsOf(project);
    const own = ofType(events, 'tool.requested').filter(({ data }) => data.server === '@fake');
    expect(own.map(({ data }) => data)).toMatchObject([{ tool: 'execute', args: { command: 'touch made' } }]);
    const { callId } = own[0]?.data ?? {};
    expect(ofType(events, 'tool.allowed').map(({ data }) => data)).toEqual([
      { callId, by: 'ann', requestId: id },
    ]);
    expect(ofType(events, 'tool.returned').map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ callId, isError: false }),
    );
    const types = events.map(({ type }) => type);
    expect(types.indexOf('tool.requested')).toBeLessThan(types.indexOf('help.requested'));
    expect(types.indexOf('help.answered')).toBeLessThan(types.indexOf('tool.allowed'));
    expect(types.indexOf('help.delivered')).toBeGreaterThan(types.indexOf('help.answered'));
  });

  it('does not run what was denied, and reads why', async () => {
    const { root, project, has, prompts } = await acpSprint([{ run: 'touch made' }]);
    const { ended } = startRun(root, {});
    await deny(project, await openCall(project), { ...human, reason: 'not in this folder' });
    expect(await ended).toEqual(done);
    expect(has('made')).toBe(false);
    expect((await prompts()).at(-1)).toContain('not in this folder');
  });

  it('is asked about nothing that its policy allows, and of a command line about each part', async () => {
    const { root, project, has } = await acpSprint(
      [{ run: 'touch one' }, { run: 'touch two; chmod 600 two' }],
      { agents: { rules: [{ kind: 'execute', command: { startsWith: 'touch' }, decision: 'allow' }] } },
    );
    const { ended } = startRun(root, trusting);
    const id = await openCall(project);
    expect(has('one')).toBe(true);
    expect(has('two')).toBe(false);
    await approve(project, id, { ...human, scope: 'once' });
    expect(await ended).toEqual(done);
    const rules = ofType(await eventsOf(project), 'tool.allowed').map(({ data }) => data.rule ?? data.by);
    expect(rules).toEqual(['agents.rules[0]', 'ann']);
  });

  it('is judged in the folder that it has told of, though it asks without it; a yes is for that folder', async () => {
    const { root, project, has } = await acpSprint(
      [
        { run: 'touch here', in: 'sub' },
        { run: 'touch there', in: '..', late: true },
        { run: 'touch there', in: '..' },
        { run: 'touch there', in: '/' },
      ],
      { agents: { rules: [{ kind: 'execute', command: { startsWith: 'touch' }, decision: 'allow' }] } },
    );
    await mkdir(join(root, 'sub'));
    const above = join(dirname(root), 'there');
    await rm(above, { force: true });
    onTestFinished(() => rm(above, { force: true }));
    const { ended } = startRun(root, trusting);
    await approve(project, await openCall(project), { ...human, scope: 'task' });
    await project.until(({ streams }) => (streams.get('demo')?.requests.size === 2 ? true : undefined));
    expect([has('sub/here'), has('../there')]).toEqual([true, true]);
    await deny(project, await openCall(project), human);
    expect(await ended).toEqual(done);
    const asked = ofType(await eventsOf(project), 'help.requested').map(({ data }) => data.approval);
    expect(asked.map((approval) => [approval?.args, approval?.rule])).toEqual(
      [dirname(root), '/'].map((cwd) => [
        { command: 'touch there', cwd },
        'in doubt (otherwise agents.rules[0])',
      ]),
    );
  });

  it('is allowed nothing by a policy that nobody has trusted, and refused what it denies', async () => {
    const { root, project, has } = await acpSprint([{ run: 'touch one' }, { run: 'rm -rf one' }], {
      agents: { ask: 'nothing', rules: [{ command: { startsWith: 'rm' }, decision: 'deny' }] },
    });
    const { ended } = startRun(root, {});
    await approve(project, await openCall(project), { ...human, scope: 'once' });
    expect(await ended).toEqual(done);
    expect(has('one')).toBe(true);
    const denied = ofType(await eventsOf(project), 'tool.denied').map(({ data }) => data.rule);
    expect(denied).toEqual(['agents.rules[0]']);
  });

  it('is asked nothing where nobody is to be asked, and all of it is in the log', async () => {
    const { root, project, has } = await acpSprint(
      [{ run: 'touch made' }, { edit: '.git/config', text: 'x' }],
      {
        agents: { ask: 'nothing' },
      },
    );
    expect(await startRun(root, trusting).ended).toEqual(done);
    expect(has('made')).toBe(true);
    expect(has('.git/config')).toBe(false);
    const types = await typesOf(project);
    expect(types).not.toContain('help.requested');
    expect(types.filter((type) => ['tool.allowed', 'tool.denied'].includes(type))).toEqual([
      'tool.allowed',
      'tool.denied',
    ]);
  });

  it('writes in its project unasked, and elsewhere only when a human says so', async () => {
    const { root, project, has } = await acpSprint([
      { edit: 'inside.txt', text: 'x' },
      { edit: '../outside.txt', text: 'x' },
    ]);
    const { ended } = startRun(root, {});
    await deny(project, await openCall(project), human);
    expect(await ended).toEqual(done);
    expect(has('inside.txt')).toBe(true);
    expect(has('../outside.txt')).toBe(false);
  });

  it('is not asked about again after a yes for the task, and about another command it is', async () => {
    const { root, project, has } = await acpSprint([
      { run: 'touch made' },
      { run: 'rm made' },
      { run: 'touch made' },
    ]);
    const { ended } = startRun(root, {});
    const first = await openCall(project);
    await approve(project, first, { ...human, scope: 'task' });
    await project.until(({ streams }) => (streams.get('demo')?.requests.size === 2 ? true : undefined));
    await approve(project, await openCall(project), { ...human, scope: 'once' });
    expect(await ended).toEqual(done);
    expect(has('made')).toBe(true);
    expect(project.state.streams.get('demo')?.requests.size).toBe(2);
  });
});
