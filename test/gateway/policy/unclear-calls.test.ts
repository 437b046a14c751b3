import { describe, expect, it } from 'vitest';
import type { AgentRule } from '../../../src/gateway/config/agent-policy.ts';
import { acpCallSchema } from '../../../src/runner/acp/acp-call.ts';
import { agentCallOf } from '../../../src/runner/acp/agent-call-of.ts';
import { callChanges } from '../../../src/views/calls/call-changes.ts';
import { unclearFiles } from '../../../src/views/calls/unclear-files.ts';
import { filesInCall } from '../../../src/events/call-files/files-in-call.ts';
import type { AgentKind } from '../../../src/gateway/permission/agent-call.ts';
import { decide, decideSaid, judged, type Said } from './said-call.ts';

const diff = (path: string) => `--- ${path}\n+++ ${path}\n@@ -1 +1 @@\n-x\n+y\n`;

describe('a human is asked about a call of which not all files are known for sure', () => {
  it.each<[string, AgentKind, object]>([
    ['a list in a field that may be a map', 'read', { files: { paths: ['/etc/passwd'] } }],
    [
      'texts in a field that may be a map',
      'edit',
      { document: '/etc/passwd', edits: { oldText: 'a', newText: 'b' } },
    ],
    ['a map in a map', 'edit', { changes: { files: { '/etc/passwd': { content: 'x' } } } }],
    [
      'a map with a name that may be no path',
      'edit',
      { changes: { Makefile: { content: 'x' }, 'a.ts': { content: 'x' } } },
    ],
    [
      'what is binary in a patch',
      'edit',
      { patch: `${diff('a/a.ts')}diff --git a/.env b/.env\nGIT binary patch\nliteral 1` },
    ],
    [
      'a mode in a patch',
      'edit',
      { patch: `${diff('a/a.ts')}diff --git a/x b/x\nold mode 100644\nnew mode 100755` },
    ],
    [
      'a name in a patch that is encoded',
      'edit',
      { path: 'a.ts', patch: '--- "a/\\056env"\n+++ "b/\\056env"\n@@ -1 +1 @@\n-x\n+y\n' },
    ],
    [
      'a mark without its blank',
      'edit',
      { path: 'a.ts', patch: '*** Begin Patch\n*** Add File:/etc/x\n+x\n*** End Patch' },
    ],
    [
      'files that stand deeper than is looked',
      'edit',
      { path: 'a.ts', a: { b: { c: { d: { e: { f: { path: '/etc/passwd', content: 'x' } } } } } } },
    ],
    ['lists of lists of paths', 'read', { path: 'a.ts', paths: [['/etc/passwd']] }],
    ['files in lists of lists', 'edit', { path: 'a.ts', edits: [[{ path: '/etc/passwd', content: 'x' }]] }],
    [
      'an empty file that a patch deletes',
      'edit',
      {
        patch: `diff --git a/x b/x\ndeleted file mode 100644\nindex e69de29..0000000\n${diff('a.ts')}`,
      },
    ],
    [
      'a name in a patch with a date behind a blank',
      'edit',
      { patch: diff('a.ts 2020-01-01 00:00:00.000000000 +0000') },
    ],
    [
      'one file of both sides of a patch, and another',
      'edit',
      { patch: '--- a.ts\n+++ b.ts\n@@ -1 +1 @@\n-x\n+y\n' },
    ],
    ['an index that names another file', 'edit', { patch: `Index: b.ts\n${diff('a.ts')}` }],
    [
      'a patch far below blanks',
      'edit',
      { path: 'a.ts', input: `${'\n'.repeat(2_000)} *** Begin Patch\n*** X` },
    ],
    ['a list of words in a list', 'edit', { path: 'a.ts', operations: [['write', '/etc/passwd', 'x']] }],
    ['nothing below a path', 'edit', { changes: { 'a.ts': null } }],
    ['a list in a list below a path', 'edit', { changes: { 'a.ts': [[{ path: '/etc/passwd' }]] } }],
    [
      'a patch below a path',
      'edit',
      { changes: { 'a.ts': '*** Begin Patch\n*** Update File: b.ts\n*** End Patch' } },
    ],
    ['lists deeper than is looked', 'edit', { path: 'a.ts', x: [[[[[[[{ path: '/etc/passwd' }]]]]]]] }],
    ['a name in a patch that is quoted on both sides', 'edit', { patch: diff('"a.ts"') }],
    ['two names that differ, and no lines', 'edit', { patch: 'diff --git a/x b/y\nnew file mode 100644\n' }],
    [
      'another name in the head of a renaming',
      'edit',
      { patch: `diff --git a/x b/z\nsimilarity index 100%\nrename from x\nrename to y\n` },
    ],
    [
      'other names below the head of a renaming',
      'edit',
      { patch: `diff --git a/x b/y\nrename from x\nrename to y\n${diff('z')}` },
    ],
    ['a name with a return in it', 'edit', { patch: diff('a.ts\rmcp') }],
    [
      'a name behind two blanks',
      'edit',
      { patch: '*** Begin Patch\n*** Add File:  a.ts\n+x\n*** End Patch' },
    ],
    [
      'a diff with returns in a field of any name',
      'edit',
      { path: 'a.ts', input: diff('/etc/x').replaceAll('\n', '\r\n') },
    ],
    ['another machine in a field of any name', 'read', { path: 'a.ts', endpoint: 'https://evil.example/?q' }],
    [
      'a name in front of the year in which time begins',
      'edit',
      { patch: '--- a/a.ts\t2020-01-01\n+++ b/a.ts\t1970-01-01 00:00:00 +0000\n@@ -1 +0,0 @@\n-x\n' },
    ],
    ['a file of which nothing is left', 'edit', { patch: '--- a/a.ts\n+++ b/a.ts\n@@ -1 +0,0 @@\n-x\n' }],
    [
      'a head behind another end of a line',
      'edit',
      { patch: '*** Begin Patch\n*** Add File: a.ts\n+x\r*** Delete File: b.ts\n*** End Patch' },
    ],
    [
      'a name with a colon in a patch',
      'edit',
      { patch: '*** Begin Patch\n*** Update File: b.ts:a.ts\n@@\n-x\n+y\n*** End Patch' },
    ],
    ['a patch in parts', 'edit', { path: 'a.ts', patch: { text: diff('b.ts') } }],
    [
      'a diff with its context in a field of any name',
      'edit',
      { path: 'a.ts', input: '*** b.ts\n--- b.ts\n***************\n' },
    ],
    ['arguments in a text', 'edit', { path: 'a.ts', input: '{"path":"/etc/passwd"}' }],
    ['a command below', 'edit', { path: 'a.ts', steps: [{ command: 'rm -rf /' }] }],
    ['a command in another spelling', 'edit', { path: 'a.ts', Command: 'rm -rf /' }],
    ['a place to look at', 'search', { pattern: '/etc/**' }],
    ['files to take in', 'read', { path: 'src', include: ['/etc/*'] }],
    ['that several files go', 'edit', { action: 'delete', paths: ['a.ts', 'b.ts'] }],
    ['that files in a list go', 'edit', { action: 'delete_file', files: [{ path: 'a.ts' }] }],
    ['a diff in a field of any name', 'edit', { path: 'a.ts', input: diff('/etc/passwd') }],
    ['a patch beside a text', 'edit', { path: 'a.ts', newText: 'x', patch: 'x' }],
    ['a patch of a file that goes', 'edit', { path: 'a.ts', type: 'delete', patch: 'x' }],
    [
      'more files of one text than are looked at',
      'edit',
      { urls: Array.from({ length: 9 }, (_, at) => `file:///project/${at}`), content: 'x' },
    ],
  ])('%s', (_, kind, input) => {
    expect(decide(kind, input)).toBe('confirm');
    // By what is found of files and machines in it, whatever else of it is not understood.
    const { hasUnread, guessed, links, deletes, paths, readings } = filesInCall(input);
    const leaves = [...paths, ...readings].some((path) => path.startsWith('/etc/'));
    expect([hasUnread, guessed.length > 0, links.length > 0, deletes, leaves]).toContain(true);
  });

  it.each<[string, object]>([
    ['a patch of the project', { patch: diff('a/src/a.ts').replace('+++ a/', '+++ b/') }],
    ['a map of its files', { changes: { 'src/a.ts': { content: 'x' } } }],
    ['an edit below its file', { file_path: 'a.ts', edits: { old_string: 'a', new_string: 'b' } }],
  ])('not about %s', (_, input) => {
    expect(decide('edit', input)).toBe('allow');
  });

  it('where a rule is about a file as some programs read its name', () => {
    const rules: AgentRule[] = [{ decision: 'deny', path: { below: 'deploy' } }];
    expect(decide('edit', { patch: diff('x/deploy/p.yml') }, { rules })).toBe('deny');
  });

  it('where a rule is about a file that it may be about, though nothing else is asked about', () => {
    const rules: AgentRule[] = [{ decision: 'deny', path: { below: 'deploy' } }];
    const unclear = { path: 'a.ts', patch: 'x' };
    expect(decide('edit', unclear, { ask: 'nothing', rules })).not.toBe('allow');
    expect(decide('edit', { path: 'a.ts' }, { ask: 'nothing', rules })).toBe('allow');
  });
});

