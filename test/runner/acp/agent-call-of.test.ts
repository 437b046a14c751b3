import { describe, expect, it } from 'vitest';
import { jsonSchema } from '../../../src/events/field-schemas.ts';
import { agentGateCall as loggedCallOf } from '../../../src/gateway/backtest/gate-calls.ts';
import { acpCallSchema } from '../../../src/runner/acp/acp-call.ts';
import { agentCallOf } from '../../../src/runner/acp/agent-call-of.ts';
import { call } from '../../gateway/backtest/recorded-calls.ts';

const callOf = (said: object) => agentCallOf(acpCallSchema.parse({ toolCallId: 'c', ...said }), '/project');
const text = (words: string) => ({ type: 'content', content: { type: 'text', text: words } });
const diff = (path: string) => ({ type: 'diff', path, oldText: 'a', newText: 'b' });

describe('what agents ask permission for', () => {
  it.each<[string, object, object]>([
    [
      'OpenCode',
      { kind: 'execute', title: 'bash', rawInput: { command: 'ls', description: 'Lists' } },
      { commands: ['ls'], args: { command: 'ls', description: 'Lists' }, cwd: '/project', paths: [] },
    ],
    [
      'OpenCode, several files at once',
      {
        kind: 'edit',
        title: 'apply_patch',
        rawInput: {
          filepath: 'a, .git/config',
          files: [{ filePath: '/project/a' }, { movePath: '/project/.git/config' }],
        },
      },
      { paths: ['a, .git/config', '/project/a', '/project/.git/config', 'a', '.git/config'] },
    ],
    [
      'Claude',
      {
        kind: 'edit',
        title: 'Edit',
        rawInput: { file_path: '/project/a' },
        locations: [{ path: '/project/a' }],
        content: [diff('/project/a')],
      },
      { paths: ['/project/a'], args: { file_path: '/project/a', changes: [diff('/project/a')] } },
    ],
    [
      'Codex',
      { kind: 'execute', title: 'echo hi', rawInput: { command: 'echo hi', cwd: '/project/sub' } },
      { commands: ['echo hi'], cwd: '/project/sub', args: { command: 'echo hi', cwd: '/project/sub' } },
    ],
    [
      'Gemini',
      { kind: 'execute', title: 'echo hi', content: [text('echo hi')] },
      { commands: ['echo hi'], args: { title: 'echo hi', content: [text('echo hi')] } },
    ],
    [
      'OpenCode, with what it shows of an edit',
      {
        kind: 'edit',
        title: 'edit',
        rawInput: { filepath: '/project/a', diff: '--- /project/a\n+++ /project/.git/config\n' },
      },
      { paths: ['/project/a', '/project/.git/config'] },
    ],
    [
      'Codex, several files by their paths',
      {
        kind: 'edit',
        title: 'Edit',
        rawInput: { changes: { '/project/.git/config': { type: 'add', content: 'x' } } },
      },
      { paths: ['/project/.git/config'] },
    ],
    [
      'one that writes names in another way',
      { kind: 'edit', rawInput: { input: { TargetFile: 'a' }, uri: 'file:///project/.git/config' } },
      { paths: ['file:///project/.git/config', 'a'], hosts: [] },
    ],
    [
      'one that hands over a patch',
      { kind: 'edit', rawInput: { patch: '*** Begin Patch\n*** Delete File: .git/config\n*** End Patch' } },
      { paths: ['.git/config'], deletes: true },
    ],
    [
      'one that moves',
      { kind: 'move', rawInput: { from: 'a', to: '.git/config' } },
      { paths: ['a', '.git/config'] },
    ],
    [
      'Copilot',
      { kind: 'execute', title: 'Do it', rawInput: { command: 'ls', commands: ['ls', 'pwd'] } },
      { commands: ['ls', 'pwd'] },
    ],
  ])('%s', (_agent, said, expected) => {
    expect(callOf(said)).toMatchObject(expected);
  });

  it('is never its title where there is an input, whatever that is', () => {
    const lie = { kind: 'execute', title: 'ls' };
    expect(callOf({ ...lie, rawInput: 'rm -rf x' })).toMatchObject({
      commands: ['rm -rf x'],
      args: { input: 'rm -rf x' },
    });
    expect(callOf({ ...lie, rawInput: ['rm', 'x'] })).toMatchObject({
      commands: [],
      args: { input: ['rm', 'x'] },
    });
    expect(callOf({ ...lie, rawInput: { code: 'rm x' } })).toMatchObject({
      commands: [],
      args: { code: 'rm x' },
    });
    expect(callOf({ ...lie, rawInput: { input: 'ls', code: 'rm x' } })).toMatchObject({ commands: [] });
    expect(callOf({ ...lie, rawInput: { title: 'ls', content: '', code: 'rm x' } }).commands).toEqual([]);
    expect(callOf({ ...lie, kind: 'read' })).toMatchObject({ commands: [] });
    expect(callOf({ ...lie, rawInput: null })).toMatchObject({ commands: ['ls'] });
    // That is no input.
    expect(callOf({ ...lie, rawInput: {} })).toMatchObject({ commands: ['ls'] });
  });

  it.each<[object, string[]]>([
    [{ rawInput: { command: 'ls' } }, ['ls']],
    [{ rawInput: 'ls' }, ['ls']],
    [{ rawInput: { input: 'ls' } }, ['ls']],
    [{ rawInput: { input: 'ls', cwd: '/project/sub' } }, ['ls']],
    [
      { rawInput: { input: 'ls', cwd: '/project' }, locations: [{ path: '/a' }], content: [diff('a')] },
      ['ls'],
    ],
    [{ rawInput: { input: 'ls', more: 'x' } }, []],
    [{ rawInput: { input: 'ls', cwd: 'sub' } }, ['ls']],
    [{ rawInput: { input: ['ls'] } }, []],
    [{ rawInput: { title: 'ls' } }, []],
    [{ title: 'ls' }, ['ls']],
    [{ title: 'ls', rawInput: {}, content: [text('ls')] }, ['ls']],
    [{ title: 'ls', rawInput: { title: 'ls', more: 'x' } }, []],
    [{ title: 'ls', rawInput: { title: 'ls', content: 'x', more: 'x' } }, []],
  ])('runs the same when it is judged from the log: %j', (said, commands) => {
    const live = agentCallOf(acpCallSchema.parse({ toolCallId: 'c', kind: 'execute', ...said }), '/project', {
      sessionFolder: '/elsewhere',
    });
    expect(live.commands).toEqual(commands);
    const logged = call({ tool: 'execute', args: jsonSchema.parse(live.args) });
    expect(loggedCallOf(logged, 'fake', '/project').commands).toEqual(commands);
  });

  it.each<[string, object, string, string | undefined]>([
    ['its session works', { command: 'ls' }, '/project/sub', undefined],
    ['it says, from there', { command: 'ls', cwd: 'lib' }, '/project/sub', undefined],
    ['it says, from the project', { command: 'ls', cwd: 'lib' }, '/project', undefined],
    ['its agent told of before', { command: 'ls' }, '/project', 'lib'],
  ])(
    'is judged by the log in the folder where it was judged when it was made: where %s',
    (_what, rawInput, sessionFolder, told) => {
      const said = acpCallSchema.parse({ toolCallId: 'c', kind: 'execute', rawInput });
      const live = agentCallOf(said, '/project', { sessionFolder, told });
      const logged = call({ tool: 'execute', args: jsonSchema.parse(live.args) });
      expect(loggedCallOf(logged, 'fake', '/project').cwd).toBe(live.cwd);
    },
  );

  it('may be a list of words or of commands: both are looked at', () => {
    const input = { command: ['bash', '-lc', "echo 'hi'"] };
    expect(callOf({ kind: 'execute', rawInput: input }).commands).toEqual([
      String.raw`bash -lc 'echo '\''hi'\'''`,
      'bash',
      '-lc',
      "echo 'hi'",
    ]);
    const program = { command: 'git', args: ['push', '--force'] };
    expect(callOf({ kind: 'execute', rawInput: program }).commands).toEqual(['git push --force', 'git']);
    expect(callOf({ kind: 'read', rawInput: { cmd: ['ls'] } }).commands).toEqual(['ls']);
  });

  it('is about the files that are named anywhere, whatever its kind is called', () => {
    expect(
      callOf({
        kind: 'read',
        title: 'Reads',
        rawInput: { path: 'a', edits: [{ file_path: 'b' }, 7, null], deep: { er: { source: 'c' } } },
        locations: [{ path: 'd', line: 3 }],
        content: [diff('/project/.git/config'), text('said')],
      }),
    ).toMatchObject({ kind: 'edit', paths: ['d', 'a', 'b', 'c', '/project/.git/config'] });
    expect(callOf({ kind: 'other', content: [diff('a')] }).kind).toBe('other');
    expect(callOf({ kind: 'search', rawInput: { directory: '/etc' } })).toMatchObject({
      cwd: '/etc',
      paths: ['/etc'],
    });
    expect(callOf({ kind: 'search', rawInput: { cwd: '.', workdir: '/etc' } })).toMatchObject({
      cwd: '/project',
      paths: ['/etc'],
    });
  });

  it('is a command whatever its agent reads out of it, which rules about paths look at all the same', () => {
    const said = callOf({
      kind: 'execute',
      rawInput: { command: 'touch b' },
      locations: [{ path: '/project/b' }],
    });
    expect(said).toMatchObject({ args: { command: 'touch b' }, paths: ['/project/b'] });
    expect(said.args).not.toHaveProperty('locations');
    const silent = callOf({
      kind: 'execute',
      rawInput: { how: 'fast' },
      locations: [{ path: '/project/b' }],
    });
    expect(silent.args).toEqual({ how: 'fast', locations: ['/project/b'] });
  });

  it('is told apart by all that it says: nothing takes the place of something else', () => {
    const input = { changes: 'said', reason: 'so' };
    const more = { content: [diff('a')], locations: [{ path: 'b' }, { path: 'a' }] };
    expect(callOf({ kind: 'edit', rawInput: input, ...more }).args).toEqual({
      ...input,
      'changes shown': [diff('a')],
      locations: ['b'],
    });
    expect(callOf({ kind: 'edit', title: 't', content: [diff('a')] }).args).toEqual({
      title: 't',
      content: [diff('a')],
    });
    expect(callOf({ kind: 'delete', title: 't', rawInput: {}, locations: [{ path: 'b' }] }).args).toEqual({
      title: 't',
      content: [],
      locations: ['b'],
    });
  });

  it('reaches machines, of which some have no name', () => {
    const rawInput = { url: 'https://a.example/x', urls: ['http://b.example:80', 'c.example/x'] };
    expect(callOf({ kind: 'fetch', rawInput }).hosts).toEqual(['a.example', 'b.example', '']);
  });

  it('is what its prototype does not say', () => {
    const rawInput = JSON.parse('{"__proto__":{"command":"ls","path":"a"},"x":1}') as object;
    const said = callOf({ kind: 'execute', title: 'pwd', rawInput });
    expect(said.commands).toEqual([]);
    expect(JSON.stringify(said.args)).toBe('{"__proto__":{"command":"ls","path":"a"},"x":1}');
  });

  it('may be malformed where nothing is decided by it', () => {
    const odd = {
      kind: 'fly',
      title: 7,
      locations: 'here',
      content: [{ type: 'diff', path: 'a' }],
      _meta: 3,
      status: {},
    };
    expect(callOf(odd)).toEqual({
      kind: 'other',
      title: '',
      args: {
        title: '',
        content: [{ type: 'diff', path: 'a' }],
        unread: [{ said: 'here' }, { type: 'diff', path: 'a' }],
      },
      commands: [],
      cwd: '/project',
      paths: ['a'],
      isUnclear: true,
      hosts: [],
    });
    expect(callOf({ rawInput: { cwd: 'sub', path: ['a', 7, ''], command: '' } })).toMatchObject({
      cwd: '/project/sub',
      paths: ['a'],
      commands: [],
    });
    expect(acpCallSchema.safeParse({ toolCallId: '' }).success).toBe(false);
  });
});
