import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backtest } from '../../../src/gateway/backtest/backtest.ts';
import { decideBy } from '../../../src/gateway/backtest/decide-by.ts';
import type { CallOutcome, RecordedCall } from '../../../src/gateway/backtest/recorded-call.ts';
import { suggestRules, withRule } from '../../../src/gateway/backtest/suggest-rules.ts';
import type { AgentRule } from '../../../src/gateway/config/agent-policy.ts';
import type { PolicyConfig } from '../../../src/gateway/config/policy-config.ts';
import { approved, call, denied, ground, policyOf, ran } from './recorded-calls.ts';
import { propertyRuns } from '../../helpers/property-runs.ts';

const judge = (calls: readonly RecordedCall[], policy: Partial<PolicyConfig> = {}) =>
  backtest(calls, decideBy(policyOf(policy), ground));
const agents = (...rules: AgentRule[]) => ({ agents: { ask: 'what-matters', rules } }) as const;
const npm: AgentRule = { kind: 'execute', command: { startsWith: 'npm' }, decision: 'allow' };
const push: AgentRule = { command: { startsWith: 'git push' }, decision: 'deny' };

describe('the calls of a log, judged by another policy', () => {
  it('would run, be asked about, be denied', () => {
    const calls = [ran('npm test'), ran('npm run build', denied), ran('git push', denied), ran('make')];
    const result = judge(calls, agents(npm, push));
    expect(result.counts).toMatchObject({
      approved: { allow: 1, confirm: 1, deny: 0 },
      denied: { allow: 1, confirm: 0, deny: 1 },
    });
    expect(result).toMatchObject({ answered: 3, byHumans: 4 });
    expect(result.contradictions.map(({ call: one, decision: { rule } }) => [one, rule])).toEqual([
      [calls[1], 'agents.rules[0]'],
    ]);
  });

  it('are held against what rules decided, and that is no contradiction of a human', () => {
    const byRule = (is: 'ran' | 'stopped') => ({ outcome: { is, rule: 'rules[0] fs/*' } }) as const;
    const calls = [call(byRule('ran')), call(byRule('stopped')), call()];
    const result = judge(calls, { default: 'deny' });
    expect(result.changes.map(({ call: one }) => one)).toEqual([calls[0]]);
    expect(result.contradictions).toEqual([]);
    expect(result.counts).toMatchObject({ undecided: { deny: 1 } });
    expect(judge(calls, { default: 'allow' }).changes.map(({ call: one }) => one)).toEqual([calls[1]]);
  });

  it('are counted, not judged, where the log has a part of them or nobody asked', () => {
    const part = ran('npm te', { isWhole: false });
    const result = judge([part, ran('x', { outcome: { is: 'unasked' } })], agents(npm));
    expect(result).toMatchObject({ judged: [], answered: 0, byHumans: 0, unjudged: [part], unasked: 1 });
  });

  it.each<[string, Partial<RecordedCall>, string]>([
    ['its command', { args: { command: 'npm test' } }, 'allow'],
    ['its command, word by word', { args: { command: ['npm', 'test'] } }, 'confirm'],
    ['a bare text', { args: { input: 'npm test' } }, 'allow'],
    ['a text that an agent told of before it asked', { args: 'npm test' }, 'allow'],
    ['its title, where it says nothing else', { args: { title: 'npm test', content: [] } }, 'allow'],
    ['a title beside other things', { args: { title: 'npm test', code: 'rm x' } }, 'confirm'],
    ['where it runs', { args: { command: 'npm test', cwd: '/etc' } }, 'confirm'],
    ['a file in the project', { tool: 'edit', args: { file_path: 'a.ts' } }, 'allow'],
    [
      'a file outside of it, named beside the input',
      { tool: 'edit', args: { file_path: 'a.ts', locations: ['/etc/b'] } },
      'confirm',
    ],
    ['a file that was told of', { tool: 'edit', args: {}, paths: ['/etc/b'] }, 'confirm'],
    ['a machine', { tool: 'fetch', args: { url: 'https://example.com/x' } }, 'allow'],
    ['a kind of another time', { tool: 'juggle', args: {} }, 'confirm'],
  ])('say by %s what an agent wanted', (_what, over, decision) => {
    const fetches: AgentRule = { host: 'example.com', decision: 'allow' };
    const [judged] = judge([ran('', over)], agents(npm, fetches)).judged;
    expect(judged?.decision.decision).toBe(decision);
  });

  it('are judged as their servers are now', () => {
    const policy = {
      rules: [
        { server: 'fs', args: { path: { below: 'docs' } }, decision: 'allow' },
        { server: 'gone', args: { path: { below: 'docs' } }, decision: 'allow' },
        { annotations: { readOnlyHint: true }, decision: 'allow' },
      ],
    } as const;
    const says = { annotations: { readOnlyHint: true }, args: {} };
    const calls = [call(), call({ server: 'gone' }), call({ hasChanged: true }), call(says)];
    const words = judge(calls, policy).judged.map(({ decision }) => decision.decision);
    expect(words).toEqual(['allow', 'confirm', 'confirm', 'confirm']);
    const servers = ground.servers.map((config) => ({ ...config, trust: 'full' as const }));
    const trusting = backtest([call(says)], decideBy(policyOf(policy), { ...ground, servers }));
    expect(trusting.judged[0]?.decision.decision).toBe('allow');
  });
});

