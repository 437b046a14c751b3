import { describe, expect, it } from 'vitest';
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

const ofAgents = (command: string, rules: readonly AgentRule[], ask: AgentPolicy['ask'] = 'what-matters') =>
  new AgentGate({ ...DEFAULT_POLICY, agents: { ask, rules } }, [], { root: '/project' }).check({
    agent: 'fake',
    digest: 'd',
    stream: 's',
    kind: 'execute',
    title: '',
    args: {},
    commands: [command],
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
    const text = 'a'.repeat(24);
    let count = 0;
    while (!time.isOver) {
      time.find('^(a+)+b$', (regex) => regex.test(text));
      count += 1;
    }
    expect(count).toBeGreaterThan(0);
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