it('a change is shown at the path that its patch has, whatever other path is named', () => {
  const patch = '*** Begin Patch\n*** Update File: deploy/config.json\n@@\n-a\n+b\n*** End Patch';
  for (const path of ['config.json', '/project/test/deploy/config.json'])
    expect(callChanges(filesInCall({ path, patch })).map((change) => change.path)).toEqual([
      'deploy/config.json',
    ]);
});

it('an edit below its file is shown as one', () => {
  const input = { file_path: 'src/a.ts', edits: { old_string: 'a', new_string: 'b' } };
  expect(callChanges(filesInCall(input))).toMatchObject([
    { path: 'src/a.ts', how: 'edit', texts: ['a', 'b'] },
  ]);
});

it('texts are not multiplied by paths without end', () => {
  const urls = Array.from({ length: 2_700 }, (_, at) => `file:///${at}`);
  const edits = Array.from({ length: 2_000 }, () => ({ newText: 'x' }));
  const { changes, named, hasUnread } = filesInCall({ urls, edits });
  expect(named).toHaveLength(2_700);
  expect(changes.length).toBeLessThanOrEqual(1_000);
  expect(hasUnread).toBe(true);
  const many = Array.from({ length: 200_000 }, (_, at) => `${at}`);
  expect(filesInCall({ paths: many }).named).toHaveLength(200_000);
});

