import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { approve, askApproval } from '../../../src/workflow/requests/approval.ts';
import { approval } from '../../helpers/approval.ts';
import { clifford, startClifford } from '../../helpers/clifford-process.ts';
import { forgeSnapshot } from '../../helpers/forge-snapshot.ts';
import { openTestProject } from '../../helpers/temp-project.ts';
import { mcp, mcpProject, policy as run, policyJson, server, trustedProject } from '../mcp/mcp-command.ts';

const fs = server('crash-at-start.ts', { args: ['started'] });
const policy = {
  allowlist: [
    { server: 'fs', tool: 'read_*' },
    { server: 'fs', tool: 'write_file', args: { path: { below: 'docs' } } },
  ],
  denylist: [{ server: '*', tool: 'delete_*' }],
  rules: [{ server: 'fs', sprint: 'release-*', decision: 'confirm', reason: 'ada looks at releases' }],
};

/** A human's lasting yes to a tool of `fs`. */
async function granted(root: string, tool: string): Promise<string> {
  const project = await openTestProject(root);
  const agent = { id: 'agent-1', client: 'opencode' };
  const what = { ...approval, tool, callDigest: tool };
  const { id } = await askApproval(project, { stream: 'adhoc', agent, approval: what });
  await approve(project, id, { scope: 'always', by: 'ada', via: 'cli' });
  return project.state.policyRules.at(-1)?.id ?? '';
}

it('clifford policy --help shows rules that can be written as they are', async () => {
  const { out } = await run(await mcpProject({ servers: { fs } }), ['--help']);
  const [example = ''] = /"policy": \{\n[^]*?\n {2}\}/.exec(out) ?? [];
  const root = await trustedProject({ servers: { fs }, ...(JSON.parse(`{${example}}`) as object) });
  const decision = async (tool: string, path: string) =>
    (await policyJson(root, ['test', 'fs', tool, '--args', JSON.stringify({ path })])).json['decision'];
  expect([await decision('read_file', 'a'), await decision('write_file', 'docs/a')]).toEqual([
    'allow',
    'allow',
  ]);
  expect(await decision('write_file', 'src/a')).toBe('confirm');
  expect((await run(await mcpProject({ servers: { fs } }), ['list'])).out).toContain(
    'how to write a rule: clifford policy --help\n',
  );
});

