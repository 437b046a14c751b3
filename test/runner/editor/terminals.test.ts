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
      toolCall: {
        kind: 'execute',
        title: "env A=b ls -l 'a b'",
        rawInput: { command: "env A=b ls -l 'a b'" },
      },
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
      args: { command: "env A=b ls -l 'a b'" },
    });
  });

  it('is not started where that is refused, at the editor or by a rule, and the agent hears so', async () => {
    const root = await tempRoot();
    const agents = { rules: [{ command: { startsWith: 'rm' }, decision: 'deny' }] };
    await writeFile(join(root, 'mcp.json'), JSON.stringify({ policy: { agents } }));
    const editor = await editorHere(echo, { root });
    editor.say(start(1));
    editor.say(choice(await editor.prompt(), 'no'));
    expect((await editor.answerTo(1)).error?.message).toBe('Clifford: this was not allowed');
    editor.say(start(2, { command: 'rm -rf build', args: undefined }));
    expect((await editor.answerTo(2)).error?.message).toBe('Clifford: this was not allowed');
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

  it.each([
    ['a variable', { env: [{ name: 'PATH', value: '/else where' }] }, "env 'PATH=/else where' npm test"],
    [
      'a shell function',
      { env: [{ name: 'BASH_FUNC_npm%%', value: '() { x; }' }] },
      "env 'BASH_FUNC_npm%%=() { x; }' npm test",
    ],
    [
      'a variable for a line',
      { command: 'npm test; ls', args: [], env: [{ name: 'A', value: '1' }] },
      "env A=1 sh -c 'npm test; ls'",
    ],
    ['an argument more', { args: ['test', 'x'] }, 'npm test x'],
    ['the words in one', { args: ['test\nx'] }, "npm 'test\nx'"],
    ['another case', { command: 'NPM' }, 'NPM test'],
    ['another session', { sessionId: 't' }, 'npm test'],
  ])('is another command with %s', async (_, more, command) => {
    const editor = await editorHere(echo);
    editor.say(permission(1, 'npm test'));
    editor.say(choice(await editor.prompt(), 'yes'));
    await editor.answerTo(1);
    editor.say(start(2, more));
    expect((await editor.prompt(2)).params).toMatchObject({ toolCall: { rawInput: { command } } });
    expect(started(editor)).toEqual([]);
  });

  it('is asked about again once the call is over that was allowed, or its turn', async () => {
    const editor = await editorHere(echo);
    const over = { sessionUpdate: 'tool_call_update', toolCallId: 'call-1', status: 'completed' };
    editor.say(permission(1, 'npm test'), permission(2, 'make'));
    for (const nth of [1, 2]) editor.say(choice(await editor.prompt(nth), 'yes'));
    await Promise.all([1, 2].map((id) => editor.answerTo(id)));
    editor.say({ method: 'session/update', params: { sessionId: 's', update: over } }, start(3));
    await editor.prompt(3);
    editor.say({ id: 4, method: 'session/prompt', params: { sessionId: 's', prompt: [] } });
    editor.say(start(5, { command: 'make', args: [] }));
    await editor.prompt(4);
    expect(started(editor)).toEqual([]);
  });

  it('is no call that its agent has not asked about, once', async () => {
    const editor = await editorHere(echo);
    const update = (toolCallId: string, sessionUpdate: string, status: string) => {
      const call = { kind: 'execute', title: 'A command', rawInput: { command: 'npm test' } };
      const params = { sessionId: 's', update: { sessionUpdate, toolCallId, status, ...call } };
      return { method: 'session/update', params };
    };
    editor.say(update('one', 'tool_call', 'in_progress'), start(1));
    editor.say(choice(await editor.prompt(), 'start'));
    await starts(editor, 1);
    editor.say(update('one', 'tool_call_update', 'completed'));
    editor.say(update('two', 'tool_call', 'in_progress'), update('two', 'tool_call_update', 'completed'));
    editor.leave();
    await editor.ended;
    expect(ofType(await editor.events(), 'tool.unasked')).toHaveLength(1);
  });

  it('starts one of two for one yes', async () => {
    const editor = await editorHere(echo);
    editor.say(start(1), start(2));
    const [first, second] = [await editor.prompt(1), await editor.prompt(2)];
    editor.say(choice(first, 'start'));
    await starts(editor, 1);
    // The other one is asked about anew.
    const third = await editor.prompt(3);
    editor.say(choice(second, 'start'));
    editor.say(choice(third, 'no'));
    await editor.hear(() => editor.heard.find(({ error }) => error));
    expect(started(editor)).toHaveLength(1);
  });

  it('is no call that the agent could have said more of before', async () => {
    const editor = await editorHere(echo);
    const update = { sessionUpdate: 'tool_call', toolCallId: 'terminal-1', rawInput: { workdir: '/tmp' } };
    editor.say({ method: 'session/update', params: { sessionId: 's', update } }, start(1));
    const { params } = await editor.prompt();
    expect(params).toMatchObject({ toolCall: { title: 'npm test' } });
    expect(params).not.toMatchObject({ toolCall: { toolCallId: 'terminal-1' } });
  });

  it('is cancelled with its turn, also where its agent has used its id twice', async () => {
    const editor = await editorHere(echo);
    editor.say(start(1));
    await editor.prompt();
    editor.say(start(1, { command: 'make' }));
    const answers = () => editor.heard.filter(({ id, method }) => id === 1 && !method);
    expect((await editor.hear(() => answers()[0])).error?.message).toBe(
      'A request with this id is under way',
    );
    editor.say({ method: 'session/cancel', params: { sessionId: 's' } });
    expect((await editor.hear(() => answers()[1])).error?.message).toBe('Clifford: this was not allowed');
    expect(started(editor)).toEqual([]);
  });

  it('is the editor’s once it has it: what the agent takes back then goes on', async () => {
    const editor = await editorHere(echo);
    editor.say(start(1));
    editor.say(choice(await editor.prompt(), 'start'));
    await starts(editor, 1);
    editor.say({ method: '$/cancel_request', params: { requestId: 1 } });
    const taken = await editor.hear(() => editor.heard.find(({ params }) => params?.requestId === 1));
    expect(taken.method).toBe('$/cancel_request');
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
    expect((await editor.answerTo(2)).error?.message).toBe('This is no command to start, or file to write');
    expect(started(editor)).toEqual([]);
  });
});
