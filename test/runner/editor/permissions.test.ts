import { viaText } from '../../../src/events/answerer.ts';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { approve, deny } from '../../../src/workflow/requests/approval.ts';
import { dismissRequest } from '../../../src/workflow/requests/answer.ts';
import { approveEdited } from '../../../src/workflow/requests/edited-call.ts';
import { explainFirst } from '../../../src/workflow/requests/explain-first.ts';
import { requestById } from '../../../src/workflow/requests/find-request.ts';
import { clifford } from '../../helpers/clifford-process.ts';
import { tempRoot, writeSprint } from '../../helpers/temp-project.ts';
import { ofType } from '../support/acp-sprint.ts';
import { choice, editorHere, editorSide, openRequest, permission } from '../support/editor-side.ts';
import { didText } from '../../../src/workflow/requests/outcome-text.ts';

/** An agent that says back what it hears: the editor of a test speaks for it, and hears what it is told. */
const echo = ['cat'];
const human = { by: 'ann', via: 'cli' };
const once = { ...human, scope: 'once' } as const;
const chose = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } });
const turnCancelled = { outcome: { outcome: 'cancelled' } };

async function withPolicy(agents: object): Promise<string> {
  const root = await tempRoot();
  await writeFile(join(root, 'mcp.json'), JSON.stringify({ policy: { agents } }));
  return root;
}