it('a machine is named wherever in a call its URL stands', () => {
  const rules: AgentRule[] = [{ kind: 'fetch', host: 'example.com', decision: 'allow' }];
  const url = 'https://example.com/a';
  expect(decide('fetch', { url, files: [{ url }] }, { rules })).toBe('allow');
  expect(decide('fetch', { url, files: [{ url: 'https://other.example/b' }] }, { rules })).toBe('confirm');
});

describe('a rule about files meets', () => {
  const rules: AgentRule[] = [{ path: { below: 'deploy' }, decision: 'deny' }];
  const beside = diff('src/a.ts');

  it.each<[string, string]>([
    [
      'an empty file that goes',
      'diff --git a/deploy/on b/deploy/on\ndeleted file mode 100644\nindex e69de29..0000000\n',
    ],
    [
      'an empty file that comes',
      'diff --git a/deploy/on b/deploy/on\nnew file mode 100644\nindex 0000000..e69de29\n',
    ],
    [
      'a file that is another one then',
      'diff --git a/deploy/on b/off\nsimilarity index 100%\nrename from deploy/on\nrename to off\n',
    ],
    ['names that nobody can tell apart', 'diff --git a/deploy/on b/deploy/off\n'],
    ['an index', 'Index: deploy/on\n'],
    [
      'what Git takes away with what stands before it',
      'diff --git p/deploy/on p/deploy/on\nnew file mode 100644\nindex 0000000..e69de29\n',
    ],
    ['a name behind two slashes', '--- a//deploy/on\n+++ b//deploy/on\n@@ -1 +1 @@\n-x\n+y\n'],
    ['a name that is encoded', '--- "a/deploy\\057on"\n+++ "b/deploy\\057on"\n@@ -1 +1 @@\n-x\n+y\n'],
    ['a mark that is indented', ' *** Delete File:deploy/on\n'],
    ['a name in front of a colon', '*** Update File: deploy/on:x\n'],
    ['a name in front of a date', '--- deploy 2020-01-01\n+++ deploy 2020-01-01\n@@ -1 +1 @@\n-x\n+y\n'],
  ])('%s in a patch', (_, head) => {
    for (const patch of [head + beside, beside + head])
      expect(decide('edit', { patch }, { ask: 'nothing', rules })).toBe('deny');
  });

  it('what goes and comes without a line is shown', () => {
    const patch =
      'diff --git a/x/on b/x/on\ndeleted file mode 100644\nindex e69de29..0000000\n' +
      'diff --git a/x/off b/x/off\nnew file mode 100644\nindex 0000000..e69de29\n';
    expect(callChanges(filesInCall({ patch }))).toMatchObject([
      { path: 'x/on', how: 'delete' },
      { path: 'x/off', how: 'write' },
    ]);
  });

  it('a name with blanks that ends at a tab is known', () => {
    const patch = '--- a/my file.ts\t\n+++ b/my file.ts\t\n@@ -1 +1 @@\n-x\n+y\n';
    expect(callChanges(filesInCall({ patch }))).toMatchObject([{ path: 'my file.ts', how: 'edit' }]);
    expect(filesInCall({ patch })).toMatchObject({ named: ['my file.ts'], hasUnread: false });
  });
});

