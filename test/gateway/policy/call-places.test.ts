import { describe, expect, it } from 'vitest';
import { jsonSchema } from '../../../src/events/field-schemas.ts';
import { agentGateCall } from '../../../src/gateway/backtest/gate-calls.ts';
import type { AgentRule } from '../../../src/gateway/config/agent-policy.ts';
import type { AgentKind } from '../../../src/gateway/permission/agent-call.ts';
import { decide, judged, saidCall } from './said-call.ts';

const allows = (rule: Omit<AgentRule, 'decision'>): AgentRule[] => [{ ...rule, decision: 'allow' }];
const denies = (rule: Omit<AgentRule, 'decision'>): AgentRule[] => [{ ...rule, decision: 'deny' }];
const text = (words: string) => ({ type: 'content', content: { type: 'text', text: words } });

describe('a rule that allows', () => {
  const files = allows({ path: { below: 'src' } });
  const machine = allows({ host: 'example.com' });
  it.each<[string, AgentRule[], AgentKind, object]>([
    ['files, no command that names one', files, 'execute', { command: 'rm -rf docs', path: 'src/a.ts' }],
    ['files, no command of another kind', files, 'edit', { command: 'rm -rf docs', path: 'src/a.ts' }],
    ['files, nothing without its command', files, 'execute', { path: 'src/a.ts' }],
    ['files, nothing that is fetched', files, 'fetch', { url: 'https://evil.example', path: 'src/a.ts' }],
    [
      'files, nothing that reaches a machine',
      files,
      'other',
      { url: 'https://evil.example', path: 'src/a.ts' },
    ],
    ['a machine, no command', machine, 'execute', { command: 'rm -rf docs', url: 'https://example.com/' }],
    ['a machine, no file', machine, 'fetch', { url: 'https://example.com/', path: 'src/a.ts' }],
    ['a machine, no kind that has files', machine, 'delete', { url: 'https://example.com/' }],
  ])('%s', (_, rules, kind, rawInput) => {
    expect(decide(kind, rawInput, { rules })).toBe('confirm');
  });

  it('files allows no command that is said to be about one', () => {
    const said = { rawInput: { command: 'rm -rf docs' }, locations: [{ path: '/project/src/a.ts' }] };
    expect(judged('execute', said, { rules: files }).decision).toBe('confirm');
  });

  it('files allows what is about them, a machine what is fetched from it, and both together both', () => {
    const both = allows({ host: 'example.com', path: { below: 'src' } });
    expect(decide('delete', { path: 'src/a.ts' }, { rules: files })).toBe('allow');
    expect(decide('fetch', { url: 'https://example.com/a' }, { rules: machine })).toBe('allow');
    expect(decide('fetch', { url: 'https://example.com/a', path: 'src/a.ts' }, { rules: both })).toBe(
      'allow',
    );
  });
});

describe('a rule on files that denies holds for a command that runs in its folder', () => {
  const rules: AgentRule[] = [...denies({ path: { below: 'deploy' } }), ...allows({ kind: 'execute' })];
  it.each([
    ['rm ../deploy/b.yml', 'deploy'],
    ['rm deploy.yml', 'deploy'],
    ['rm /project/deploy/x', 'deploy'],
    ['rm /project/deploy/x', 'deploy/sub'],
  ])('%s in %s', (command, cwd) => {
    expect(decide('execute', { command, cwd }, { rules })).toBe('deny');
    expect(decide('execute', { command: 'rm x', cwd: 'src' }, { rules })).toBe('allow');
  });

  it('but where its session works there: then each word would name a file of it', () => {
    const place = { sessionFolder: '/project/deploy' };
    const said = { rawInput: { command: 'npm test' } };
    expect(judged('execute', said, { rules }, place).decision).toBe('allow');
    expect(
      decide('execute', { command: 'npm test' }, { rules: [...denies({ path: { below: '.' } }), ...rules] }),
    ).toBe('allow');
  });
});