describe('a prompt for permission that goes through clifford acp', () => {
  it('is answered at the editor, which is recorded', async () => {
    const editor = await editorHere(echo);
    editor.say(permission(1, 'npm test', { _meta: { more: 1 } }));
    const prompt = await editor.prompt();
    expect(prompt.params).toEqual({
      sessionId: 's',
      toolCall: {
        toolCallId: 'call-1',
        kind: 'execute',
        title: 'A command',
        rawInput: { command: 'npm test' },
        _meta: { more: 1 },
      },
      options: [
        { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
        { optionId: 'clifford-always', name: 'Always allow exactly this', kind: 'allow_always' },
        { optionId: 'no', name: 'No', kind: 'reject_once' },
      ],
    });
    editor.say(choice(prompt, 'yes'));
    expect((await editor.answerTo(1)).result).toEqual(chose('yes'));
    editor.leave();
    await editor.ended;
    const events = await editor.events();
    expect(events.map(({ type }) => type)).toEqual([
      'tool.requested',
      'help.requested',
      'help.answered',
      'help.delivered',
      'tool.allowed',
    ]);
    expect(ofType(events, 'help.answered')[0]?.data).toMatchObject({
      verdict: 'approved',
      scope: 'once',
      by: 'ada',
      via: 'editor',
    });
    expect(editor.told()).toEqual([]);
  });

  it('is another call in another folder, which is shown', async () => {
    const editor = await editorHere(echo);
    for (const name of ['a', 'b']) {
      editor.say({
        id: name,
        method: 'session/new',
        params: { cwd: join(editor.root, name), mcpServers: [] },
      });
      editor.say({ id: name, result: { sessionId: `in-${name}` } });
    }
    await editor.answerTo('b');
    const ask = (id: number, session: string) => {
      const asked = permission(id, 'npm test') as { params: object };
      editor.say({ ...asked, params: { ...asked.params, sessionId: session } });
    };
    ask(1, 'in-a');
    editor.say(choice(await editor.prompt(), 'clifford-always'));
    expect((await editor.answerTo(1)).result).toEqual(chose('yes'));
    ask(2, 'in-b');
    editor.say(choice(await editor.prompt(2), 'no'));
    expect((await editor.answerTo(2)).result).toEqual(chose('no'));
    ask(3, 'in-a');
    expect((await editor.answerTo(3)).result).toEqual(chose('yes'));
    // Done without asking, it is what was allowed always in the one folder alone.
    for (const sessionId of ['in-a', 'in-b']) {
      const call = { toolCallId: 'unasked', kind: 'execute', status: 'completed', title: 'A call' };
      const update = { sessionUpdate: 'tool_call', ...call, rawInput: { command: 'npm test' } };
      editor.say({ method: 'session/update', params: { sessionId, update } });
    }
    editor.leave();
    await editor.ended;
    const events = await editor.events();
    const asked = ofType(events, 'help.requested').map(({ data }) => data.approval?.args);
    expect(asked).toEqual(['a', 'b'].map((name) => ({ command: 'npm test', cwd: join(editor.root, name) })));
    const [, inB] = ofType(events, 'tool.returned').slice(-2);
    expect(ofType(events, 'tool.unasked').map(({ data }) => data.callId)).toEqual([inB?.data.callId]);
  });

  it('is a call in the folder that was told of before, where the agent leaves it out when it asks', async () => {
    const editor = await editorSide(echo);
    const call = { toolCallId: 'call-1', kind: 'execute', title: 'A command' };
    const told = { ...call, rawInput: { command: 'npm test', workdir: '/elsewhere' } };
    const update = { sessionUpdate: 'tool_call', status: 'pending', ...told };
    editor.say({ method: 'session/update', params: { sessionId: 's', update } }, permission(1, 'npm test'));
    const shown = await editor.prompt();
    // The editor has no other place for it.
    expect(shown.params).toMatchObject({
      toolCall: { title: 'A command (in /elsewhere)', rawInput: { command: 'npm test' } },
    });
    editor.say(choice(shown, 'clifford-always'));
    expect((await editor.answerTo(1)).result).toEqual(chose('yes'));
    editor.say(permission(2, 'npm test'));
    const again = await editor.prompt(2);
    expect(again.params).toMatchObject({ toolCall: { title: 'A command' } });
    editor.say(choice(again, 'no'));
    expect((await editor.answerTo(2)).result).toEqual(chose('no'));
    const rawInput = { command: 'npm test', cwd: '/elsewhere' };
    const over = { sessionUpdate: 'tool_call', status: 'completed', toolCallId: 'unasked' };
    const completed = { ...call, rawInput, ...over };
    editor.say({ method: 'session/update', params: { sessionId: 's', update: completed } });
    editor.leave();
    await editor.ended;
    const events = await editor.events();
    const asked = ofType(events, 'help.requested').map(({ data }) => data.approval?.args);
    expect(asked).toEqual([{ command: 'npm test', cwd: '/elsewhere' }, { command: 'npm test' }]);
    // Done without asking, it is what was allowed always.
    expect(ofType(events, 'tool.unasked')).toEqual([]);
  });

  it('is one where the agent asks for the same call twice at once', async () => {
    const editor = await editorHere(echo);
    editor.say(permission(1, 'npm test', { toolCallId: 'c' }));
    const prompt = await editor.prompt();
    editor.say(permission(2, 'npm test', { toolCallId: 'c' }));
    expect((await editor.answerTo(2)).result).toEqual(turnCancelled);
    editor.say(choice(prompt, 'yes'));
    expect((await editor.answerTo(1)).result).toEqual(chose('yes'));
    expect(ofType(await editor.events(), 'tool.allowed')).toHaveLength(1);
  });

  it('does not happen by a yes at the editor that a rule has come to refuse meanwhile', async () => {
    const editor = await editorHere(echo);
    editor.say(permission(1, 'npm test'));
    const prompt = await editor.prompt();
    // The rules have been looked at since the first one was shown.
    editor.say(permission(2, 'git push'));
    editor.say(choice(await editor.prompt(2), 'no'));
    await editor.answerTo(2);
    const agents = { rules: [{ command: { startsWith: 'npm' }, decision: 'deny' }] };
    await writeFile(join(editor.root, 'mcp.json'), JSON.stringify({ policy: { agents } }));
    editor.say(choice(prompt, 'yes'));
    expect((await editor.answerTo(1)).result).toEqual(chose('no'));
    const events = await editor.events();
    expect(ofType(events, 'tool.denied')).toHaveLength(2);
    expect(ofType(events, 'tool.allowed')).toEqual([]);
    await editor.hear(() => editor.told().find((text) => text.includes('agents.rules[0]')));
  });

  it.each([
    ['two of its answers cannot be told apart', ['yes', 'yes']],
    ['an answer is called as the always of Clifford', ['clifford-always', 'no']],
  ])('is none where %s', async (_why, [yes, no]) => {
    const editor = await editorHere(echo);
    const { params } = permission(1, 'npm test') as { params: object };
    const own = [
      { optionId: yes, name: 'Yes', kind: 'allow_once' },
      { optionId: no, name: 'No', kind: 'reject_once' },
    ];
    editor.say({ id: 1, method: 'session/request_permission', params: { ...params, options: own } });
    expect((await editor.answerTo(1)).error?.code).toBe(-32_602);
    expect(editor.heard.some(({ method }) => method !== undefined)).toBe(false);
  });

  it('has an id that the agent cannot tell before: an answer to something else that it asks allows nothing', async () => {
    const ids = await Promise.all(
      [1, 2].map(async () => {
        const editor = await editorHere(echo);
        editor.say(permission(1, 'npm test'));
        return (await editor.prompt()).id;
      }),
    );
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('is refused at the editor', async () => {
    const editor = await editorHere(echo);
    editor.say(permission('x', 'npm test'));
    editor.say(choice(await editor.prompt(), 'no'));
    expect((await editor.answerTo('x')).result).toEqual(chose('no'));
    const [denied] = ofType(await editor.events(), 'tool.denied');
    expect(denied?.data).toMatchObject({ by: 'ada' });
  });

  it('is told of where its agent was refused and says that it has done it all the same', async () => {
    const editor = await editorSide(echo);
    const over = (toolCallId: string) => {
      const update = { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' };
      return { method: 'session/update', params: { sessionId: 's', update } };
    };
    for (const [nth, answer] of ['yes', 'no'].entries()) {
      editor.say(permission(nth, 'npm test'));
      editor.say(choice(await editor.prompt(nth + 1), answer));
      expect((await editor.answerTo(nth)).result).toEqual(chose(answer));
      editor.say(over(`call-${nth}`));
    }
    const told = await editor.hear(() => editor.told().find((text) => text.includes('although')));
    expect(told).toBe('Clifford: execute npm test, although it was denied (agents.ask what-matters)');
    editor.leave();
    await editor.ended;
    const events = await editor.events();
    const [denied] = ofType(events, 'tool.denied');
    const unasked = ofType(events, 'tool.unasked').map(({ data }) => data);
    expect(unasked).toMatchObject([{ callId: denied?.data.callId, decision: 'deny', refused: true }]);
    const { out } = await clifford(['status'], { cwd: editor.root });
    expect(out).toMatch(/\ncat was seen not to wait for a yes, in an editor, last on \d{4}-\d\d-\d\d\n$/);
    await writeSprint(editor.root, { id: 'next', tasks: ['a'] });
    const run = ['run', '--plain', '--agent-cmd', 'cat', 'next'];
    expect((await clifford(run, { cwd: editor.root })).err).not.toContain('was seen not to wait');
    const doctor = await clifford(['doctor', '--json'], { cwd: editor.root, env: { PATH: '' } });
    const { checks } = JSON.parse(doctor.out) as { checks: { name: string }[] };
    expect(checks.filter(({ name }) => name === 'editors')).toMatchObject([
      {
        status: 'warning',
        text: expect.stringContaining('cat was seen not to wait for a yes, in an editor'),
      },
    ]);
    const { out: json } = await clifford(['status', '--json', 'next'], { cwd: editor.root });
    expect(JSON.parse(json)).toMatchObject({ mistrusted: [] });
  });

  it('is asked once where the answer was "always", and the agent hears of once only', async () => {
    const editor = await editorHere(echo);
    editor.say(permission(1, 'npm test'));
    editor.say(choice(await editor.prompt(), 'clifford-always'));
    expect((await editor.answerTo(1)).result).toEqual(chose('yes'));
    editor.say(permission(2, 'npm test'));
    expect((await editor.answerTo(2)).result).toEqual(chose('yes'));
    editor.say(permission(3, 'npm test && git push'));
    await editor.prompt(2);
  });

  it.each([
    { verdict: 'approved', optionId: 'yes', said: 'ann allowed it in the shell' },
    { verdict: 'denied', optionId: 'no', said: 'ann denied it in the shell' },
  ])('is $verdict elsewhere: the editor is told who, and its prompt is taken away', async (how) => {
    const editor = await editorHere(echo);
    const project = await editor.project();
    editor.say(permission(1, 'npm test'));
    const prompt = await editor.prompt();
    const id = await openRequest(project);
    if (how.verdict === 'approved') await approve(project, id, once);
    else await deny(project, id, human);
    expect((await editor.answerTo(1)).result).toEqual(chose(how.optionId));
    const cancelled = await editor.hear(() =>
      editor.heard.find(({ method }) => method === '$/cancel_request'),
    );
    expect(cancelled.params?.requestId).toBe(prompt.id);
    await editor.hear(() => editor.told()[0]);
    expect(editor.told()).toEqual([expect.stringContaining(`A command: ${how.said}`)]);
    // What it says all the same is nobody's answer any more.
    editor.say(choice(prompt, 'no'), { id: 'last', result: {} });
    await editor.answerTo('last');
    expect(requestById(await project.refresh(), id)?.answer?.by).toBe('ann');
  });

  it('is refused when it was changed elsewhere: the editor is told to which call, and that one runs unasked', async () => {
    const editor = await editorHere(echo);
    const project = await editor.project();
    editor.say(permission(1, 'npm test'));
    const id = await openRequest(project);
    await approveEdited(project, id, { ...human, args: { command: 'npm ci' }, response: 'cleaner' });
    expect((await editor.answerTo(1)).result).toEqual(chose('no'));
    await editor.hear(() => editor.told()[0]);
    expect(editor.told()[0]).toMatch(
      /ann allowed it as changed in the shell at .*: cleaner \(the agent heard only a no: tell it .* with exactly these arguments: {"command":"npm ci"}\)$/,
    );
    editor.say(permission(2, 'npm ci'));
    expect((await editor.answerTo(2)).result).toEqual(chose('yes'));
  });

  it('is refused when it was asked about elsewhere, and shows what the agent says then', async () => {
    const editor = await editorHere(echo);
    const project = await editor.project();
    const say = (text: string) =>
      editor.say({
        method: 'session/update',
        params: {
          sessionId: 's',
          update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
        },
      });
    editor.say({ id: 'new', method: 'session/new', params: { cwd: editor.root, mcpServers: [] } });
    editor.say({ id: 'new', result: { sessionId: 's' } });
    await editor.answerTo('new');
    say('Before.');
    editor.say(permission(1, 'npm test'));
    await editor.prompt();
    await explainFirst(project, await openRequest(project), { ...human, question: 'What for?' });
    expect((await editor.answerTo(1)).result).toEqual(chose('no'));
    await editor.hear(() => editor.told()[0]);
    expect(editor.told()[0]).toMatch(
      /ann asked about it first .*: What for\? \(the agent heard only a no: ask it\)$/,
    );
    editor.say({ id: 'next', method: 'session/prompt', params: { sessionId: 's', prompt: [] } });
    await editor.hear(() => editor.heard.find((each) => each.id === 'next'));
    say('To be ');
    say('sure.');
    editor.say(permission(2, 'npm test'));
    await editor.prompt(2);
    const again = ofType(await editor.events(), 'help.requested').at(-1)?.data;
    expect(again?.approval?.explanation).toEqual({ question: 'What for?', words: 'To be sure.' });
  });

  it('is told of by a notice where the editor shows notices', async () => {
    const editor = await editorHere(echo);
    const clientCapabilities = { session: { notices: {} } };
    editor.say({ id: 0, method: 'initialize', params: { protocolVersion: 1, clientCapabilities } });
    editor.say(permission(1, 'npm test'));
    const project = await editor.project();
    await deny(project, await openRequest(project), human);
    const notice = await editor.hear(() =>
      editor.heard.find(({ params }) => params?.update?.sessionUpdate === 'notice'),
    );
    expect(notice.params?.update?.title).toContain('ann denied it in the shell');
  });

  it('has one answer when editor, shell and screen give theirs at once, and the others are told whose', async () => {
    const editor = await editorHere(echo);
    const [shell, screen] = await Promise.all([editor.project(), editor.project()]);
    for (let nth = 1; nth <= 12; nth += 1) {
      editor.say(permission(nth, `npm run script-${nth}`));
      const prompt = await editor.prompt(nth);
      const id = await openRequest(shell);
      await screen.refresh();
      const told = editor.told().length;
      editor.say(choice(prompt, 'yes'));
      const [first, second] = await Promise.all([
        deny(shell, id, { by: 'ann', via: 'cli' }),
        approve(screen, id, { by: 'bob', via: 'tui', scope: 'once' }),
      ]);
      const answer = await editor.answerTo(nth);
      const { phase, answer: winner } = requestById(await shell.refresh(), id) ?? {};
      expect(phase).not.toBe('open');
      expect(answer.result).toEqual(chose(winner?.verdict === 'approved' ? 'yes' : 'no'));
      const lost = [first, second].filter(({ accepted }) => !accepted);
      expect(lost).toHaveLength(winner?.via === 'editor' ? 2 : 1);
      expect(lost.map(({ request }) => request?.answer?.by)).toEqual(lost.map(() => winner?.by));
      const said = winner?.via === 'editor' ? [] : [await editor.hear(() => editor.told()[told])];
      const how = `${winner?.by} ${winner ? didText(winner, 'it') : ''} ${viaText(String(winner?.via))}`;
      expect(said).toEqual(said.map(() => expect.stringContaining(how)));
    }
    const answered = ofType(await editor.events(), 'help.answered');
    expect(answered).toHaveLength(12);
  });

  it('is decided by the policy first: what it denies nobody is asked, and the editor hears why', async () => {
    const root = await withPolicy({
      rules: [{ command: { startsWith: 'git push' }, decision: 'deny', reason: 'a human pushes' }],
    });
    const editor = await editorHere(echo, { root });
    editor.say(permission(1, 'npm test; git push'));
    expect((await editor.answerTo(1)).result).toEqual(chose('no'));
    await editor.hear(() => editor.told()[0]);
    expect(editor.told()[0]).toContain('a human pushes');
    expect(editor.heard.some(({ method }) => method === 'session/request_permission')).toBe(false);
    // Whoever has deleted it: the agent may have.
    await rm(join(root, 'mcp.json'));
    editor.say(permission(2, 'git push'));
    expect((await editor.answerTo(2)).result).toEqual(chose('no'));
  });

  it('is not shown where the policy allows it', async () => {
    const root = await withPolicy({ ask: 'nothing' });
    const editor = await editorHere(echo, { root, env: { CLIFFORD_TRUST_PROJECT: '1' } });
    editor.say(permission(1, 'npm test'));
    expect((await editor.answerTo(1)).result).toEqual(chose('yes'));
    expect(editor.heard).toHaveLength(1);
  });

  it('offers each mode where the agent asks in which one to go on', async () => {
    const editor = await editorHere(echo);
    editor.say(permission(1, '', { kind: 'switch_mode', rawInput: { plan: 'x' } }));
    const prompt = await editor.prompt();
    expect(prompt.params?.options?.map(({ optionId }) => optionId)).toEqual(['yes', 'always', 'no']);
    editor.say(choice(prompt, 'always'));
    expect((await editor.answerTo(1)).result).toEqual(chose('always'));
  });
});

describe('a prompt that nobody wants an answer to any more', () => {
  it('is over in the log, too, when the turn is cancelled in the editor, and the same call asks anew', async () => {
    const editor = await editorHere(echo);
    editor.say(permission(1, 'npm test'));
    await editor.prompt();
    editor.say({ method: 'session/cancel', params: { sessionId: 's' } });
    expect((await editor.answerTo(1)).result).toEqual(turnCancelled);
    const project = await editor.project();
    await project.until(({ streams }) =>
      [...(streams.get('adhoc')?.requests.values() ?? [])].every(({ deliveredTo }) => deliveredTo.length > 0)
        ? true
        : undefined,
    );
    const other = await editorHere(echo, { root: editor.root });
    other.say(permission(1, 'npm test'));
    await other.prompt();
    editor.say(permission(2, 'npm test'));
    await editor.prompt(2);
  });

  it('is over when the editor closes it', async () => {
    const editor = await editorHere(echo);
    editor.say(permission(1, 'npm test'));
    const { id } = await editor.prompt();
    editor.say({ id: id ?? 0, result: { outcome: { outcome: 'cancelled' } } });
    expect((await editor.answerTo(1)).result).toEqual(turnCancelled);
    const project = await editor.project();
    const dismissed = await project.until(({ streams }) =>
      [...(streams.get('adhoc')?.requests.values() ?? [])].find(({ dismissal }) => dismissal),
    );
    expect(dismissed.dismissal).toMatchObject({ by: 'ada', via: 'editor' });
  });

  it('is over when the agent takes it back', async () => {
    const editor = await editorHere(echo);
    editor.say(permission('p', 'npm test'));
    await editor.prompt();
    editor.say({ method: '$/cancel_request', params: { requestId: 'p' } });
    expect((await editor.answerTo('p')).error?.code).toBe(-32_800);
    await editor.hear(() => editor.heard.find(({ method }) => method === '$/cancel_request'));
  });

  it('stays open when the editor leaves, and the next session takes the answer', async () => {
    const editor = await editorHere(echo);
    editor.say(permission(1, 'npm test'));
    await editor.prompt();
    editor.leave();
    expect((await editor.ended).code).toBe(0);
    const project = await editor.project();
    const id = await openRequest(project);
    expect(requestById(project.state, id)?.detached).toHaveLength(1);
    await approve(project, id, once);
    const next = await editorHere(echo, { root: editor.root });
    next.say(permission(1, 'npm test'));
    expect((await next.answerTo(1)).result).toEqual(chose('yes'));
    await next.hear(() => next.told()[0]);
    expect(next.heard.some(({ method }) => method === 'session/request_permission')).toBe(false);
  });

  it('waits on where the editor cannot show it, and says for what', async () => {
    const editor = await editorHere(echo);
    editor.say(permission(1, 'npm test'));
    const { id } = await editor.prompt();
    editor.say({ id: id ?? 0, error: { code: -32_601, message: 'no such method' } });
    await editor.hear(() => editor.told()[0]);
    const project = await editor.project();
    const request = await openRequest(project);
    expect(editor.told()[0]).toContain(`clifford approve ${request}`);
    await dismissRequest(project, request, human);
    expect((await editor.answerTo(1)).result).toEqual(chose('no'));
  });
});

describe('an agent in front of which clifford acp stands', () => {
  it.each([
    { how: 'as it is', begin: 'exec sh -c "$0" "$@"' },
    {
      how: 'that has another one in its place, which hides its mark',
      begin: 'exec env -u CLIFFORD_RUN_ID sh -c "$0" "$@"',
    },
  ])('cannot answer its own prompts with the commands of its shell, $how', async ({ begin }) => {
    const asks = JSON.stringify(permission(1, 'npm test'));
    const says = `sed 's/.*/{"id":"said","error":{"message":"&"}}/'`;
    const script = `printf '%s\\n' "$0"; read -r id; unset CLIFFORD_RUN_ID; "$@" approve "$id" 2>&1 | head -1 | ${says}; cat`;
    const cli = [process.execPath, join(import.meta.dirname, '../../../dist/cli.js')];
    const editor = await editorSide(['sh', '-c', begin, script, asks, ...cli], { args: ['--name', 'shell'] });
    await editor.prompt();
    const project = await editor.project();
    const id = await openRequest(project);
    editor.write(`${id}\n`);
    expect((await editor.answerTo('said')).error?.message).toContain(
      `Cannot approve ${id}: this is a process of an agent (run editor-`,
    );
    expect(requestById(await project.refresh(), id)?.phase).toBe('open');
  });

  it('cannot answer the prompts of an agent of its own as an editor would', async () => {
    const editor = await editorHere(echo, { env: { CLIFFORD_RUN_ID: 'run-1' } });
    editor.say(permission(1, 'npm test'));
    await editor.hear(() => editor.told()[0]);
    expect(editor.told()[0]).toContain('this is the shell of an agent (run run-1), and a human decides');
    expect(editor.heard.some(({ method }) => method === 'session/request_permission')).toBe(false);
    const project = await editor.project();
    const id = await openRequest(project);
    expect(await clifford(['approve', id], { cwd: editor.root })).toMatchObject({ code: 0 });
    expect((await editor.answerTo(1)).result).toEqual(chose('yes'));
  });
});