it.each<[string, Said]>([
  ['a location without a path', { locations: [{ path: '/project/a.ts' }, {}] }],
  ['a list of locations that is none', { locations: '/project/a.ts', rawInput: { path: 'a.ts' } }],
  ['content without a type', { rawInput: { path: 'a.ts' }, content: ['x'] }],
  [
    'a change that does not say to what',
    { rawInput: { path: 'a.ts' }, content: [{ type: 'diff', path: 'a.ts' }] },
  ],
  ['a change of no file', { content: [{ type: 'diff', newText: 'x' }] }],
  ['a change of a file without a name', { content: [{ type: 'diff', path: '', newText: 'x' }] }],
  ['a location without a name', { locations: [{ path: '' }, { path: '/project/a.ts' }] }],
  ['a text in place of fields', { rawInput: 'a.ts', locations: [{ path: '/project/a.ts' }] }],
  ['a list in place of fields', { rawInput: ['a.ts'], locations: [{ path: '/project/a.ts' }] }],
  ['a text with fields', { rawInput: '{"path":"/etc/passwd"}', locations: [{ path: '/project/a.ts' }] }],
])('%s is not held for nothing said', (_, said) => {
  expect(decideSaid('edit', said)).toBe('confirm');
});

describe('a change that is shown without an input', () => {
  const change = { type: 'diff', path: '/project/src/a.ts', oldText: 'a', newText: 'b' };
  const shown = (more: object): Said => ({ title: 'src/a.ts', content: [{ ...change, ...more }] });
  const rules: AgentRule[] = [
    { kind: 'delete', decision: 'deny' },
    { path: { below: 'deploy' }, decision: 'deny' },
  ];

  it('is allowed as far as it is understood', () => {
    expect(decideSaid('edit', shown({}))).toBe('allow');
    expect(decideSaid('edit', shown({ _meta: { kind: 'update' } }))).toBe('allow');
  });

  it.each<[string, object]>([
    ['move_to', { move_to: 'deploy' }],
    ['deleted', { deleted: true }],
    ['rename', { _meta: { rename: 'deploy' } }],
  ])('is asked about for what it says in %s, and refused where a rule is about that', (field, more) => {
    const { decision, reason } = judged('edit', shown(more));
    expect(decision).toBe('confirm');
    expect(reason).toContain(`"${field}"`);
    expect(decideSaid('edit', shown(more), { ask: 'nothing', rules })).toBe('deny');
  });

  it.each([{ deleted: true }, { move_to: 'deploy' }, { zzz: 'deploy' }])(
    'is looked at as much where it is an input of such a form, and its parts do not say what they are: %j',
    (more) => {
      const { type: _diff, ...part } = change;
      for (const title of [{}, { title: 'src/a.ts' }]) {
        const said = { rawInput: { ...title, content: [{ ...part, ...more }] } };
        expect(decideSaid('edit', said)).toBe('confirm');
        expect(decideSaid('edit', said, { ask: 'nothing', rules })).toBe('deny');
      }
    },
  );

  it('is asked about for a part with a key that is no other to its agent', () => {
    const own = JSON.parse('{"__proto__":{"path":"deploy/x"}}') as object;
    const part = Object.assign(own, change);
    expect(Object.hasOwn(part, '__proto__')).toBe(true);
    for (const said of [{ content: [part] }, { locations: [part] }]) {
      expect(decideSaid('edit', { title: 'a', ...said })).toBe('confirm');
      expect(decideSaid('edit', { title: 'a', ...said }, { ask: 'nothing', rules })).toBe('deny');
    }
  });

  it('is a deletion where it leaves nothing, and does not say what was there', () => {
    const empty = { oldText: undefined, newText: '' };
    const ofNothing = (more: object, said: Said = {}) =>
      decideSaid('edit', { ...shown({ ...empty, ...more }), ...said }, { ask: 'nothing', rules });
    expect(ofNothing({})).toBe('deny');
    expect(ofNothing({ oldText: null })).toBe('deny');
    expect(ofNothing({ _meta: { kind: 'add' } })).toBe('allow');
    expect(ofNothing({}, { rawInput: { path: '/project/src/a.ts', content: '' } })).toBe('allow');
  });
});