describe('a command is not allowed where nobody knows in which folder it runs', () => {
  const rules = allows({ kind: 'execute', command: { startsWith: 'npm test' } });
  it.each<[string, object]>([
    ['another field', { cwd: '.', workdir: '/etc' }],
    ['two that differ within the project', { cwd: 'a', dir: 'b' }],
    ['working_directory', { working_directory: '/etc' }],
    ['Cwd', { Cwd: '/etc' }],
    ['dir', { dir: '/etc' }],
    ['work_dir', { work_dir: '/etc' }],
    ['dir_path', { dir_path: '/etc' }],
    ['cd', { cd: '/etc' }],
    ['a list', { cwd: ['.', '/etc'] }],
    ['an object', { cwd: { path: '/etc' } }],
    ['a number', { cwd: 1 }],
    ['a blank', { cwd: ' /etc' }],
    ['a home', { cwd: '~' }],
    ['a URL', { cwd: 'file:///etc' }],
    ['a variable', { cwd: '$HOME' }],
  ])('%s', (_, folder) => {
    expect(decide('execute', { command: 'npm test', ...folder }, { rules })).toBe('confirm');
  });

  it.each<[string, object]>([
    ['one', { working_directory: '/project/src' }],
    ['the same twice', { cwd: '/project/src', workdir: '/project/src/' }],
    ['none', { cwd: null, workdir: '' }],
  ])('but where it names %s', (_, folder) => {
    expect(decide('execute', { command: 'npm test', ...folder }, { rules })).toBe('allow');
  });
});

describe('of several folders that a call names each is looked at', () => {
  const rules: AgentRule[] = [...allows({ kind: 'execute' }), ...denies({ path: { below: 'deploy' } })];
  it.each<[string, string, object]>([
    ['the second', 'rm p.yml', { cwd: 'src', workdir: 'deploy' }],
    ['one of a list', 'rm p.yml', { cwd: ['src', 'docs', 'deploy'] }],
    ['that of its session', 'rm deploy/p.yml', { cwd: 'src', workdir: 'docs' }],
    ['what is protected', 'echo > config', { cwd: 'src', workdir: '.git' }],
  ])('%s', (_, command, folders) => {
    const said = saidCall('execute', { rawInput: { command, ...folders } });
    expect(judged('execute', { rawInput: { command, ...folders } }, { rules }).decision).toBe('deny');
    const logged = agentGateCall(
      { tool: 'execute', args: jsonSchema.parse(said.args), paths: [], stream: 's-1', taskId: 'a' },
      'claude',
      '/project',
    );
    expect(logged).toMatchObject({ cwd: said.cwd, otherFolders: said.otherFolders });
  });

  it('and where they are more than are looked at, none is taken for all of them', () => {
    const cwd = Array.from({ length: 40 }, (_, at) => `d${at}`);
    for (const [kind, rawInput] of [
      ['edit', { path: 'mcp.json', cwd }],
      ['execute', { command: 'echo x > mcp.json', cwd }],
    ] as const)
      expect(judged(kind, { rawInput }, { ask: 'nothing' }).decision).toBe('deny');
  });

  it('and where it writes more files from them than are looked at, it does not run', () => {
    const writing = (files: number) =>
      judged('execute', {
        rawInput: {
          command: `cd a; cd b; ${Array.from({ length: files }, (_, at) => `echo > f${at};`).join(' ')}`,
        },
      });
    expect(writing(600)).toMatchObject({
      decision: 'deny',
      rule: 'too many files',
      reason: expect.stringContaining('Make several calls of it'),
    });
    expect(writing(400).decision).toBe('confirm');
  });

  it('and where they are one, that alone', () => {
    const said = saidCall('execute', { rawInput: { command: 'ls', cwd: '/project/src', workdir: 'src/' } });
    expect(said).not.toHaveProperty('otherFolders');
  });

  it('as they are from the folder of its session, in the log, too', () => {
    const sessionFolder = '/project/deploy';
    const rawInput = { command: 'rm p.yml', cwd: '/project/src', workdir: 'sub' };
    expect(judged('execute', { rawInput }, { rules }, { sessionFolder }).decision).toBe('deny');
    const { args, otherFolders } = saidCall('execute', { rawInput }, { sessionFolder });
    expect(otherFolders).toEqual(['/project/deploy/sub', sessionFolder]);
    const call = { tool: 'execute', args: jsonSchema.parse(args), paths: [], stream: 's-1', taskId: 'a' };
    expect(agentGateCall(call, 'claude', '/project')).toMatchObject({ cwd: '/project/src', otherFolders });
  });
});

describe('an edit whose folder is not known is asked about', () => {
  it.each<[string, object]>([
    ['another spelling', { Cwd: '/etc' }],
    ['a blank', { cwd: ' /etc' }],
    ['a home', { cwd: '~' }],
    ['a URL', { cwd: 'file:///etc' }],
    ['two that differ', { workdir: 'src', cwd: '.' }],
  ])('%s', (_, folder) => {
    expect(decide('edit', { path: 'passwd', content: 'x' })).toBe('allow');
    expect(decide('edit', { path: 'passwd', content: 'x', ...folder })).toBe('confirm');
  });
});

