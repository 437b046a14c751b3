import { describe, expect, it } from 'vitest';
import { problemLines, readMcpJson, warningLines } from '../../helpers/mcp-json.ts';

const servers = { fs: { command: 'x' }, git: { command: 'y' } };

const withPolicy = (policy: unknown) => readMcpJson({ servers, policy });

describe('the policy of mcp.json', () => {
  it('is read with its defaults', async () => {
    const rule = {
      server: 'git',
      tool: 'push*',
      args: { 'options.remote': { equals: null }, branch: { regex: '^main$' } },
      annotations: { readOnlyHint: false },
      sprint: 's-*',
      task: 't?',
      decision: 'confirm',
      reason: 'pushes',
    };
    const reading = await withPolicy({
      allowlist: [{ server: 'fs', tool: 'read_*', args: { path: { below: 'src' } } }],
      denylist: [{ server: '*', tool: 'delete_*' }],
      rules: [
        rule,
        { server: 'git', tool: 'run', args: { command: { startsWith: 'git log' } }, decision: 'allow' },
        { server: 'fs', args: { path: { glob: '*.env' } }, decision: 'deny' },
      ],
    });
    expect(problemLines(reading)).toEqual([]);
    expect(reading.policy).toEqual({
      default: 'confirm',
      agents: { ask: 'what-matters', rules: [] },
      approvalTimeoutMs: 3_600_000,
      allowlist: [{ server: 'fs', tool: 'read_*', args: { path: { below: 'src' } } }],
      denylist: [{ server: '*', tool: 'delete_*' }],
      rules: [
        rule,
        { server: 'git', tool: 'run', args: { command: { startsWith: 'git log' } }, decision: 'allow' },
        { server: 'fs', args: { path: { glob: '*.env' } }, decision: 'deny' },
      ],
    });
    expect((await withPolicy({ default: 'deny', approvalTimeout: 1_000 })).policy).toMatchObject({
      default: 'deny',
      approvalTimeoutMs: 1_000,
    });
  });

  it.each<[string, unknown, string]>([
    ['null', null, 'policy must be an object, as in { "…": … } (current value is null)'],
    ['a list', [], 'policy must be an object, as in { "…": … } (current value is [])'],
    [
      'a word it does not know',
      { default: 'ask' },
      'policy.default must be one of "allow", "deny", "confirm" (current value is "ask")',
    ],
    ['an unknown key', { alowlist: [] }, 'policy.alowlist is unknown; did you mean "allowlist"?'],
    [
      'an entry that is none',
      { denylist: ['fs'] },
      'policy.denylist[0] must be an object, as in { "…": … } (current value is "fs")',
    ],
    [
      'an entry without its tool',
      { denylist: [{ server: 'fs' }] },
      'policy.denylist[0].tool is missing: it must be a text that is not empty',
    ],
    [
      'an empty pattern',
      { denylist: [{ server: '', tool: 'x' }] },
      'policy.denylist[0].server must be a text that is not empty (current value is "")',
    ],
    [
      'a condition under a wrong key, without which the rule would match more',
      { allowlist: [{ server: 'fs', tool: 'x', arg: { path: { below: '/' } } }] },
      'policy.allowlist[0].arg is unknown; did you mean "args"?',
    ],
    [
      'a rule without a decision',
      { rules: [{ server: 'fs' }] },
      'policy.rules[0].decision is missing: it must be one of "allow", "deny", "confirm"',
    ],
    [
      'a condition of no kind',
      { rules: [{ args: { a: {} }, decision: 'deny' }] },
      'policy.rules[0].args.a must have one of equals, glob, regex, below, startsWith, and nothing else',
    ],
    [
      'a condition of two kinds',
      { rules: [{ args: { a: { glob: 'x', regex: 'y' } }, decision: 'deny' }] },
      'policy.rules[0].args.a must have one of equals, glob, regex, below, startsWith, and nothing else',
    ],
    [
      'a regular expression that is none',
      { rules: [{ args: { a: { regex: '(' } }, decision: 'deny' }] },
      'policy.rules[0].args.a.regex must be a regular expression',
    ],
    [
      'an annotation it does not know',
      { rules: [{ annotations: { readonlyHint: true }, decision: 'deny' }] },
      'policy.rules[0].annotations.readonlyHint is unknown; did you mean "readOnlyHint"?',
    ],
    [
      'no time for a human',
      { approvalTimeout: 0 },
      'policy.approvalTimeout must be a whole number from 1 to 2147483647, in ms (current value is 0)',
    ],
  ])('refuses every call when it has %s, and costs no server', async (_what, policy, rule) => {
    const reading = await withPolicy(policy);
    expect(problemLines(reading).map((line) => line.replace(/^Cannot read [^ ]+:\d+:\d+: /, ''))).toEqual([
      rule,
    ]);
    expect(reading.policy).toEqual({ unreadable: expect.stringContaining(rule) });
    expect(reading.servers.map(({ id }) => id)).toEqual(['fs', 'git']);
  });

  it('refuses every call when a rule can match nothing', async () => {
    const reading = await withPolicy({ denylist: [{ server: 'fss', tool: '*' }] });
    expect(problemLines(reading)).toEqual([
      expect.stringMatching(
        /^Cannot read \/p\/mcp\.json:13:19: policy: denylist\[0\]\.server "fss" matches no server/,
      ),
    ]);
    expect(reading.policy).toHaveProperty('unreadable');
  });

  it('may have rules for servers that are disabled, or that cannot be used', async () => {
    const reading = await readMcpJson({
      servers: { off: { command: 'x', disabled: true }, broken: { command: '${NONE}' } },
      policy: {
        denylist: [
          { server: 'off', tool: '*' },
          { server: 'broken', tool: '*' },
        ],
      },
    });
    expect(reading.policy).toMatchObject({ denylist: [{ server: 'off' }, { server: 'broken' }] });
  });

  it('warns of a rule that decides nothing', async () => {
    const reading = await withPolicy({
      denylist: [{ server: 'fs', tool: '*' }],
      allowlist: [{ server: 'fs', tool: 'read' }],
    });
    expect(warningLines(reading)).toEqual([expect.stringMatching(/allowlist\[0\].*mcp\.json:18:7/)]);
    expect(reading.policy).toHaveProperty('default');
  });

  it('refuses every call when it appears twice, or has a key that does', async () => {
    const twice = await readMcpJson('{ "policy": { "default": "deny" }, "policy": { "default": "allow" } }');
    expect(twice.policy).toEqual({ unreadable: expect.stringContaining('policy appears twice') });
    const key = await readMcpJson('{ "policy": { "default": "deny", "default": "allow" } }');
    expect(key.policy).toEqual({ unreadable: expect.stringContaining('policy.default appears twice') });
  });

  it('loses no condition to a name that no object can have', async () => {
    const reading = await readMcpJson(
      '{ "servers": { "fs": { "command": "x" } }, "policy": { "allowlist": [{ "server": "fs", "tool": "*", "args": { "__proto__": { "glob": "a" } } }] } }',
    );
    expect(reading.policy).toEqual({
      unreadable: expect.stringContaining('__proto__ cannot have this name'),
    });
  });

  it('tells how many more mistakes there are', async () => {
    const { policy } = await withPolicy({ default: 1, denylist: 2, rules: 3 });
    expect(policy).toEqual({
      unreadable: expect.stringMatching(/policy\.default must be .* \(and 2 more\)$/),
    });
  });
});
