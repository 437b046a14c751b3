import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clifford } from '../../helpers/clifford-process.ts';
import { describeOnEachEngine } from '../../helpers/each-engine.ts';
import { writeSprint } from '../../helpers/temp-project.ts';
import { eventsOf } from '../../helpers/sprint-run.ts';
import { acpSprint, ofType } from '../../runner/support/acp-sprint.ts';

const trusting = { CLIFFORD_TRUST_PROJECT: '1' };
const noRm = { rules: [{ command: { startsWith: 'rm' }, decision: 'deny' }] };

/** A run of an agent that takes these steps, each attempt is the last. */
async function run(steps: readonly object[], agents?: object, env: Record<string, string> = {}) {
  const sprint = await acpSprint(steps, agents && { agents }, {}, { maxAttempts: 1 });
  const ended = await clifford(['run', '--plain'], { cwd: sprint.root, env });
  const events = await eventsOf(sprint.project);
  return {
    ...sprint,
    ...ended,
    events,
    unasked: ofType(events, 'tool.unasked').map(({ data }) => data),
    reason: ofType(events, 'agent.exited').map(({ data }) => data.reason),
  };
}

describeOnEachEngine('what an agent does without asking', () => {
  it('is recorded and shown where a human should have been asked, and the run goes on', async () => {
    const { root, code, out, events, unasked, has } = await run([{ run: 'touch made', unasked: true }]);
    expect(code).toBe(0);
    expect(has('made')).toBe(true);
    const [requested] = ofType(events, 'tool.requested').filter(({ data }) => data.server === '@fake');
    const { callId, runId } = requested?.data ?? {};
    const about = { kind: 'execute', about: 'touch made', title: 'A command' };
    expect(unasked).toEqual([
      { callId, ...about, decision: 'confirm', rule: 'agents.ask what-matters', runId, agent: 'fake' },
    ]);
    const types = events.map(({ type }) => type);
    expect(types.indexOf('tool.requested')).toBeLessThan(types.indexOf('tool.unasked'));
    const text = 'execute touch made, without asking: a human has to allow it (agents.ask what-matters)';
    expect(out).toContain(` tool.unasked ${text}\n`);
    expect((await clifford(['replay'], { cwd: root })).out).toContain(text);
    const { transcript = '' } = ofType(events, 'agent.started')[0]?.data ?? {};
    expect(await readFile(join(root, transcript), 'utf8')).toContain(`[clifford: ${text}]`);
    const status = await clifford(['status'], { cwd: root });
    expect(status.out).toMatch(/✔ a .*1 call without asking/);
    expect(status.out).toMatch(/\nfake was seen not to wait for a yes, in demo: a\n$/);
    const { out: json } = await clifford(['status', '--json'], { cwd: root });
    expect(JSON.parse(json)).toMatchObject({
      mistrusted: [{ seenBy: 'run', agent: 'fake', sprint: 'demo', tasks: ['a'] }],
    });
    const again = await clifford(['run', '--plain', 'demo'], { cwd: root });
    expect(again.err).not.toContain('was seen');
    await writeSprint(root, { id: 'next', tasks: ['b'] });
    const next = await clifford(['run', '--plain', 'next'], { cwd: root });
    expect(next.err).toContain('note: fake was seen not to wait for a yes, in demo: a\n');
  });

  it('ends its attempt where it is denied, and the log says why', async () => {
    const steps = [
      { run: 'rm -f made', unasked: true },
      { ends: true, stays: true },
    ];
    const { root, code, events, unasked, reason } = await run(steps, noRm);
    expect(code).toBe(1);
    expect(unasked).toMatchObject([{ decision: 'deny', rule: 'agents.rules[0]' }]);
    expect(reason).toEqual(['unasked']);
    expect(ofType(events, 'task.failed').map(({ data }) => data.reason)).toEqual([
      'the agent did what it may not: execute rm -f made, without asking: it is denied (agents.rules[0])',
    ]);
    // What is short stands before what is long.
    const { out } = await clifford(['status'], { cwd: root });
    expect(out).toMatch(/✗ a {2}failed {2}(?:.*, )?1 call without asking, the agent did what it may not: /);
  });
});

// What the policy makes of it: no log has a say in that.
describe('what an agent does without asking', () => {
  it.each([
    ['"unasked": "stop"', 'unasked', { unasked: 'stop' }, 'touch made', {}],
    ['"unasked": "record"', 'turned', { ...noRm, unasked: 'record' }, 'rm -f made', trusting],
    [
      '"unasked": "record" that nobody has trusted',
      'unasked',
      { ...noRm, unasked: 'record' },
      'rm -f made',
      {},
    ],
    ['deny of what has failed', 'turned', noRm, 'rm made', {}],
    ['confirm', 'turned', noRm, 'touch made', {}],
  ])('by the policy: %s ends as %s', async (_word, end, agents, command, env) => {
    const steps = [
      { run: command, unasked: true },
      { ends: true, stays: true },
    ];
    const { unasked, reason } = await run(steps, agents, env);
    expect(unasked).toHaveLength(1);
    expect(reason).toEqual([end]);
  });

  it('is also what it was refused and does all the same, which ends its attempt', async () => {
    const steps = [
      { run: 'touch kept', despite: true },
      { ends: true, stays: true },
    ];
    const rules = [{ command: { startsWith: 'touch' }, decision: 'deny' }];
    const { code, out, unasked, reason, events, has } = await run(steps, { rules });
    expect({ code, reason }).toEqual({ code: 1, reason: ['unasked'] });
    expect(has('kept')).toBe(true);
    const [denied] = ofType(events, 'tool.denied');
    expect(unasked).toMatchObject([{ callId: denied?.data.callId, rule: 'agents.rules[0]', refused: true }]);
    const text = 'execute touch kept, although it was denied (agents.rules[0])';
    expect(ofType(events, 'task.failed')[0]?.data.reason).toBe(`the agent did what it may not: ${text}`);
    expect(out).toContain(` tool.unasked ${text}\n`);
  });

  it('is no fault where the policy lets it be done: by the level, by a rule', async () => {
    const agents = { rules: [{ command: { startsWith: 'touch' }, decision: 'allow' }] };
    const steps = [
      { edit: 'notes.md', text: 'x', unasked: true },
      { run: 'touch made', unasked: true },
    ];
    const { code, unasked, has } = await run(steps, agents, trusting);
    expect({ code, unasked }).toEqual({ code: 0, unasked: [] });
    expect(has('notes.md') && has('made')).toBe(true);
  });

  it('is not what it says is under way, and asks about then', async () => {
    const steps = [
      { run: 'touch made', late: true },
      { run: 'rm -f made', late: true },
    ];
    const rules = [...noRm.rules, { command: { startsWith: 'touch' }, decision: 'allow' }];
    const { code, unasked, events, has } = await run(steps, { rules }, trusting);
    expect({ code, unasked }).toEqual({ code: 0, unasked: [] });
    expect(ofType(events, 'tool.denied')).toHaveLength(1);
    expect(has('made')).toBe(true);
  });
});