describe('where there is no input, the folder that is shown is the one', () => {
  const rules: AgentRule[] = [...allows({ kind: 'execute' }), ...denies({ path: { below: 'deploy' } })];
  const shown = (title: string, ...content: string[]) =>
    judged('execute', { title, content: content.map(text) }, { rules });

  it('to protect and to deny', () => {
    expect(shown('rm config', '[in .git]')).toMatchObject({ decision: 'confirm', rule: 'protected .git' });
    expect(shown('rm p.yml', '[in deploy]').decision).toBe('deny');
    expect(shown('rm p.yml', '[in src]').decision).toBe('allow');
    expect(shown('npm test', '[current working directory /project] (Runs tests)').decision).toBe('allow');
    expect(shown('npm test', '[current working directory /etc]').decision).toBe('confirm');
  });

  it('and none that stands in the command itself', () => {
    expect(shown('rm deploy/p.yml # [in src]').decision).toBe('deny');
    expect(shown('rm x > mcp.json # [in src]')).toMatchObject({
      decision: 'deny',
      rule: 'protected mcp.json',
    });
    expect(shown('rm p.yml # [in src]', '[in deploy]').decision).toBe('deny');
  });

  it('and of two nobody knows which', () => {
    const said = shown('rm p.yml', '[in src] (what is [in docs])');
    expect(said.decision).toBe('confirm');
    expect(said.reason).toContain('"content"');
    expect(shown('rm p.yml', '[in src] (what is [in deploy])').decision).toBe('deny');
    expect(shown('rm p.yml', '[in $HOME]').decision).toBe('confirm');
  });
});

describe('a rule on a machine that denies', () => {
  const rules: AgentRule[] = [...denies({ host: 'evil.com' }), ...allows({ kind: 'fetch' })];
  it.each(['https://evil.com./x', 'HTTPS://EVIL.COM/x', 'ssh://EVIL.com/x', 'https://a@evil.com:8443?x'])(
    'holds for %s',
    (url) => {
      expect(decide('fetch', { url }, { ask: 'nothing', rules })).toBe('deny');
      expect(judged('fetch', { rawInput: { url } }, { rules }).rule).toBe('agents.rules[0]');
    },
  );

  it.each([
    'evil.com/x',
    '//evil.com/x',
    String.raw`https://good.com\@evil.com`,
    'https://good.com@a@evil.com',
    'https:evil.com',
    'https://ev\til.com',
    'https://ｅvil.com',
    'https://%65vil.com',
    'http://0x7f.1',
  ])('is in doubt for %j', (url) => {
    expect(judged('fetch', { rawInput: { url } }, { rules }).rule).toBe('in doubt (agents.rules[0])');
    for (const host of ['good.com', '*'])
      expect(decide('fetch', { url }, { rules: allows({ kind: 'fetch', host }) })).toBe('confirm');
  });

  it.each([
    'curl evil.com/x',
    'curl https://evil.com./x',
    'curl EVIL.com:80',
    'curl --url=evil.com',
    'ssh evil.com',
    'scp a me@evil.com:b',
    String.raw`curl 'https://good.com\@evil.com'`,
  ])('holds for %s', (command) => {
    const commands: AgentRule[] = [...denies({ host: 'evil.com' }), ...allows({ kind: 'execute' })];
    expect(decide('execute', { command }, { rules: commands })).toBe('deny');
    expect(decide('execute', { command: 'curl good.com evil.computer' }, { rules: commands })).toBe('allow');
  });

  it('each one holds for URLs in commands, not for every word', () => {
    const commands: AgentRule[] = [...denies({ host: '*' }), ...allows({ kind: 'execute' })];
    expect(decide('execute', { command: 'curl https://evil.com' }, { rules: commands })).toBe('deny');
    expect(decide('execute', { command: 'cat a.ts' }, { rules: commands })).toBe('allow');
  });
});

describe('to go to the project', () => {
  const rules = allows({ kind: 'execute', command: { startsWith: 'npm test' } });
  it('needs no rule', () => {
    for (const command of ['cd /project && npm test', 'cd /project/ ; npm test'])
      expect(decide('execute', { command }, { rules })).toBe('allow');
  });

  it.each(['cd /project', 'cd /project/src && npm test', 'cd / && npm test', 'A=b cd /project && npm test'])(
    'is not all that is done by %s',
    (command) => {
      expect(decide('execute', { command }, { rules })).toBe('confirm');
    },
  );

  it('is denied by a rule on it', () => {
    const denied = [...rules, ...denies({ command: { startsWith: 'cd' } })];
    expect(decide('execute', { command: 'cd /project && npm test' }, { rules: denied })).toBe('deny');
  });
});
