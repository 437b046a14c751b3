import { describe, expect, it } from 'vitest';
import type { AgentRule } from '../../../src/gateway/config/agent-policy.ts';
import type { AgentKind } from '../../../src/gateway/permission/agent-call.ts';
import { decide, judged } from './said-call.ts';

const allowAll: AgentRule[] = [{ decision: 'allow' }];
const npmTest: AgentRule[] = [{ kind: 'execute', command: { startsWith: 'npm test' }, decision: 'allow' }];

describe('a rule that allows the command does not allow', () => {
  it.each<[string, object]>([
    ['an environment', { env: { GIT_PAGER: 'rm -rf docs' } }],
    ['an environment of another name', { environment: ['PATH=./x'] }],
    ['arguments in a text', { args: '; rm -rf src' }],
    ['arguments in an object', { args: { 0: 'rm' } }],
    ['arguments in a list of lists', { args: [['rm']] }],
    ['arguments below', { files: [{ path: 'a', args: ['rm'] }] }],
    ['a shell', { shell: '/tmp/sh' }],
    ['what it reads', { stdin: 'rm -rf src' }],
    ['what it reads, called as a text of a file', { text: 'rm -rf src' }],
    ['another command', { cmd: 'rm -rf src' }],
    ['another command that it allows', { script: 'npm test b' }],
    ['a part of the command as another one', { script: 'test' }],
    ['commands that are no part of it', { commands: ['npm test', 'rm -rf src'] }],
    ['another command in another spelling', { Command: 'rm -rf src' }],
    ['another command in one word', { commandline: 'rm -rf src' }],
    ['a command of another name', { shell_command: 'rm -rf src' }],
    ['steps', { steps: [{ run: 'rm -rf src' }] }],
    ['other rights', { sudo: true }],
    ['a file', { env_file: '/tmp/e' }],
    ['another shell', { shell_path: '/tmp/sh' }],
    ['an address', { proxy_url: 'http://evil.com' }],
    ['a path', { path: '/etc' }],
    ['a base', { base_dir: '/etc' }],
    ['what is meant for the protocol', { _meta: { env: { GIT_PAGER: 'rm -rf docs' } } }],
    ['what Clifford says itself', { unread: { env: { GIT_PAGER: 'rm -rf docs' } } }],
    ['a file that is written', { edits: [{ path: 'package.json', content: 'x' }] }],
    ['a known flag in a list', { run_in_background: [true] }],
    ['a word that is none of its field', { mode: 'root' }],
    ['what it is said to be made of, and is not', { parsed_cmd: [{ type: 'unknown', cmd: 'rm -rf src' }] }],
    ['what it is said to be made of, in a text', { parsed_cmd: 'npm test' }],
    ['more in what it is made of', { parsed_cmd: [{ cmd: 'npm test', env: { A: 'b' } }] }],
  ])('%s beside it', (_, more) => {
    expect(decide('execute', { command: 'npm test' }, { rules: npmTest })).toBe('allow');
    expect(decide('execute', { command: 'npm test', ...more }, { rules: npmTest })).toBe('confirm');
  });
});

describe('a rule on commands that denies is in doubt for', () => {
  const rules: AgentRule[] = [{ command: { startsWith: 'git push' }, decision: 'deny' }];
  it.each<[string, AgentKind, object]>([
    ['arguments in a text', 'execute', { command: 'git', args: 'push origin' }],
    ['another spelling', 'execute', { command: 'ls', Command: 'git push' }],
    ['lists of arguments', 'execute', { command: 'git', args: [['push']] }],
    ['a list in a command', 'execute', { command: ['git', ['push']] }],
    ['an object', 'execute', { command: 'ls', next: { command: 'git push' } }],
    ['a list of steps', 'execute', { command: 'ls', steps: [{ run: 'git push' }] }],
    ['a command in parts', 'edit', { path: 'a.ts', command: { program: 'git', args: ['push'] } }],
    ['a command in parts, of whatever', 'other', { command: { program: 'git', args: ['push'] } }],
    ['a command in parts that is said to read', 'read', { path: 'a.ts', command: { line: 'git push' } }],
    ['another name', 'read', { path: 'a.ts', commandLine: 'git push' }],
    ['another name, of whatever', 'other', { commandline: 'git push' }],
  ])('%s', (_, kind, input) => {
    expect(decide(kind, input, { ask: 'nothing', rules })).toBe('deny');
    expect(decide(kind, input, { rules: allowAll })).toBe('confirm');
  });
});