it('a part that names its file and leaves nothing of it is a deletion, whether it says that it is a diff or not', () => {
  const part = { path: 'src/a.ts', oldText: 'a\n', newText: '' };
  const rules: AgentRule[] = [{ kind: 'delete', decision: 'deny' }];
  for (const more of [{}, { type: 'diff' }])
    for (const rawInput of [{ changes: [{ ...part, ...more }] }, { content: [{ ...part, ...more }] }])
      expect(decide('edit', rawInput, { rules })).toBe('deny');
  // What an edit takes out of a file is none.
  for (const rawInput of [
    part,
    { path: 'src/a.ts', edits: [{ oldText: 'a', newText: '' }] },
    { path: 'src/a.ts', edits: [{ old_string: 'a', new_string: '' }] },
    { changes: [{ ...part, start_line: 3 }] },
    { changes: [{ ...part, type: 'update' }] },
  ])
    expect(decide('edit', rawInput, { rules })).toBe('allow');
});

it.each<[string, object]>([
  ['behind the end of a line', { path: 'src/a.ts', move_to: 'mcp.json\n' }],
  ['in a list of JSON', { path: '["src/a.ts","mcp.json"]' }],
  ['in a list of JSON among paths', { paths: ['src/a.ts', ' ["mcp.json"]'] }],
  ['in JSON in place of a path', { path: '{"path":"mcp.json"}' }],
  ['by its name in JSON', { path: '{"files":{"mcp.json":"x"}}' }],
  ['in lists of lists of JSON', { path: '[[[[[[["mcp.json"]]]]]]]' }],
  ['in JSON in JSON', { path: JSON.stringify([JSON.stringify({ path: 'mcp.json' })]) }],
  ['in a text of JSON', { path: String.raw`"mcp\u002ejson"` }],
  ['in JSON in a field that nobody knows', { path: 'a', zzz: '{"path":" mcp.json"}' }],
  [
    'in arguments in a text',
    { path: 'a', arguments: JSON.stringify({ path: 'mcp.json', content: 'x\n'.repeat(9) }) },
  ],
  [
    'in a list of more texts than are looked at',
    { path: 'a', zzz: [...Array(300).keys(), 'mcp.json'].map(String) },
  ],
  ['behind more folders', { path: 'a', zzz: `${'./'.repeat(1_000)}mcp.json` }],
])('a protected file is found %s', (_, input) => {
  expect(decide('edit', input, { ask: 'nothing' })).toBe('deny');
});

it('a list of JSON in place of a path is not understood', () => {
  expect(filesInCall({ path: '["src/a.ts","b.ts"]' }).hasUnread).toBe(true);
  expect(filesInCall({ output_path: '["src/a.ts"]' }).hasUnread).toBe(true);
  expect(filesInCall({ path: '{"path":"a.ts"}' }).hasUnread).toBe(true);
  expect(filesInCall({ path: 'src/[id].ts' }).hasUnread).toBe(false);
  const patch = '{"path":"/etc/passwd"}';
  expect(filesInCall({ path: 'a.json', content: patch }).readings).toEqual([]);
});

