import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { approve } from '../../../src/workflow/requests/approval.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { ofType } from '../support/acp-sprint.ts';
import { choice, editorHere, openRequest, permission } from '../support/editor-side.ts';

/** An agent that says back what it hears: the editor of a test speaks for it, and hears what it is told. */
const echo = ['cat'];

const mark = { name: 'CLIFFORD_RUN_ID', value: expect.stringMatching(/^editor-/) };

/** What an agent says when it has its editor start a program. */
function start(id: number, more: object = {}) {
  const params = { sessionId: 's', command: 'npm', args: ['test'], ...more };
  return { jsonrpc: '2.0', id, method: 'terminal/create', params };
}

type Editor = Awaited<ReturnType<typeof editorHere>>;

const started = ({ heard }: Editor) => heard.filter(({ method }) => method === 'terminal/create');

/** What the editor is told to start, when it is so many. */
async function starts(editor: Editor, count: number) {
  return await editor.hear(() => (started(editor).length === count ? started(editor) : undefined));
}

describe('what an agent would have its editor start', () => {
  it('is asked about, and marked as the agent’s, with all that it had', async () => {
    const editor = await editorHere(echo);
    const own = { name: 'A', value: 'b' };
    const env = [own, { name: 'CLIFFORD_RUN_ID', value: '' }];
    editor.say(start(1, { args: ['-l', 'a b'], command: 'ls', env, _meta: { a: 1 } }));
    const prompt = await editor.prompt();
    expect(prompt.params).toMatchObject({
      sessionId: 's',
      toolCall: { kind: 'execute', title: "ls -l 'a b'", rawInput: { command: "ls -l 'a b'" } },
      options: [{ optionId: 'start' }, { optionId: 'no' }],
    });
    expect(started(editor)).toEqual([]);
    editor.say(choice(prompt, 'start'));
    const marked = start(1, { args: ['-l', 'a b'], command: 'ls', env: [own, mark], _meta: { a: 1 } });
    expect(await starts(editor, 1)).toEqual([marked]);
    editor.leave();
    await editor.ended;
    const events = await editor.events();
    expect(events.map(({ type }) => type)).toEqual([
      'tool.requested',
      'help.requested',
      'help.answered',
      'help.delivered',
      'tool.allowed',
      'tool.returned',
    ]);
    expect(ofType(events, 'help.requested')[0]?.data.approval).toMatchObject({
      args: { command: "ls -l 'a b'" },
    });
  });

  it('is not started where that is refused, at the editor or by a rule, and the agent hears so', async () => {
    const root = await tempRoot();
    const agents = { rules: [{ command: { startsWith: 'rm' }, decision: 'deny' }] };
    await writeFile(join(root, 'mcp.json'), JSON.stringify({ policy: { agents } }));
    const editor = await editorHere(echo, { root });
    editor.say(start(1));
    editor.say(choice(await editor.prompt(), 'no'));
    expect((await editor.answerTo(1)).error?.message).toBe('Clifford: this command was not allowed');
    editor.say(start(2, { command: 'rm -rf build', args: undefined }));
    expect((await editor.answerTo(2)).error?.message).toBe('Clifford: this command was not allowed');
    expect(started(editor)).toEqual([]);
  });

  it('goes on once, unasked, where the agent has asked for the same before', async () => {
    const editor = await editorHere(echo);
    editor.say(permission(1, 'npm test'));
    editor.say(choice(await editor.prompt(), 'yes'));
    await editor.answerTo(1);
    editor.say(start(2, { cwd: '/elsewhere' }));
    editor.say(choice(await editor.prompt(2), 'no'));
    await editor.answerTo(2);
    editor.say(start(3));
    expect(await starts(editor, 1)).toEqual([start(3, { env: [mark] })]);
    editor.say(start(4));
    await editor.prompt(3);
    expect(started(editor)).toHaveLength(1);
  });

  it('starts when another face says yes, and not when the agent has taken it back', async () => {
    const editor = await editorHere(echo);
    editor.say(start(1));
    await editor.prompt();
    const project = await editor.project();
    const id = await openRequest(project);
    await approve(project, id, { by: 'ann', via: 'cli', scope: 'once' });
    await starts(editor, 1);
    editor.say(start(2, { command: 'make' }));
    await editor.prompt(2);
    editor.say({ method: '$/cancel_request', params: { requestId: 2 } });
    expect((await editor.answerTo(2)).error?.code).toBe(-32_800);
    expect(started(editor)).toHaveLength(1);
  });

  it('is nothing without a command, or where nobody could be answered', async () => {
    const editor = await editorHere(echo);
    const { id: _, ...nobody } = start(1);
    editor.say(nobody, start(2, { command: 5 }));
    expect((await editor.answerTo(2)).error?.message).toBe('This starts no command');
    expect(started(editor)).toEqual([]);
  });
});