describe('a rule on deletions is in doubt for', () => {
  const rules: AgentRule[] = [{ kind: 'delete', decision: 'deny' }];
  it.each<[string, object]>([
    ['that something is so', { delete: true }],
    ['that something is so, in a number', { delete: 1 }],
    ['that nothing is said of it', { delete: null }],
    ['what is so of it besides', { _meta: { deleted: true } }],
    ['files that go', { files_to_delete: ['b.ts'] }],
    ['files that are gone', { deleted_files: ['b.ts'] }],
    ['a tool', { tool: 'delete_file' }],
    ['a way', { mode: 'delete' }],
    ['a list of words', { op: ['delete'] }],
    ['a word in one', { type: 'deletefile' }],
    ['a word that nobody knows', { op: 'wipe' }],
    ['another word', { action: 'truncate' }],
    ['what is so of a file', { changes: { 'b.ts': { deleted: true } } }],
  ])('%s', (_, more) => {
    expect(decide('edit', { path: 'a.ts', content: 'x' }, { ask: 'nothing', rules })).toBe('allow');
    expect(decide('edit', { path: 'a.ts', ...more }, { ask: 'nothing', rules })).toBe('deny');
    expect(decide('edit', { path: 'a.ts', ...more })).toBe('confirm');
  });
});

describe('a name that nobody knows to be one counts, where it is that of', () => {
  const rules: AgentRule[] = [{ path: { below: 'deploy.yml' }, decision: 'deny' }];
  it.each<[string, (name: string) => object]>([
    ['move_to', (name) => ({ move_to: name })],
    ['a name of a file', (name) => ({ files: [{ name, content: 'x' }] })],
    ['new_name', (name) => ({ new_name: name })],
    ['rename', (name) => ({ rename: name })],
    ['output', (name) => ({ output: name })],
    ['outfile', (name) => ({ outfile: name })],
    ['pathname', (name) => ({ pathname: name })],
    ['document', (name) => ({ document: name })],
    ['path2', (name) => ({ path2: name })],
    ['an object', (name) => ({ target_ref: { id: name } })],
    ['a map', (name) => ({ by_name: { [name]: { x: 'y' } } })],
  ])('a protected place, or of a rule: %s', (_, more) => {
    for (const ask of ['nothing', 'what-matters'] as const)
      expect(decide('edit', { path: 'src/a.ts', ...more('mcp.json') }, { ask })).toBe('deny');
    expect(decide('edit', { path: 'src/a.ts', ...more('deploy.yml') }, { ask: 'nothing', rules })).toBe(
      'deny',
    );
    expect(
      judged('edit', { rawInput: { path: 'src/a.ts', ...more('deploy.yml') } }, { rules }),
    ).toMatchObject({
      decision: 'deny',
      rule: 'agents.rules[0]',
    });
    expect(decide('edit', { path: 'src/a.ts', ...more('b.ts') })).toBe('confirm');
  });

  it('where another path starts', () => {
    expect(decide('edit', { path: 'passwd', base: '..' })).toBe('confirm');
  });
});

it('a text that names another file is not taken for what its file is to have', () => {
  const rules: AgentRule[] = [{ path: { below: 'deploy' }, decision: 'deny' }];
  const input = 'deploy/x.yml\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n';
  expect(decide('edit', { path: 'src/a.ts', input })).toBe('confirm');
  expect(decide('edit', { path: 'src/a.ts', input }, { ask: 'nothing', rules })).toBe('deny');
});

it('who is asked is told which field is not understood', () => {
  const input = { command: 'npm test', env: { A: 'b' } };
  const said = { rawInput: input };
  const why = 'what it says in "env" is not understood';
  expect(judged('execute', said).reason).toContain(why);
  expect(judged('execute', said, { rules: npmTest }).reason).toContain(why);
  const denied: AgentRule[] = [{ command: { startsWith: 'git push' }, decision: 'deny' }];
  expect(judged('execute', said, { rules: denied }).reason).toContain(why);
});

it('a tool that may take anything may, as long as it has no command', () => {
  const rules: AgentRule[] = [
    { kind: 'other', decision: 'allow' },
    { command: { startsWith: 'git push' }, decision: 'deny' },
    { kind: 'delete', decision: 'deny' },
  ];
  expect(decide('other', { table: 'users', force: true, where: { id: 'x' } }, { rules })).toBe('allow');
  expect(decide('think', { todos: [{ content: 'Fix src/a.ts', status: 'pending' }] })).toBe('allow');
});

it('a field is not taken for what every object has', () => {
  expect(decide('edit', { path: 'a.ts', constructor: 'x' })).toBe('confirm');
});

it.each(['globs', 'includes', 'glob_pattern', 'pages', 'process_id', 'queries', 'id'])(
  'a name in %s is one, in calls of kinds that are not known to send it',
  (field) => {
    const rules: AgentRule[] = [{ path: { below: 'deploy' }, decision: 'deny' }];
    for (const kind of ['edit', 'delete'] as const)
      for (const value of ['mcp.json', ['mcp.json'], ['deploy']])
        expect(decide(kind, { path: 'src/a.ts', [field]: value }, { rules })).not.toBe('allow');
  },
);

it('a server and a tool do not make another call of an edit', () => {
  const rules: AgentRule[] = [
    { kind: 'other', decision: 'allow' },
    { kind: 'edit', decision: 'deny' },
  ];
  const input = { server: 'clifford', tool: 'task_done', arguments: {}, path: 'src/a.ts' };
  expect(decide('edit', input, { rules })).toBe('deny');
  expect(decide('execute', { server: 'db', tool: 'query', arguments: {} })).toBe('confirm');
});
