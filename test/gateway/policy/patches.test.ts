import { describe, expect, it } from 'vitest';
import type { AgentRule } from '../../../src/gateway/config/agent-policy.ts';
import { filesInCall } from '../../../src/events/call-files/files-in-call.ts';
import { callChanges } from '../../../src/views/calls/call-changes.ts';
import { unclearFiles } from '../../../src/views/calls/unclear-files.ts';
import { decide } from './said-call.ts';

const diff = (path: string) => `--- ${path}\n+++ ${path}\n@@ -1 +1 @@\n-x\n+y\n`;
const added = (lines: string) => `*** Begin Patch\n*** Add File: a.ts\n${lines}\n*** End Patch`;
const link = (mode: string) =>
  `diff --git a/l b/l\nnew file mode ${mode}\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+x\n`;
const shown = (args: unknown) => callChanges(filesInCall(args)).map(({ how, path }) => [how, path]);

describe('no rule allows a patch of which not all is understood', () => {
  it.each<[string, object]>([
    ['of a file that is said to go', { path: 'a.ts', type: 'delete', patch: diff('a.ts') }],
    ['of no file', { patch: '@@ -1 +1 @@\n-x\n+y\n' }],
    ['that makes a link', { patch: link('120000') }],
    ['that makes a module', { patch: link('160000') }],
    [
      'with a whole path behind what Git puts in front',
      { patch: diff('a//project/x').replace('+++ a', '+++ b') },
    ],
    [
      'of a file of the last day before time begins',
      { patch: '--- a/a.ts\t2020-01-01\n+++ b/a.ts\t1969-12-31 23:00:00 -0100\n@@ -1 +1 @@\n-x\n+y\n' },
    ],
    [
      'that has an index of another file than it moves',
      { patch: 'Index: z\ndiff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n' },
    ],
    ['with one side twice', { patch: 'diff --git a/x a/x\nnew file mode 100644\n' }],
    ['that adds a file at a place', { patch: added('@@\n+x') }],
    ['that adds a file in two parts', { patch: added('+x\n*** End of File\n+y') }],
    ['with a head behind another end of a line', { patch: added('+x\rdiff --git a/b b/b') }],
  ])('%s', (_, input) => {
    for (const kind of ['*', 'edit']) {
      const rules: AgentRule[] = [{ kind, decision: 'allow' }];
      expect(decide('edit', input, { rules })).toBe('confirm');
    }
  });
});

describe('what a call says becomes of files', () => {
  it('is found in a diff below a path', () => {
    const rules: AgentRule[] = [{ path: { below: 'deploy' }, decision: 'deny' }];
    const input = { changes: { 'a.ts': diff('deploy/b') } };
    expect(decide('edit', input, { ask: 'nothing', rules })).toBe('deny');
    expect(filesInCall(input)).toMatchObject({ hasUnread: true, named: ['a.ts', 'deploy/b'] });
  });

  it.each([
    { changes: { 'a.ts': { remove: {} } } },
    { path: 'a.ts', changeType: 'deleted' },
    { path: 'a.ts', type: 'unlinked' },
    { path: 'a.ts', op: 'removed' },
  ])('may be that they go: %j', (input) => {
    const rules: AgentRule[] = [{ kind: 'delete', decision: 'deny' }];
    expect(decide('edit', input, { rules })).toBe('deny');
    expect(filesInCall(input).deletes).toBe(true);
  });

  it.each(['trash', 'erase', 'rm'])('is a deletion in other words: %s', (type) => {
    expect(filesInCall({ path: 'a.ts', type }).deletes).toBe(true);
    expect(decide('edit', { path: 'a.ts', type })).toBe('confirm');
  });

  it('is looked for in lists to a depth', () => {
    const within = (levels: number) => {
      let value: unknown = { path: 'src/x' };
      for (let level = 0; level < levels; level += 1) value = [value];
      return { path: 'a.ts', x: value };
    };
    expect(filesInCall(within(3))).toMatchObject({ named: ['a.ts', 'src/x'], hasUnread: false });
    expect(filesInCall(within(9)).hasUnread).toBe(true);
  });

  it('is shown as it is said', () => {
    expect(shown({ path: 'a.ts', changeType: 'deleted' })).toEqual([['delete', 'a.ts']]);
    expect(shown({ changes: { 'a.ts': { remove: {} } } })).toEqual([['delete', 'a.ts']]);
  });

  it('is not what stands in an object that names no file', () => {
    const args = { path: 'a.ts', options: { text: 'x\ny' } };
    expect(shown(args)).toEqual([]);
    expect(unclearFiles({ isOwn: true, tool: 'edit', args }, filesInCall(args))).toEqual({
      is: 'what',
      paths: ['a.ts'],
    });
  });

  it('is known of several files in one text where each of them is', () => {
    const unclear = (args: object) => unclearFiles({ isOwn: true, tool: 'edit', args }, filesInCall(args));
    expect(unclear({ filepath: 'a, c', changes: { '/p/a': 'x' } })).toEqual({ is: 'what', paths: ['a, c'] });
    expect(unclear({ filepath: 'a, c', changes: { '/p/a': 'x', '/p/c': 'y' } })).toBeUndefined();
  });
});

