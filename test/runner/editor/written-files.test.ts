import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempRoot } from '../../helpers/temp-project.ts';
import { choice, editorHere, permission } from '../support/editor-side.ts';

/** An agent that says back what it hears: the editor of a test speaks for it, and hears what it is told. */
const echo = ['cat'];

/** What an agent says when it has its editor write a file. */
function write(id: number, path: string, content = 'text\n') {
  const params = { sessionId: 's', path, content };
  return { jsonrpc: '2.0', id, method: 'fs/write_text_file', params };
}

type Editor = Awaited<ReturnType<typeof editorHere>>;

const written = ({ heard }: Editor) => heard.filter(({ method }) => method === 'fs/write_text_file');

/** What the editor is told to write, when it is so much. */
async function writes(editor: Editor, count: number) {
  return await editor.hear(() => (written(editor).length === count ? written(editor) : undefined));
}

const refused = 'Clifford: this was not allowed';

describe('a file that an agent would have its editor write', () => {
  it('is written in the project, as the agent has said it, which is recorded', async () => {
    const editor = await editorHere(echo);
    const path = join(editor.root, 'src/a.ts');
    const message = { ...write(1, path), _meta: { a: [1] } };
    editor.say(message);
    expect(await writes(editor, 1)).toEqual([message]);
    editor.leave();
    await editor.ended;
    const events = await editor.events();
    expect(events.map(({ type }) => type)).toEqual(['tool.requested', 'tool.allowed', 'tool.returned']);
    expect(events[0]?.data).toMatchObject({ tool: 'edit', args: { path, content: 'text\n' }, paths: [path] });
  });

  it('is not written where it decides over what agents may do', async () => {
    const editor = await editorHere(echo);
    const { root } = editor;
    await symlink(root, join(root, 'link'));
    const inProject = ['.git/hooks/pre-commit', '.clifford/policy.json', 'clifford.json', 'link/mcp.json'];
    const paths = [...inProject, 'src/../.clifford/events.jsonl', 'state/clifford/trusted.json'];
    for (const [id, path] of paths.entries()) {
      editor.say(write(id, `${root}/${path}`));
      expect((await editor.answerTo(id)).error?.message, path).toBe(refused);
    }
    expect(written(editor)).toEqual([]);
  });

  it('is asked about outside of the project, and written once', async () => {
    const editor = await editorHere(echo);
    editor.say(write(1, '/elsewhere/a'));
    const prompt = await editor.prompt();
    expect(prompt.params).toMatchObject({
      toolCall: {
        kind: 'edit',
        title: 'Write /elsewhere/a',
        rawInput: { path: '/elsewhere/a', content: 'text\n' },
      },
      options: [{ optionId: 'write' }, { optionId: 'no' }],
    });
    editor.say(choice(prompt, 'write'));
    expect(await writes(editor, 1)).toEqual([write(1, '/elsewhere/a')]);
    editor.say(write(2, '/elsewhere/a'));
    editor.say(choice(await editor.prompt(2), 'no'));
    expect((await editor.answerTo(2)).error?.message).toBe(refused);
    expect(written(editor)).toHaveLength(1);
  });

  it('is written once, unasked, where the agent was allowed to change it', async () => {
    const editor = await editorHere(echo);
    const path = '/elsewhere/a';
    const content = [{ type: 'diff', path, oldText: '', newText: 'text\n' }];
    editor.say(permission(1, '', { kind: 'edit', rawInput: {}, content }));
    editor.say(choice(await editor.prompt(), 'yes'));
    await editor.answerTo(1);
    editor.say(write(2, '/elsewhere/b'));
    await editor.prompt(2);
    editor.say(write(3, path));
    expect(await writes(editor, 1)).toEqual([write(3, path)]);
    editor.say(write(4, path));
    await editor.prompt(3);
    expect(written(editor)).toHaveLength(1);
  });

  it('is not written by a yes to delete it, to read it, or to a way to it that a link may change', async () => {
    const editor = await editorHere(echo);
    const asked = [
      { kind: 'delete', rawInput: { path: '/elsewhere/a' } },
      { kind: 'read', rawInput: { path: '/elsewhere/a' } },
      { kind: 'edit', rawInput: { path: '/elsewhere/b/../a' } },
    ];
    for (const [at, call] of asked.entries()) {
      editor.say(permission(at, '', call));
      editor.say(choice(await editor.prompt(at + 1), 'yes'));
      await editor.answerTo(at);
    }
    editor.say(write(9, '/elsewhere/a'));
    await editor.prompt(asked.length + 1);
    expect(written(editor)).toEqual([]);
  });

  it('is not written where a rule refuses it', async () => {
    const root = await tempRoot();
    const agents = { rules: [{ kind: 'edit', path: { glob: '*.lock' }, decision: 'deny' }] };
    await writeFile(join(root, 'mcp.json'), JSON.stringify({ policy: { agents } }));
    await mkdir(join(root, 'src'));
    const editor = await editorHere(echo, { root });
    editor.say(write(1, join(root, 'src/a.lock')), write(2, join(root, 'src/a')));
    expect((await editor.answerTo(1)).error?.message).toBe(refused);
    await writes(editor, 1);
  });

  it('is nothing without a path, or where nobody could be answered', async () => {
    const editor = await editorHere(echo);
    const { id: _, ...nobody } = write(1, join(editor.root, 'a'));
    editor.say(nobody, write(2, ''));
    expect((await editor.answerTo(2)).error?.code).toBe(-32_602);
    expect(written(editor)).toEqual([]);
  });
});