it('what an agent hands over beside what is not as it has to be counts', () => {
  const rules: AgentRule[] = [{ path: { below: 'deploy' }, decision: 'deny' }];
  const by = (said: Said) => decideSaid('edit', said, { ask: 'nothing', rules });
  expect(by({ locations: [{ path: '/project/deploy/x' }, {}] })).toBe('deny');
  expect(by({ content: [{ type: 'diff', path: 'deploy/x' }] })).toBe('deny');
  expect(by({ rawInput: `*** Begin Patch\n*** Delete File: deploy/x\n*** End Patch` })).toBe('deny');
});

it('a rule that allows does not allow what may be about other files', () => {
  const patch = 'diff --git a/deploy/run.sh b/deploy/run.sh\nold mode 100644\nnew mode 100755\n';
  for (const rule of [{ path: { below: 'src' } }, { kind: 'edit' }]) {
    const rules: AgentRule[] = [{ ...rule, decision: 'allow' }];
    expect(decide('edit', { path: 'src/a.ts' }, { rules })).toBe('allow');
    expect(decide('edit', { path: 'src/a.ts', patch }, { rules })).toBe('confirm');
  }
});

it.each<AgentKind>(['other', 'search', 'think', 'fetch', 'switch_mode'])(
  'a rule on files is in doubt for what is not understood of a call of kind %s',
  (kind) => {
    const rules: AgentRule[] = [
      { path: { below: 'deploy' }, decision: 'deny' },
      { kind, decision: 'allow' },
    ];
    expect(decide(kind, { path: 'src/a.ts' }, { rules })).toBe('allow');
    expect(decide(kind, { path: 'src/a.ts', patch: 'x' }, { rules })).toBe('confirm');
  },
);

it('what says that a file goes is a deletion, whatever its kind', () => {
  const patch = '*** Begin Patch\n*** Delete File: src/a.ts\n*** End Patch';
  const allowed: AgentRule[] = [{ kind: 'edit', decision: 'allow' }];
  const denied: AgentRule[] = [{ kind: 'delete', decision: 'deny' }];
  expect(decide('edit', { patch })).toBe('confirm');
  expect(decide('edit', { patch }, { rules: allowed })).toBe('confirm');
  expect(decide('edit', { patch }, { rules: denied })).toBe('deny');
  expect(decide('edit', { path: 'a.ts', type: 'delete' })).toBe('confirm');
});

it('what thinks and names files does not only think', () => {
  expect(decide('think', { thought: 'so' })).toBe('allow');
  expect(decide('think', { path: '/etc/passwd', content: 'x' })).toBe('confirm');
});

it.each<[string, object]>([
  ['relative_path', { relative_path: '/etc/passwd' }],
  ['outputPath', { outputPath: '/etc/passwd' }],
  ['dst', { dst: '/etc/passwd' }],
  ['target_files', { target_files: ['/etc/passwd'] }],
  ['newUri', { kind: 'rename', newUri: 'file:///etc/passwd' }],
  ['a part of a URI', { uri: { fsPath: '/etc/passwd' } }],
  ['a URI without its slashes', { uri: 'file:/etc/passwd' }],
  ['a map of any name', { files_by_name: { '/etc/passwd': 'x' } }],
  ['updates', { updates: { '/etc/passwd': 'x' } }],
  ['a name that nobody knows', { zzz: '/etc/passwd' }],
  ['where it goes', { move_to: '.claude/settings.json' }],
  [
    'a map of files, one of which is called as a field',
    { changes: { text: 'x', Makefile: { content: 'x' } } },
  ],
])('files are found in %s', (_, input) => {
  expect(decide('edit', { path: 'a.ts', ...input })).toBe('confirm');
  const { named, readings, hasUnread } = filesInCall({ path: 'a.ts', ...input });
  const found = ['/etc/passwd', 'file:///etc/passwd', 'file:/etc/passwd', '.claude/settings.json'];
  expect(hasUnread || found.some((path) => [...named, ...readings].includes(path))).toBe(true);
});