describe('clifford policy test', () => {
  it.each([
    ['read_file', {}, 'allow', 'allowlist[0] fs/read_*'],
    ['write_file', { path: 'docs/a.md' }, 'allow', 'allowlist[1] fs/write_file'],
    ['write_file', { path: 'docs/../a.md' }, 'confirm', 'default'],
    ['delete_all', {}, 'deny', 'denylist[0] */delete_*'],
  ])('says what would become of %s %j: %s', async (tool, args, decision, rule) => {
    const root = await trustedProject({ servers: { fs }, policy });
    const { code, out } = await run(root, ['test', 'fs', tool, '--args', JSON.stringify(args)]);
    expect(code).toBe(0);
    expect(out.split('\n').slice(0, 2)).toEqual([`decision  ${decision}`, `rule      ${rule}`]);
    expect(out).toMatch(/\nreason {4}\S/);
    expect(existsSync(join(root, 'started'))).toBe(false);
  });

  it.each([
    ['dots', `${'./'.repeat(2_100)}.clifford/events.jsonl`],
    ['slashes', `/${'/'.repeat(4_200)}%root%/.clifford/events.jsonl`],
    ['blanks', `cat .clifford/events.jsonl${' '.repeat(4_100)}`],
    ['encoding', `%25252525252e/.clifford/events.jsonl`],
  ])('asks about what leads to the log, however it is padded: with %s', async (_, path) => {
    const rules = [{ server: 'fs', tool: 'read_file', decision: 'allow' }];
    const root = await trustedProject({ servers: { fs }, policy: { rules } });
    const args = JSON.stringify({ path: path.replace('%root%', root) });
    const { code, out } = await run(root, ['test', 'fs', 'read_file', '--args', args]);
    expect(code).toBe(0);
    expect(out.split('\n').slice(0, 2)).toEqual([
      'decision  confirm',
      'rule      .clifford (otherwise rules[0] fs/read_file)',
    ]);
  });

  it.each(['http', 'sse'])('is in doubt about a relative path of a server behind a URL: %s', async (type) => {
    const below = { server: '*', tool: 'write_file', args: { path: { below: 'docs' } } };
    const root = await trustedProject({
      servers: { far: { type, url: 'http://127.0.0.1:9/mcp' }, fs },
      policy: { rules: [{ ...below, decision: 'allow' }] },
    });
    const decisionOn = async (name: string, path: string) =>
      (await policyJson(root, ['test', name, 'write_file', '--args', JSON.stringify({ path })])).json[
        'decision'
      ];
    expect(await decisionOn('fs', 'docs/a.md')).toBe('allow');
    expect(await decisionOn('far', 'docs/a.md')).toBe('confirm');
    expect(await decisionOn('far', join(root, 'docs/a.md'))).toBe('allow');
  });

  it('says why other rules do not apply', async () => {
    const root = await trustedProject({ servers: { fs }, policy });
    const { json } = await policyJson(root, ['test', 'fs', 'write_file', '--args', '{"path":"a"}']);
    expect(json).toMatchObject({
      server: 'fs',
      tool: 'write_file',
      decision: 'confirm',
      rule: 'default',
      rules: expect.arrayContaining([
        expect.objectContaining({
          rule: 'allowlist[1] fs/write_file',
          applies: false,
          why: expect.any(String),
        }),
      ]),
    });
  });

  it('judges before the file is trusted, starts nothing for it, and says so', async () => {
    const root = await mcpProject({
      servers: { fs: { ...fs, trust: 'full' } },
      policy: { rules: [{ server: 'fs', annotations: { readOnlyHint: true }, decision: 'allow' }] },
    });
    const { code, out, err } = await run(root, ['test', 'fs', 'read_file']);
    expect(code).toBe(0);
    expect(out).toMatch(/^decision {2}confirm\n/);
    expect(err).toContain('note: mcp.json is not in effect yet: nobody has trusted it yet\n');
    expect(existsSync(join(root, 'started'))).toBe(false);
  });

  it('asks a server that is believed what it says of its tools, when rules hang on that', async () => {
    const root = await trustedProject({
      servers: { files: server('filesystem', { args: ['.'], trust: 'full' }) },
      policy: { rules: [{ server: 'files', annotations: { readOnlyHint: true }, decision: 'allow' }] },
    });
    const test = async (tool: string) => (await policyJson(root, ['test', 'files', tool])).json['decision'];
    expect([await test('read_text_file'), await test('write_file')]).toEqual(['allow', 'confirm']);
  });

  it.each([
    ['{path}', 'it is not JSON'],
    ['[1]', 'it has to be an object'],
  ])('refuses --args %s', async (args, why) => {
    const root = await mcpProject({ servers: { fs } });
    const { code, err } = await run(root, ['test', 'fs', 'read_file', '--args', args]);
    expect(code).toBe(2);
    expect(err).toContain(`Cannot read --args ${args}: ${why}`);
  });

  it('says that a tool is not known, and judges all the same', async () => {
    const files = server('filesystem', { args: ['.'] });
    const root = await trustedProject({ servers: { files } });
    const test = (tool: string) => run(root, ['test', 'files', tool]);
    const before = await test('write_fil');
    expect(before).toMatchObject({ code: 0, out: expect.stringMatching(/^decision {2}confirm\n/) });
    expect(before.err).toBe(
      'note: files was started for no agent and no call yet, so whether it has a tool write_fil is not in the log; what it has is shown by clifford mcp inspect files\n',
    );
    await mcp(root, ['call', 'files', 'write_file', '--args', '{"path":"a","content":"b"}']);
    expect(await test('write_fil')).toMatchObject({
      code: 0,
      err: 'note: files has no tool write_fil, as far as is known\n',
    });
    expect(await test('write_file')).toMatchObject({ code: 0, err: '' });
  });

  it('reads the arguments from stdin', async () => {
    const root = await mcpProject({ servers: { fs }, policy });
    const { out } = await run(root, ['test', 'fs', 'write_file', '--args', '-'], {
      input: '{ "path": "docs/a" }\n',
    });
    expect(out).toMatch(/^decision {2}allow\n/);
  });
});