it('a rule on files is in doubt for a reading that names none', () => {
  const rules: AgentRule[] = [{ path: { below: 'deploy' }, decision: 'deny' }];
  expect(decide('read', { offset: 1 }, { ask: 'nothing', rules })).toBe('deny');
});

it('settings of agents are known behind a link', () => {
  const throughLinks = (path: string) => path.replace('/project/x', '/project/.claude');
  const input = { path: 'x/settings.json', content: 'y' };
  expect(decide('edit', input)).toBe('allow');
  expect(decide('edit', input, { throughLinks })).toBe('confirm');
});

describe('what an agent hands over every day is understood', () => {
  const path = '/project/docs/My notes.md';

  it('an edit of OpenCode of a file with a blank in its name', () => {
    const input = { filepath: path, diff: `Index: ${path}\n===\n${diff(path)}` };
    expect(decide('edit', input)).toBe('allow');
    expect(shown(input)).toEqual([['edit', path]]);
    expect(decide('edit', { diff: input.diff })).toBe('confirm');
    expect(decide('edit', { ...input, filepath: '/project/docs/My' })).toBe('confirm');
    const rules: AgentRule[] = [{ path: { below: 'docs/My' }, decision: 'deny' }];
    expect(decide('edit', input, { rules })).toBe('deny');
  });

  it('a file of Codex that has no dot in its name', () => {
    const change = { type: 'add', content: 'x\ny' };
    expect(decide('edit', { changes: { Makefile: change } })).toBe('allow');
    expect(shown({ changes: { Makefile: change } })).toEqual([['write', 'Makefile']]);
    expect(decide('edit', { changes: { Makefile: { content: 'x' } } })).toBe('confirm');
    expect(decide('edit', { path: 'a.ts', changes: { Makefile: change } })).toBe('confirm');
  });

  it('a text of a file that has a patch in it, and is none', () => {
    const patch = '*** Begin Patch\n*** Delete File: deploy/x\n*** End Patch\n';
    const text = `# How\n\n${patch}`;
    expect(decide('edit', { file_path: 'a.md', content: text })).toBe('allow');
    const edit = { old_string: 'x', new_string: text };
    expect(decide('edit', { file_path: 'a.md', ...edit })).toBe('allow');
    expect(decide('edit', { file_path: 'a.md', edits: [edit] })).toBe('allow');
    expect(decide('edit', { file_path: 'a.md', old_string: text, new_string: 'x' })).toBe('allow');
    expect(filesInCall({ path: 'a.md', action: { text } }).named).toEqual(['a.md', 'deploy/x']);
    expect(filesInCall({ path: 'a.md', action: { text: diff('b.ts') } }).named).toEqual(['a.md', 'b.ts']);
    for (const input of [
      { file_path: 'a.md', content: patch },
      { file_path: 'a.md', content: `\n ${patch}` },
      { content: text },
      { file_path: 'a.md', input: text },
      { file_path: 'a.md', action: { text } },
    ])
      expect(decide('edit', input)).toBe('confirm');
  });
});