it('what looks like a path and is said in words, or looked for, is none', () => {
  const input = {
    path: 'a.ts',
    old_string: '/a',
    new_string: '/b',
    description: '/etc is meant',
    pattern: '/etc',
  };
  expect(decide('edit', input)).toBe('allow');
});

it('a yes to what is not as the protocol has it is for that alone', () => {
  const argsOf = (content: unknown) =>
    agentCallOf(
      acpCallSchema.parse({ toolCallId: 'c', kind: 'edit', rawInput: { path: 'a' }, content }),
      '/project',
    ).args;
  expect(argsOf(['x'])).not.toEqual(argsOf(['y']));
  expect(filesInCall(argsOf(['x'])).hasUnread).toBe(true);
  const args = { path: 'a', content: 'x', unread: [] };
  expect(unclearFiles({ isOwn: true, tool: 'edit', args }, filesInCall(args))).toEqual({
    is: 'which',
  });
});

it('a file that a command removes is removed, whatever the call is called', () => {
  const command = "apply_patch '*** Begin Patch\n*** Delete File: src/a.ts\n*** End Patch'";
  const rules: AgentRule[] = [{ kind: 'execute', command: { startsWith: 'apply_patch' }, decision: 'allow' }];
  for (const kind of ['execute', 'other'] as const)
    expect(
      decide(
        kind,
        { command, patch: '*** Begin Patch\n*** Delete File: src/a.ts\n*** End Patch' },
        { rules },
      ),
    ).toBe('confirm');
});

it('a rule on deletions is in doubt for what is not understood', () => {
  const rules: AgentRule[] = [{ kind: 'delete', decision: 'deny' }];
  const patch = 'diff --git a/l b/l\ndeleted file mode 120000\n';
  expect(decide('edit', { path: 'a.ts', patch }, { ask: 'nothing', rules })).toBe('deny');
  const script = 'diff --git a/run.sh b/run.sh\ndeleted file mode 100755\nindex e69de29..0000000\n';
  expect(decide('edit', { patch: script }, { ask: 'nothing', rules })).toBe('deny');
});

it('a protected file is one in quotes, too', () => {
  const patch = '--- "a/mcp\\056json"\n+++ "b/mcp\\056json"\n@@ -1 +1 @@\n-x\n+y\n';
  expect(decide('edit', { patch }, { ask: 'nothing' })).toBe('deny');
});

it('a command in place of fields is one that a rule can allow', () => {
  const rules: AgentRule[] = [{ kind: 'execute', command: { startsWith: 'ls' }, decision: 'allow' }];
  expect(decideSaid('execute', { rawInput: 'ls src' }, { rules })).toBe('allow');
});

it('a name in front of a date is held against rules, with what Git puts in front of it', () => {
  const rules: AgentRule[] = [{ path: { below: 'run.sh' }, decision: 'deny' }];
  const dated = (name: string) => `--- a/${name} 2020-01-01\n+++ b/${name} 2020-01-01\n@@ -1 +1 @@\n-x\n+y\n`;
  expect(decide('edit', { patch: dated('run.sh') }, { ask: 'nothing', rules })).toBe('deny');
});

/** CPU time that a call of so many parts takes to be looked at, in µs. */
function timeOf(parts: number): number {
  const before = process.cpuUsage();
  filesInCall({
    path: 'a',
    [`${' shown'.repeat(2 * parts)}x`]: 'y',
    zzz: Array.from({ length: 3 * parts }, () => '/a'),
  });
  const locations = Array.from({ length: parts }, (_, at) => ({ path: `/project/${at}` }));
  const content = locations.map(({ path }) => ({ type: 'diff', path, newText: 'x' }));
  agentCallOf(acpCallSchema.parse({ toolCallId: 'c', kind: 'edit', locations, content }), '/project');
  return process.cpuUsage(before).user;
}

it('is looked at in time that grows with the call, and no faster', () => {
  timeOf(1_000);
  // Sixteen times as many: where the time grew with the square, it would be 256 times as long.
  expect(timeOf(32_000) / timeOf(2_000)).toBeLessThan(24);
});
