import fc from 'fast-check';
import { jsonValues } from '../../helpers/json-arbitrary.ts';
import { describe, expect, it } from 'vitest';
import type {
  ArgCondition,
  ListedTool,
  PolicyConfig,
  PolicyRule,
} from '../../../src/gateway/config/policy-config.ts';
import { DEFAULT_AGENT_POLICY } from '../../../src/gateway/config/agent-policy.ts';
import { DEFAULT_APPROVAL_TIMEOUT_MS } from '../../../src/gateway/config/policy-config.ts';
import type { GateCall } from '../../../src/gateway/policy/gate-call.ts';
import type { GrantedRule } from '../../../src/gateway/policy/granted-rule.ts';
import { PolicyGate } from '../../../src/gateway/policy/policy-gate.ts';
import { propertyRuns } from '../../helpers/property-runs.ts';

const runs = { numRuns: propertyRuns(1_000) };

const servers = ['fs', 'git', 'my_fs'];
const tools = ['read', 'write_file', 'write_all', 'log'];
const paths = ['src/a', 'src/../a', '/etc/passwd', 'docs', '~/x', 'git log', 'git log; rm x'];
const streams = ['s-1', 's-2'];
const tasks = ['a', 'b'];
const digests = ['d-1', 'd-2'];

const serverPattern = fc.constantFrom(...servers, '*', '*fs', 'g?t', 'nobody');
const toolPattern = fc.constantFrom(...tools, '*', 'write_*', 'r???', '*_*', 'nothing');
const word = fc.constantFrom('allow', 'deny', 'confirm');

const condition = fc.constantFrom<ArgCondition>(
  { below: 'src' },
  { below: '/etc' },
  { glob: '*a*' },
  { equals: 'docs' },
  { startsWith: 'git log' },
  { regex: '^s' },
);
const argConditions = fc.dictionary(fc.constantFrom('path', 'options.path'), condition, { maxKeys: 2 });
const annotations = fc.record(
  { readOnlyHint: fc.boolean(), destructiveHint: fc.boolean() },
  { requiredKeys: [] },
);

const listed: fc.Arbitrary<ListedTool> = fc.record(
  { server: serverPattern, tool: toolPattern, args: argConditions },
  { requiredKeys: ['server', 'tool'] },
);
const rule: fc.Arbitrary<PolicyRule> = fc.record(
  {
    server: serverPattern,
    tool: toolPattern,
    args: argConditions,
    annotations,
    sprint: fc.constantFrom('s-*', 's-1'),
    task: fc.constantFrom('a', '*'),
    reason: fc.constantFrom('one', 'two'),
    decision: word,
  },
  { requiredKeys: ['decision'] },
);
const policy: fc.Arbitrary<PolicyConfig> = fc.record({
  default: word,
  allowlist: fc.array(listed, { maxLength: 4 }),
  denylist: fc.array(listed, { maxLength: 3 }),
  rules: fc.array(rule, { maxLength: 5 }),
  agents: fc.constant(DEFAULT_AGENT_POLICY),
  approvalTimeoutMs: fc.constant(DEFAULT_APPROVAL_TIMEOUT_MS),
});

const path = fc.oneof(fc.constantFrom(...paths), fc.array(fc.constantFrom(...paths), { maxLength: 3 }));
const call: fc.Arbitrary<GateCall> = fc.record(
  {
    serverId: fc.constantFrom(...servers),
    toolName: fc.constantFrom(...tools),
    args: fc.oneof(
      fc.record({ path, options: fc.record({ path }) }, { requiredKeys: [] }),
      jsonValues() as fc.Arbitrary<unknown>,
    ),
    annotations,
    stream: fc.constantFrom(...streams),
    taskId: fc.constantFrom(...tasks),
    definition: fc.constantFrom('pinned', 'changed', 'new'),
    definitionDigest: fc.constantFrom(...digests),
  },
  { requiredKeys: ['serverId', 'toolName', 'args'] },
);

const scope: fc.Arbitrary<GrantedRule['scope']> = fc.oneof(
  fc.constant({ kind: 'always' } as const),
  fc.record({ kind: fc.constant('sprint' as const), stream: fc.constantFrom(...streams) }),
  fc.record({
    kind: fc.constant('task' as const),
    stream: fc.constantFrom(...streams),
    taskId: fc.constantFrom(...tasks),
  }),
);
const granted: fc.Arbitrary<GrantedRule> = fc.record({
  id: fc.constantFrom('r-1', 'r-2'),
  server: serverPattern,
  tool: toolPattern,
  definitionDigest: fc.constantFrom(...digests),
  scope,
  by: fc.constant('ada'),
  at: fc.constant('2026-01-31T12:00:00.000Z'),
});
const grants = fc.array(granted, { maxLength: 4 });

/** A call, and yeses of which one was given for it, or for what differs from it in little. */
const nearlyServed = fc
  .tuple(call, grants, granted, fc.subarray(['server', 'tool', 'digest']))
  .map(([made, given, yes, other]): [GateCall, GrantedRule[]] => [
    made,
    [
      ...given,
      {
        ...yes,
        ...(other.includes('server') ? {} : { server: made.serverId }),
        ...(other.includes('tool') ? {} : { tool: made.toolName }),
        ...(other.includes('digest') || made.definitionDigest === undefined
          ? {}
          : { definitionDigest: made.definitionDigest }),
      },
    ],
  ]);

