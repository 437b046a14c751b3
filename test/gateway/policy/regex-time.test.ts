import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DEFAULT_POLICY } from '../../../src/gateway/config/policy-config.ts';
import { AgentGate } from '../../../src/gateway/policy/agent-gate.ts';
import { PolicyGate } from '../../../src/gateway/policy/policy-gate.ts';
import { RegexTime } from '../../../src/gateway/policy/regex-time.ts';
import type { AgentPolicy, AgentRule } from '../../../src/gateway/config/agent-policy.ts';
import type { ArgCondition, PolicyRule } from '../../../src/gateway/config/policy-config.ts';

/** What takes for ever with {@link long}. */
const slow = { regex: '(a+)+$' };
const long = `${'a'.repeat(40_000)}b`;
const OVER = 'in doubt: regular expressions of the policy take longer than 250 ms';

const ofAgents = (
  commands: string | readonly string[],
  rules: readonly AgentRule[],
  ask: AgentPolicy['ask'] = 'what-matters',
) =>
  new AgentGate({ ...DEFAULT_POLICY, agents: { ask, rules } }, [], { root: '/project' }).check({
    agent: 'fake',
    digest: 'd',
    stream: 's',
    kind: 'execute',
    title: '',
    args: {},
    commands: [commands].flat(),
    cwd: '/project',
    paths: [],
    hosts: [],
  });
const ofServers = (rules: readonly PolicyRule[]) =>
  new PolicyGate({ ...DEFAULT_POLICY, rules: [...rules] }, [], { root: '/project' }).check({
    serverId: 'fs',
    toolName: 'write',
    args: { text: long },
  });

describe('the time for regular expressions', () => {
  it('is one for all of a call', () => {
    const time = new RegexTime();
    expect(time.find('^a$', (regex) => regex.test('a'))).toBe(true);
    expect(time.find('(', () => true)).toBeUndefined();
    expect(time.isOver).toBe(false);
    expect(time.find(slow.regex, (regex) => regex.test(long))).toBeUndefined();
    expect(time.isOver).toBe(true);
    expect(time.find('^a$', (regex) => regex.test('a'))).toBeUndefined();
  });

  it('is used up by many that take a part of it', () => {
    const time = new RegexTime();
    const text = 'a'.repeat(20);
    let count = 0;
    while (!time.isOver && count < 10_000) {
      time.find('^(a+)+b$', (regex) => regex.test(text));
      count += 1;
    }
    expect(count).toBeGreaterThan(1);
    expect(time.isOver).toBe(true);
  });

  it('is used up by what they take alone, however many commands they are held against', () => {
    const rules: AgentRule[] = [
      { command: { regex: '^git push' }, decision: 'deny' },
      { command: { regex: '(^| )rm .*-rf' }, decision: 'deny' },
      { command: { regex: '^(sudo|su) ' }, decision: 'confirm' },
      { command: { regex: '^echo [0-9]+$' }, decision: 'allow' },
    ];
    const lines = ['1', '2'].map((digit) =>
      Array.from({ length: 990 }, (_, nth) => `echo ${digit}${`${nth}`.padStart(56, '0')}`).join('; '),
    );
    expect(lines.join('').length).toBeGreaterThan(100_000);
    const find = vi.spyOn(RegexTime.prototype, 'find');
    onTestFinished(() => find.mockRestore());
    expect(ofAgents(lines, rules)).toMatchObject({ decision: 'allow', rule: 'agents.rules[3]' });
    // Each is tried once, on all of them: to watch the time of one takes 0.1 ms.
    expect(find.mock.calls.map(([regex]) => ({ regex }))).toEqual(rules.map(({ command }) => command));
    expect(ofAgents([...lines, 'git push'], rules)).toMatchObject({
      decision: 'deny',
      rule: 'agents.rules[0]',
    });
    const slowly: AgentRule[] = [...rules, { command: slow, decision: 'deny' }];
    const over = { decision: 'deny', rule: `agents.rules[4], ${OVER}` };
    expect(ofAgents([...lines, `echo ${long}`], slowly)).toMatchObject(over);
  });

  it('leaves what was known when it was over', () => {
    const time = new RegexTime(() => ['aaab', long, 'b']);
    expect(time.test(slow.regex, 'b')).toBeUndefined();
    expect(time.isOver).toBe(true);
    expect(time.test(slow.regex, 'aaab')).toBe(false);
    expect(time.test(slow.regex, 'aa')).toBeUndefined();
  });

  it('once over leaves no rule that allows, and meets those that refuse and ask', () => {
    const allowing: AgentRule[] = ['echo', 'ls'].map((startsWith) => ({
      command: { startsWith },
      decision: 'allow',
    }));
    const line = `echo ${long}; ls`;
    const slowly = (decision: AgentRule['decision']) => [{ command: slow, decision }, ...allowing];
    expect(ofAgents(line, allowing).decision).toBe('allow');
    const asked = { decision: 'confirm', rule: OVER, reason: expect.stringContaining('longer than 250 ms') };
    expect(ofAgents(line, slowly('allow'))).toMatchObject(asked);
    expect(ofAgents(line, slowly('allow'), 'nothing')).toMatchObject({ decision: 'deny', rule: OVER });
    const met = `agents.rules[0], ${OVER}`;
    expect(ofAgents(line, slowly('confirm'))).toMatchObject({ decision: 'confirm', rule: met });
    expect(ofAgents(line, slowly('deny'))).toMatchObject({ decision: 'deny', rule: met });
  });

  it('is not over for what is refused in any part before what allows has taken it', () => {
    const rules: AgentRule[] = [
      { command: slow, decision: 'allow' },
      { command: { regex: '^git push' }, decision: 'deny' },
    ];
    expect(ofAgents(`echo ${long}; ls`, rules)).toMatchObject({ decision: 'confirm', rule: OVER });
    expect(ofAgents(`echo ${long}; git push`, rules)).toMatchObject({
      decision: 'deny',
      rule: 'agents.rules[1]',
    });
  });

  it('is the same for calls of servers', () => {
    const rule = (decision: PolicyRule['decision'], text: ArgCondition) => ({
      tool: 'write',
      args: { text },
      decision,
    });
    // The least specific is looked at last.
    const all = { decision: 'allow' } as const;
    expect(ofServers([all])).toMatchObject({ decision: 'allow' });
    const denied = { decision: 'deny', rule: `rules[0] */write, ${OVER}` };
    expect(ofServers([rule('deny', slow), all])).toMatchObject(denied);
    const allowing = ofServers([rule('allow', slow), all]);
    expect(allowing).toMatchObject({ decision: 'confirm', rule: OVER });
  });
});