const anyOutcome = fc.constantFrom<CallOutcome>(
  approved.outcome,
  approved.outcome,
  denied.outcome,
  { is: 'ran', rule: 'default' },
  { is: 'stopped', rule: 'default' },
  { is: 'undecided' },
);
const usual = [
  'npm test',
  'npm test -- a',
  'npm test -- b',
  'git log',
  'git log -p',
  'git push',
  'npm test && git push',
];
const word = fc.constantFrom(
  'npm',
  'git',
  'test',
  'push',
  '-p',
  '&&',
  'docs/a',
  '.git',
  ';',
  '"x y"',
  '>',
  '$X',
);
const line = fc.oneof(
  fc.constantFrom(...usual),
  fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
);
const path = fc
  .array(fc.constantFrom('docs', 'src', 'a', 'b.ts', '..', '.git', '.clifford', '*'), {
    minLength: 1,
    maxLength: 3,
  })
  .map((names) => names.join('/'));
const kindOfCall = fc.oneof(
  line.map((command) => ran(command)),
  path.map((one) => call({ args: { path: one } })),
  path.map((one) => call({ server: '@opencode', tool: 'delete', args: { path: one } })),
);
/** A few calls that are made again and again, most of them with the same end each time. */
const history = fc
  .array(fc.record({ kind: kindOfCall, habit: anyOutcome }), { minLength: 1, maxLength: 6 })
  .chain((pool) => {
    const made = fc.record({
      one: fc.constantFrom(...pool),
      other: fc.oneof(
        { weight: 15, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: anyOutcome },
      ),
      isPart: fc.nat(30).map((at) => at === 0),
    });
    return fc.array(made, { minLength: 12, maxLength: 40 });
  })
  .map((all) =>
    all.map(({ one, other, isPart }) => call({ ...one.kind, outcome: other ?? one.habit, isWhole: !isPart })),
  );

describe('rules that are suggested', () => {
  it(
    'contradict no human in any history, and answer all that they are made from',
    { timeout: 60_000 },
    () => {
      fc.assert(
        fc.property(history, (calls) => {
          const policy = policyOf();
          const rules = suggestRules({ calls, policy, ground });
          const result = backtest(calls, decideBy(rules.reduce(withRule, policy), ground));
          const before = backtest(calls, decideBy(policy, ground));
          expect(result.contradictions.length).toBe(before.contradictions.length);
          const answered = new Map(result.judged.map(({ call: one, decision }) => [one, decision.decision]));
          for (const { answers, others, decision, rule } of rules) {
            expect(answers.length).toBeGreaterThanOrEqual(3);
            for (const one of answers) expect(answered.get(one)).toBe(decision);
            // Never wider than what was seen in kind.
            for (const one of [...answers, ...others])
              expect([one.server, one.tool]).toEqual([answers[0]?.server, answers[0]?.tool]);
            expect(JSON.stringify(rule)).not.toContain('"."');
          }
        }),
        { numRuns: propertyRuns(100) },
      );
    },
  );
});
