import { describe, expect, it } from 'vitest';
import { PolicyGate } from '../../../src/gateway/policy/policy-gate.ts';
import { callOf, gateOf, grantOf } from './policy-facts.ts';

const write = { server: 'fs', tool: 'write_*' };

describe('PolicyGate', () => {
  it('asks a human where no rule says anything', () => {
    expect(gateOf({}).check(callOf())).toMatchObject({ decision: 'confirm', rule: 'default' });
  });

  it('refuses where nobody is asked what a human would have been asked about, and says by which rule', () => {
    const agents = { ask: 'nothing', rules: [] } as const;
    const confirm = { tool: '*', decision: 'confirm' } as const;
    const rules = { allowlist: [write], rules: [confirm] };
    for (const [said, otherwise] of [
      [{}, 'default'],
      [{ rules: [confirm] }, 'rules[0] */*'],
      [rules, 'rules[0] */*'],
    ] as const) {
      const gate = gateOf({ ...said, agents });
      expect(gate.check(callOf())).toMatchObject({
        decision: 'deny',
        rule: `agents.ask nothing (otherwise ${otherwise})`,
        reason: expect.stringContaining('nobody is asked here'),
      });
      expect(gate.isHidden('fs', 'write_file')).toBe(false);
    }
    expect(gateOf({ allowlist: [write], agents }).check(callOf()).decision).toBe('allow');
    const changed = callOf({ definition: 'changed' });
    expect(gateOf({ allowlist: [write], agents }).check(changed).decision).toBe('deny');
    expect(gateOf({ agents }, [grantOf()]).check(callOf()).decision).toBe('allow');
    expect(gateOf({ denylist: [write], agents }).check(callOf()).rule).toBe('denylist[0] fs/write_*');
  });

  it('allows what the allowlist names, by wildcard too, and nothing else', () => {
    const gate = gateOf({ allowlist: [write] });
    expect(gate.check(callOf())).toMatchObject({ decision: 'allow', rule: 'allowlist[0] fs/write_*' });
    expect(gate.check(callOf({ toolName: 'read_file' })).decision).toBe('confirm');
    expect(gate.check(callOf({ serverId: 'fs2' })).decision).toBe('confirm');
  });

  it('reads server and tool apart, whatever underscores they have', () => {
    const gate = gateOf({ default: 'deny', allowlist: [{ server: 'my_fs', tool: '*' }] });
    expect(gate.check(callOf({ serverId: 'my_fs', toolName: '__x__y' })).decision).toBe('allow');
    expect(gate.check(callOf({ serverId: 'my', toolName: 'fs__x__y' })).decision).toBe('deny');
  });

  it('lets deny win over confirm and confirm over allow', () => {
    const allow = { server: 'fs', tool: 'write_file', decision: 'allow' } as const;
    const confirm = { tool: '*', decision: 'confirm' } as const;
    expect(gateOf({ rules: [allow, confirm] }).check(callOf()).decision).toBe('confirm');
    const gate = gateOf({ rules: [allow, confirm], denylist: [{ server: '*', tool: 'w*' }] });
    expect(gate.check(callOf())).toMatchObject({ decision: 'deny', rule: 'denylist[0] */w*' });
  });

  it('names the most specific rule of those that decide, with its reason', () => {
    const gate = gateOf({
      denylist: [{ server: '*', tool: '*' }, write],
      rules: [{ server: 'fs', tool: 'write_file', decision: 'deny', reason: 'releases go through ada' }],
    });
    const { rule, reason } = gate.check(callOf());
    expect(rule).toBe('rules[0] fs/write_file');
    expect(reason).toBe(
      'The policy of this project denies fs/write_file (rules[0] fs/write_file): releases go through ada. Do not try to reach the same by another way',
    );
  });

  it('names the same of two rules that are as specific, whichever comes first', () => {
    const rule = { tool: '*', decision: 'deny' } as const;
    const [one, two] = [
      { ...rule, reason: 'one' },
      { ...rule, reason: 'two' },
    ] as const;
    const reasons = [gateOf({ rules: [one, two] }), gateOf({ rules: [two, one] })].map(
      (gate) => gate.check(callOf()).reason.split(': ')[1],
    );
    expect(reasons[0]).toBe(reasons[1]);
  });

  it('keeps a rule to its sprint and task', () => {
    const gate = gateOf({ rules: [{ sprint: 's-*', task: 'a', decision: 'allow' }] });
    expect(gate.check(callOf()).decision).toBe('allow');
    expect(gate.check(callOf({ stream: 'adhoc' })).decision).toBe('confirm');
    expect(gate.check(callOf({ taskId: 'b' })).decision).toBe('confirm');
    expect(gate.check(callOf({ taskId: undefined })).decision).toBe('confirm');
  });

  it('refuses every call, and hides every tool, while the policy cannot be read', () => {
    const gate = new PolicyGate({ unreadable: 'line 3: "alow" is no decision' }, [grantOf()]);
    expect(gate.check(callOf())).toEqual({
      decision: 'deny',
      rule: 'unreadable policy',
      reason:
        'The policy in mcp.json cannot be read, so fs/write_file is denied like every call: line 3: "alow" is no decision. Only the human can correct it',
    });
    expect(gate.isHidden('fs', 'write_file')).toBe(true);
  });

  it('asks again when the definition of an allowed tool has changed, and says what it was otherwise', () => {
    const gate = gateOf({ allowlist: [write] });
    expect(gate.check(callOf({ definition: 'changed' }))).toMatchObject({
      decision: 'confirm',
      rule: 'changed definition (otherwise allowlist[0] fs/write_*)',
    });
    expect(gate.check(callOf({ definition: 'new' })).decision).toBe('allow');
    expect(gateOf({ denylist: [write] }).check(callOf({ definition: 'changed' })).decision).toBe('deny');
    expect(gateOf({}, [grantOf()]).check(callOf({ definition: 'changed' })).decision).toBe('confirm');
  });

  it.each(['Write_File', 'write_file ', 'wr\u200bite_file', 'ｗrite_file', 'write_file\u{e0041}'])(
    'refuses %j, which a person reads as the name of a denied tool, and never allows it by that name',
    (toolName) => {
      const entry = { server: 'fs', tool: 'write_file' };
      expect(gateOf({ denylist: [entry] }).check(callOf({ toolName })).decision).toBe('deny');
      expect(gateOf({ denylist: [entry] }).isHidden('fs', toolName)).toBe(true);
      expect(gateOf({ allowlist: [entry] }).check(callOf({ toolName })).decision).toBe('confirm');
    },
  );

  describe('annotations', () => {
    const readOnly = gateOf({
      rules: [{ annotations: { readOnlyHint: true }, decision: 'allow' }],
    });

    it('are taken for a yes only of a server that is believed', () => {
      expect(readOnly.check(callOf()).decision).toBe('confirm');
      expect(readOnly.check(callOf({ annotations: {} })).decision).toBe('confirm');
      expect(readOnly.check(callOf({ annotations: { readOnlyHint: false } })).decision).toBe('confirm');
      expect(readOnly.check(callOf({ annotations: { readOnlyHint: true } })).decision).toBe('allow');
      const open = gateOf({ rules: [{ annotations: { openWorldHint: true }, decision: 'allow' }] });
      expect(open.check(callOf()).decision).toBe('confirm');
    });

    it('count as the worst where nothing is said', () => {
      const gate = gateOf({
        default: 'allow',
        rules: [{ annotations: { destructiveHint: true }, decision: 'deny' }],
      });
      expect(gate.check(callOf()).decision).toBe('deny');
      expect(gate.check(callOf({ annotations: {} })).decision).toBe('deny');
      expect(gate.check(callOf({ annotations: { destructiveHint: false } })).decision).toBe('allow');
      expect(gate.check(callOf({ annotations: { readOnlyHint: true } })).decision).toBe('allow');
    });
  });

  describe('what a human granted', () => {
    it('answers a confirm', () => {
      expect(gateOf({}, [grantOf()]).check(callOf())).toEqual({
        decision: 'allow',
        rule: 'granted r-1 (always, by ada)',
        reason: 'ada has allowed fs/write_file',
      });
    });

    it('never answers a deny', () => {
      expect(gateOf({ denylist: [write] }, [grantOf()]).check(callOf()).decision).toBe('deny');
      expect(gateOf({ default: 'deny' }, [grantOf()]).check(callOf()).decision).toBe('deny');
    });

    it('holds in its sprint, or for its task', () => {
      const sprint = gateOf({}, [grantOf({ scope: { kind: 'sprint', stream: 's-1' } })]);
      expect(sprint.check(callOf({ taskId: 'b' })).rule).toBe('granted r-1 (this sprint, by ada)');
      expect(sprint.check(callOf({ stream: 's-2' })).decision).toBe('confirm');
      const task = gateOf({}, [grantOf({ scope: { kind: 'task', stream: 's-1', taskId: 'a' } })]);
      expect(task.check(callOf()).rule).toBe('granted r-1 (this task, by ada)');
      expect(task.check(callOf({ taskId: 'b' })).decision).toBe('confirm');
      expect(task.check(callOf({ stream: 's-2' })).decision).toBe('confirm');
    });

    it('takes no wildcard, and holds for no other server, tool or definition', () => {
      expect(gateOf({}, [grantOf({ server: 'git' })]).check(callOf()).decision).toBe('confirm');
      expect(gateOf({}, [grantOf({ tool: 'write_fil' })]).check(callOf()).decision).toBe('confirm');
      expect(gateOf({}, [grantOf({ tool: '*' })]).check(callOf()).decision).toBe('confirm');
      expect(gateOf({}, [grantOf()]).check(callOf({ definitionDigest: 'd-2' })).decision).toBe('confirm');
      expect(gateOf({}, [grantOf()]).check(callOf({ definitionDigest: undefined })).decision).toBe('confirm');
    });
  });

  describe('a hidden tool', () => {
    it('is one that is refused whatever its arguments', () => {
      expect(gateOf({ denylist: [write] }).isHidden('fs', 'write_file')).toBe(true);
      expect(gateOf({ denylist: [write] }).isHidden('fs', 'read_file')).toBe(false);
      const below = { path: { below: '/etc' } };
      expect(gateOf({ denylist: [{ ...write, args: below }] }).isHidden('fs', 'write_file')).toBe(false);
    });

    it('is every tool that no rule mentions where the default is deny', () => {
      const gate = gateOf({ default: 'deny', allowlist: [{ ...write, args: { path: { below: 'src' } } }] });
      expect(gate.isHidden('fs', 'write_file')).toBe(false);
      expect(gate.isHidden('fs', 'read_file')).toBe(true);
      expect(gateOf({}).isHidden('fs', 'read_file')).toBe(false);
    });
  });

  it('explains which rules apply, and why the others do not', () => {
    const gate = gateOf({
      allowlist: [write],
      denylist: [{ server: 'git', tool: '*' }],
      rules: [{ tool: 'write_file', args: { path: { below: 'src' } }, decision: 'deny' }],
    });
    expect(gate.explain(callOf({ args: { path: 'docs/a.md' } }))).toMatchObject({
      decision: 'allow',
      rules: [
        { rule: 'allowlist[0] fs/write_*', decision: 'allow', applies: true },
        { rule: 'rules[0] */write_file', applies: false, why: 'the argument path is not below src' },
        { rule: 'denylist[0] git/*', applies: false, why: 'the server fs is not git' },
      ],
    });
  });
});