describe('clifford policy list', () => {
  it('shows the rules with their conditions, and what humans allowed', async () => {
    const root = await mcpProject({ servers: { fs }, policy });
    const id = await granted(root, 'edit_file');
    const { code, out } = await run(root, ['list']);
    expect(code).toBe(0);
    expect(out.split('\n').slice(0, 9)).toEqual([
      'deny     denylist[0] */delete_*',
      'allow    allowlist[0] fs/read_*',
      'allow    allowlist[1] fs/write_file',
      '           if path below "docs"',
      'confirm  rules[0] fs/*',
      '           if the sprint is release-*',
      '           since ada looks at releases',
      'confirm  every other call',
      '',
    ]);
    const rows = out.split('\n');
    const at = rows.findIndex((row) => row.startsWith(id.slice(0, 15)));
    const under = (head: string) => rows[at]?.slice(rows[at - 1]?.indexOf(head));
    expect(under('GRANTED')).toMatch(new RegExp(`^${id.slice(0, 15)}`));
    expect(under('TOOL')).toMatch(/^fs\/edit_file +/);
    expect(under('HOLDS')).toMatch(/^always +/);
    expect(under('BY')).toMatch(/^ada, /);
  });

  it("shows which call of an agent's own tool a human allowed", async () => {
    const root = await mcpProject({ servers: { fs } });
    const project = await openTestProject(root);
    const agent = { id: 'agent-1', client: 'opencode' };
    for (const command of ['npm test', 'git push']) {
      const what = { ...approval, server: '@opencode', tool: 'execute', isOwn: true as const };
      const call = { ...what, args: { command }, callDigest: command };
      const { id } = await askApproval(project, { stream: 'adhoc', agent, approval: call });
      await approve(project, id, { scope: 'always', by: 'ada', via: 'cli' });
    }
    const { out } = await run(root, ['list']);
    expect(out.split('\n').filter((line) => line.includes('exactly: '))).toEqual([
      '  exactly: {"command":"npm test"}',
      '  exactly: {"command":"git push"}',
    ]);
    const [first = ''] = project.state.policyRules.map(({ id }) => id);
    expect((await run(root, ['remove', first])).out).toBe(
      `removed ${first}: that call of @opencode/execute is judged by mcp.json again\n`,
    );
  });

  it('shows what the log says: no rule that only a snapshot has', async () => {
    const root = await trustedProject({ servers: { fs }, policy });
    const id = await granted(root, 'notes');
    await run(root, ['remove', id]);
    const always = { server: 'fs', tool: 'notes', definitionDigest: 'definition-1', by: 'ada' };
    const rule = { id, ...always, scope: { kind: 'always' }, at: '2026-01-01T00:00:00.000Z' } as const;
    await forgeSnapshot(root, ({ state }) => {
      state.policyRules = [{ ...rule, recordedIn: 'adhoc' }];
    });
    const { out } = await run(root, ['list']);
    expect(out).toContain('no human has allowed anything for more than one call');
  });

  it('says that what nobody has trusted does not count yet', async () => {
    const rules = [{ kind: 'execute', command: { startsWith: 'npm test' }, decision: 'allow' }];
    const servers = {};
    const open = await run(await mcpProject({ servers, policy: { agents: { rules } } }), ['list']);
    expect(open.out).toContain("confirm  every call of a server's tool\n");
    expect(open.err).toContain('what mcp.json allows does not count yet: nobody has trusted it yet');
    expect((await run(await trustedProject({ servers, policy: { agents: { rules } } }), ['list'])).err).toBe(
      '',
    );
  });

  it('tells of a policy that cannot be read, with 1', async () => {
    const root = await mcpProject({ servers: { fs }, policy: { default: 'maybe' } });
    const { code, out } = await run(root, ['list']);
    expect(code).toBe(1);
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(/^every call is denied: Cannot read .*mcp\.json/);
  });
});

