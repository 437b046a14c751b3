import { describe, expect, it, vi } from 'vitest';
import type { Approval } from '../../../src/events/approval.ts';
import { requestTitle } from '../../../src/views/requests/request-title.ts';
import { approval } from '../../helpers/approval.ts';

/** The title of a call of an agent's own tool, or of a server's. */
const titleOf = (over: Partial<Approval>) =>
  requestTitle({ kind: 'approval', question: 'Allow it?', approval: { ...approval, ...over } });
const own = (tool: string, args: Approval['args'], over: Partial<Approval> = {}) =>
  titleOf({ server: '@claude-code', tool, isOwn: true, args, ...over });

describe('the title of a call', () => {
  it.each<[title: string, tool: string, args: Approval['args']]>([
    [
      'npm ci && rm -rf dist',
      'execute',
      { command: 'npm ci && rm -rf dist', description: 'Build', timeout: 5 },
    ],
    ['git log -1', 'execute', { command: ['git', 'log', '-1'] }],
    ['npm ci; npm test', 'execute', { commands: ['npm ci', 'npm test'] }],
    ['npm ci; rm -rf /', 'execute', { command: 'npm ci', script: 'rm -rf /' }],
    ['make', 'execute', { title: 'make', content: [] }],
    ['Edit a.ts +2 −1', 'edit', { file_path: 'a.ts', old_string: 'x\ny', new_string: 'x\nz\nw' }],
    [
      'Edit a.ts +2 −0, b.ts +0 −1',
      'edit',
      {
        edits: [
          { path: 'a.ts', oldText: '', newText: '1' },
          { path: 'b.ts', oldText: 'gone', newText: '' },
          { path: 'a.ts', oldText: 'q', newText: 'q\n2' },
        ],
      },
    ],
    ['Write a.md', 'edit', { file_path: 'a.md', content: 'one\ntwo' }],
    ['Edit a.md', 'edit', { file_path: 'a.md', content: 'one line' }],
    ['Delete a, b', 'edit', { changes: { a: { type: 'delete' }, b: { delete: {} } } }],
    ['Edit a, b', 'edit', { changes: { a: { type: 'delete' }, b: { content: 'x\ny' } } }],
    ['Move b', 'edit', { path: 'a', movePath: 'b' }],
    ['Delete a.md, b.md', 'delete', { paths: ['a.md', 'b.md'] }],
    ['Fetch https://a.example/x', 'fetch', { url: 'https://a.example/x', prompt: 'Sum it up' }],
    ['other by claude-code: a: 1, b: 2', 'other', { a: 1, b: 2 }],
    ['think by claude-code', 'think', {}],
  ])('reads %j', (title, tool, args) => {
    expect(own(tool, args)).toBe(title);
  });

  it('of arguments that are too long to keep names the files that its agent names', () => {
    const cut = { cut: '{"content":"', length: 70_000 };
    expect(own('edit', cut, { paths: ['big.ts'] })).toBe('Edit big.ts');
    expect(own('execute', cut)).toContain('{"content":');
  });

  it.each<[title: string, over: Partial<Approval>]>([
    ['fs/write_file notes.txt', {}],
    ['sh/run rm -rf /', { server: 'sh', tool: 'run', args: { command: 'rm -rf /' } }],
    [
      'github/create_issue Dark mode',
      { server: 'github', tool: 'create_issue', args: { body: 'Long', title: 'Dark mode' } },
    ],
    ['db/drop_table orders', { server: 'db', tool: 'drop_table', args: { table: 'orders' } }],
    ['clock/now', { server: 'clock', tool: 'now', args: {} }],
    ['vault/put [masked, 9 characters]', { server: 'vault', tool: 'put', args: { password: 'hunter2.x' } }],
  ])('of a server reads %j', (title, over) => {
    expect(titleOf(over)).toBe(title);
  });

  it('has files from the folder on in which its agent works, and others, commands and those of servers as they are', () => {
    const from = (over: Partial<Approval>) =>
      requestTitle({
        kind: 'approval',
        question: '',
        approval: { ...approval, server: '@codex', isOwn: true, ...over },
        folder: '/a/p q',
      });
    const edits = ['/a/p q/x.ts', '/a/p/x.ts'].map((path) => ({ path, oldText: '', newText: '1' }));
    expect(from({ tool: 'edit', args: { edits } })).toBe('Edit x.ts +1 −0, /a/p/x.ts +1 −0');
    expect(from({ tool: 'delete', args: { paths: ['/a/p q/x.ts', 'x.ts'] } })).toBe('Delete x.ts');
    const cut = { cut: '{"content":"', length: 70_000 };
    expect(from({ tool: 'edit', args: cut, paths: ['/a/p q/big.ts'] })).toBe('Edit big.ts');
    expect(from({ tool: 'execute', args: { command: 'rm /a/p\\ q/x.ts' } })).toBe('rm /a/p\\ q/x.ts');
    const args = { path: '/a/p q/x.ts' };
    expect(from({ server: 'fs', isOwn: undefined, args })).toBe('fs/write_file /a/p q/x.ts');
  });

  it('shows lines and hidden characters of a command', () => {
    expect(own('execute', { command: 'echo a\r\nrm -rf \u202E/\rb' })).toBe(
      String.raw`echo a ⏎ rm -rf \u202e/\rb`,
    );
  });

  it('is made once for each folder from which files are named', () => {
    const args = vi.fn<() => Approval['args']>(() => ({ path: '/a/b/x.ts' }));
    const asked = Object.defineProperty(
      { ...approval, server: '@x', tool: 'edit', isOwn: true as const },
      'args',
      {
        get: args,
      },
    );
    const from = (folder: string) =>
      requestTitle({ kind: 'approval', question: 'Allow it?', approval: asked, folder });
    const titles = () => ['/a', '/a/b'].map(from);
    expect(titles()).toEqual(['Edit b/x.ts', 'Edit x.ts']);
    args.mockClear();
    expect(titles()).toEqual(['Edit b/x.ts', 'Edit x.ts']);
    expect(args).not.toHaveBeenCalled();
  });

  it('of a long command has both ends', () => {
    const title = own('execute', { command: `npm ci && ${'x'.repeat(500)} && rm -rf ~` });
    expect(title).toHaveLength(300);
    expect(title).toMatch(/^npm ci && x+…x+ && rm -rf ~$/);
  });
});

describe('the title of a question', () => {
  it.each([
    ['help', '# Which *database*\nshould we **really** use?', 'Which database should we really use?'],
    ['clarification', 'See `a_b`:\n\n- one\n- [two](http://x.y)', 'See a_b: • one • two (http://x.y)'],
    ['help', '```sh\nrm *\n```\nso?', 'rm * so?'],
    ['help', 'Which\u001B[2J one?\u202e', String.raw`Which\u001b[2J one?\u202e`],
    ['help', 'Which&#x202e; one?', String.raw`Which\u202e one?`],
    // Of a call whose arguments nobody kept, and of what a program prints, each character counts.
    ['approval', 'Allow sh rm {"x":"*a* _b_"}?', 'Allow sh rm {"x":"*a* _b_"}?'],
    ['prompt', '*** Go\non? `y`', '*** Go on? `y`'],
  ] as const)('of kind %s reads %j as %j', (kind, question, line) => {
    expect(requestTitle({ kind, question })).toBe(line);
  });

  it('takes no more of a long text apart than a line has room for', () => {
    expect(requestTitle({ kind: 'help', question: '*a* '.repeat(50_000) }).length).toBeLessThan(301);
  });
});