const gateOf = (said: PolicyConfig, given: readonly GrantedRule[] = []): PolicyGate =>
  new PolicyGate(said, given, { root: '/project' });

/** Without the places rules stand at, which change with their order. */
const withoutPlaces = (text: string): string => text.replaceAll(/\[\d+\]/g, '');

describe('whatever the policy', () => {
  it('a deny that applies wins over every other rule and every yes', () => {
    fc.assert(
      fc.property(policy, grants, call, rule, (said, given, made, conditions) => {
        const deny: PolicyRule = { ...conditions, decision: 'deny' };
        const alone = gateOf({ ...said, allowlist: [], denylist: [], rules: [deny], default: 'confirm' });
        fc.pre(alone.check(made).decision === 'deny');
        const all = gateOf({ ...said, rules: [...said.rules, deny] }, given);
        expect(all.check(made).decision).toBe('deny');
      }),
      { ...runs, numRuns: propertyRuns(300), maxSkipsPerRun: 1_000 },
    );
  });

  it('a confirm that applies lets no allow of the file through', () => {
    fc.assert(
      fc.property(policy, call, (said, made) => {
        const asking: PolicyConfig = { ...said, rules: [...said.rules, { decision: 'confirm' }] };
        expect(gateOf(asking).check(made).decision).not.toBe('allow');
      }),
      runs,
    );
  });

  it('no order of the rules changes the decision, or which rule is named', () => {
    const shuffled = policy.chain((said) =>
      fc.record({
        said: fc.constant(said),
        other: fc.record({
          default: fc.constant(said.default),
          approvalTimeoutMs: fc.constant(said.approvalTimeoutMs),
          allowlist: fc.shuffledSubarray([...said.allowlist], { minLength: said.allowlist.length }),
          denylist: fc.shuffledSubarray([...said.denylist], { minLength: said.denylist.length }),
          rules: fc.shuffledSubarray([...said.rules], { minLength: said.rules.length }),
          agents: fc.constant(said.agents),
        }),
      }),
    );
    fc.assert(
      fc.property(shuffled, grants, call, ({ said, other }, given, made) => {
        const [one, two] = [gateOf(said, given).check(made), gateOf(other, given).check(made)];
        expect(two.decision).toBe(one.decision);
        expect(withoutPlaces(two.reason)).toBe(withoutPlaces(one.reason));
        expect(withoutPlaces(two.rule)).toBe(withoutPlaces(one.rule));
      }),
      runs,
    );
  });

  it('the same call gets the same decision, from the same gate and from a new one', () => {
    fc.assert(
      fc.property(policy, grants, call, (said, given, made) => {
        const gate = gateOf(said, given);
        const first = gate.check(made);
        expect(gate.check(made)).toEqual(first);
        expect(gateOf(structuredClone(said), structuredClone(given)).check(structuredClone(made))).toEqual(
          first,
        );
      }),
      runs,
    );
  });

  it('the decision, the rule and the explanation say the same', () => {
    fc.assert(
      fc.property(policy, call, (said, made) => {
        const { decision, rule: named, rules } = gateOf(said).explain(made);
        const applying = rules.filter(({ applies }) => applies);
        const words = applying.map((found) => found.decision);
        const expected =
          (['deny', 'confirm', 'allow'] as const).find((one) => words.includes(one)) ?? said.default;
        const isChanged = made.definition === 'changed' && expected === 'allow';
        expect(decision).toBe(isChanged ? 'confirm' : expected);
        const first = applying.find((one) => one.decision === expected)?.rule ?? 'default';
        expect(named).toBe(isChanged ? `changed definition (otherwise ${first})` : first);
      }),
      runs,
    );
  });

  it('a tool is hidden only when no call of it gets through', () => {
    fc.assert(
      fc.property(policy, grants, call, (said, given, made) => {
        const gate = gateOf(said, given);
        const { serverId, toolName, ...place } = made;
        fc.pre(gate.isHidden(serverId, toolName, place));
        expect(gate.check(made).decision).toBe('deny');
      }),
      { ...runs, numRuns: propertyRuns(300), maxSkipsPerRun: 1_000 },
    );
  });

  it('a yes of a human serves its own tool, definition and scope, and nothing else', () => {
    const asking = policy.map((said): PolicyConfig => ({
      ...said,
      default: 'confirm',
      denylist: [],
      rules: [],
    }));
    fc.assert(
      fc.property(asking, nearlyServed, (said, [made, given]) => {
        const [without, decision] = [gateOf(said).check(made), gateOf(said, given).check(made)];
        fc.pre(decision.decision !== without.decision);
        expect([without.decision, decision.decision]).toEqual(['confirm', 'allow']);
        const serving = given.filter(
          (yes) =>
            yes.server === made.serverId &&
            yes.tool === made.toolName &&
            yes.definitionDigest === made.definitionDigest &&
            (yes.scope.kind === 'always' || yes.scope.stream === made.stream) &&
            (yes.scope.kind !== 'task' || yes.scope.taskId === made.taskId),
        );
        expect(serving).not.toEqual([]);
        expect(made.definition).not.toBe('changed');
      }),
      { ...runs, numRuns: propertyRuns(100), maxSkipsPerRun: 1_000 },
    );
  });

  it('a changed definition is never allowed without a human', () => {
    fc.assert(
      fc.property(policy, grants, call, (said, given, made) => {
        const { decision } = gateOf(said, given).check({ ...made, definition: 'changed' });
        expect(decision).not.toBe('allow');
      }),
      runs,
    );
  });
});