describe('clifford policy judge', () => {
  it('takes a rule on files for none on the commands that name them', async () => {
    const rules = [{ path: { below: 'src' }, decision: 'allow' }];
    const root = await trustedProject({ policy: { agents: { rules } } });
    const judge = async (...args: string[]) =>
      (await run(root, ['judge', ...args, '--path', 'src/a.ts'])).out;
    expect(await judge('edit')).toMatch(/^decision {2}allow\n/);
    expect(await judge('execute', '--command', 'rm -rf docs')).toMatch(/^decision {2}confirm\n/);
    expect(await judge('fetch', '--host', 'evil.example')).toMatch(/^decision {2}confirm\n/);
  });

  it('reads a path as where an agent names it', async () => {
    const root = await trustedProject({ policy: { agents: { ask: 'nothing', rules: [] } } });
    for (const path of ['mcp.json', '{"path":"mcp.json"}', 'a.ts, mcp.json', 'mcp.jso?'])
      expect((await run(root, ['judge', 'edit', '--path', path])).out).toMatch(/^decision {2}deny\n/);
    expect((await run(root, ['judge', 'edit', '--path', 'pages/[id].tsx'])).out).toMatch(
      /^decision {2}allow\n/,
    );
  });

  it('refuses every call while mcp.json cannot be read, and looks twice', async () => {
    // In a process of its own, which nothing but that keeps.
    const cwd = await mcpProject('{');
    const { code, out } = await startClifford(['policy', 'judge', 'read', '--path', 'a'], { cwd }).ended;
    expect(code).toBe(0);
    expect(out).toMatch(/^decision {2}deny\nrule {6}unreadable policy\n/);
  });
});

it('rules in a wrong place of mcp.json are named wherever the policy is looked at', async () => {
  const root = await trustedProject({ servers: { fs }, agents: { ask: 'everything' } });
  const note = /^note: Unknown key "agents" in \S+mcp\.json:\d+:\d+; it belongs in "policy"$/m;
  expect((await run(root, ['list'])).err).toMatch(note);
  expect((await run(root, ['judge', 'read'])).err).toMatch(note);
  expect((await run(root, ['test', 'fs', 'read_file'])).err).toMatch(note);
  const { out } = await clifford(['doctor'], { cwd: root, env: { CLIFFORD_TRUST_PROJECT: '' } });
  expect(out).toMatch(/^! +Unknown key "agents" in \S+; it belongs in "policy"$/m);
});

describe('clifford policy remove', () => {
  it('takes back what a human allowed', async () => {
    const root = await mcpProject({ servers: { fs } });
    const id = await granted(root, 'write_file');
    expect(await run(root, ['remove', id.slice(0, 20)])).toMatchObject({
      code: 0,
      out: `removed ${id}: fs/write_file is judged by mcp.json again\n`,
    });
    expect((await policyJson(root, ['list'])).json['granted']).toEqual([]);
    const { code, err } = await run(root, ['remove', id]);
    expect(code).toBe(2);
    expect(err).toContain(`Cannot remove rule ${id}: no rule with that id was granted by a human`);
  });

  it('refuses a beginning that several ids have', async () => {
    const root = await mcpProject({ servers: { fs } });
    const ids = [await granted(root, 'a'), await granted(root, 'b')];
    const few = ids[0]?.slice(0, 'r-0198'.length) ?? '';
    const { code, err } = await run(root, ['remove', few]);
    expect(code).toBe(2);
    expect(err).toContain(`Cannot tell which rule ${few} is meant: several ids begin with it`);
    for (const id of ids) expect(err.replaceAll(/\s+/g, ' ')).toContain(id);
  });

  it.each([0, 1, 2, 3, 4])('refuses the first %i characters of the only id: too little', async (length) => {
    const root = await mcpProject({ servers: { fs } });
    const id = await granted(root, 'a');
    const few = id.slice(0, length);
    const { code, err } = await run(root, ['remove', few]);
    expect(code).toBe(2);
    expect(err).toContain('it takes 4 digits of the id');
    expect(err.replaceAll(/\s+/g, ' ')).toContain(id);
    expect((await policyJson(root, ['list'])).json['granted']).toHaveLength(1);
  });
});
