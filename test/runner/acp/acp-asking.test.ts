import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { acpTalk } from '../support/acp-talk.ts';

const run = (toolCallId: string, command = 'ls') => ({
  toolCallId,
  kind: 'execute',
  title: 'A command',
  rawInput: { command },
});
const cancelled = { outcome: 'cancelled' };
const yes = { outcome: 'selected', optionId: 'yes' };

describe('what an agent asks over ACP', () => {
  it('is answered with the option for once, however the human puts it', async () => {
    const { begin, ask, until, asked, outcomeOf, signals } = acpTalk();
    await begin();
    ask('p', run('c'));
    (await until(() => asked[0])).decide({ is: 'allowed' });
    expect(await outcomeOf('p')).toEqual(yes);
    expect(asked[0]).toMatchObject({
      id: 'c',
      isRecorded: false,
      call: { commands: ['ls'], cwd: '/project' },
    });
    expect(signals).toContainEqual({ is: 'tool-start', id: 'c', tool: 'execute', about: 'ls' });
  });

  it('is cancelled unasked where the agent offers nothing for once', async () => {
    const { begin, ask, asked, outcomeOf, signals } = acpTalk();
    await begin();
    for (const id of ['p', 'q'])
      ask(id, run(id), [{ optionId: 'always', name: 'Always', kind: 'allow_always' }]);
    expect(await outcomeOf('p')).toEqual(cancelled);
    expect(await outcomeOf('q')).toEqual(cancelled);
    expect(asked).toEqual([]);
    const said = signals.filter((each) => each.is === 'text');
    expect(said).toEqual([expect.objectContaining({ text: expect.stringContaining('no "allow once"') })]);
  });

  it('ends its turn when it is refused: all else that it asked is cancelled, and the next turn has the reason', async () => {
    const { begin, ask, until, asked, outcomeOf, request, answer, sent, signals } = acpTalk();
    const { over } = await begin();
    ask('p1', run('c1', 'rm -rf x'));
    ask('p2', run('c2'));
    await until(() => asked[1]);
    asked[0]?.decide({ is: 'refused', reason: 'not here' });
    await request('session/cancel');
    // The turn that was cancelled has no more words for it.
    ask('p3', run('c3'));
    expect(await outcomeOf('p3')).toEqual(cancelled);
    ask('p4', run('c4'));
    expect(await outcomeOf('p4')).toEqual(cancelled);
    expect(asked).toHaveLength(2);
    expect(asked[1]?.signal.aborted).toBe(true);
    // With its answer the agent could go on before its model has heard of the cancel.
    const answered = () => sent.flatMap(({ method, id }) => (method === undefined ? [id] : []));
    expect(answered()).toEqual(['p3', 'p4']);
    await answer('session/prompt', { stopReason: 'cancelled' });
    expect(await outcomeOf('p1')).toEqual(cancelled);
    expect(await outcomeOf('p2')).toEqual(cancelled);
    const next = await request('session/prompt', 2);
    expect(next.params?.prompt?.[0]?.text).toContain('- A command: not here');
    ask('p5', run('c2'));
    (await until(() => asked[2])).decide({ is: 'allowed' });
    expect(await outcomeOf('p5')).toEqual(yes);
    await answer('session/prompt', { stopReason: 'end_turn' }, 2);
    await over;
    expect(signals.filter(({ is }) => is === 'error')).toEqual([]);
    expect(signals.at(-1)).toEqual({ is: 'turn-over' });
  });

  it('gives a yes back that comes once another call is refused, and none that its agent was told of', async () => {
    const { begin, ask, until, asked, outcomeOf, request, answer, sent } = acpTalk();
    await begin();
    const givenBack: string[] = [];
    const recorded = Promise.withResolvers<void>();
    const giveBack = (id: string) => {
      givenBack.push(id);
      return recorded.promise;
    };
    const yesTo = (id: string) => ({ is: 'allowed', giveBack: () => giveBack(id) }) as const;
    for (const id of ['1', '2', '3']) ask(`p${id}`, { ...run(`c${id}`), title: `Command ${id}` });
    await until(() => asked[2]);
    asked[0]?.decide(yesTo('1'));
    expect(await outcomeOf('p1')).toEqual(yes);
    // Both at the same moment: the no comes first.
    asked[1]?.decide({ is: 'refused', reason: 'not here' });
    asked[2]?.decide(yesTo('3'));
    await answer('session/prompt', { stopReason: 'cancelled' });
    expect(await outcomeOf('p2')).toEqual(cancelled);
    expect(givenBack).toEqual(['3']);
    // The next turn may ask for the same at once.
    await setImmediate();
    expect(sent.filter(({ method }) => method === 'session/prompt')).toHaveLength(1);
    recorded.resolve();
    expect(await outcomeOf('p3')).toEqual(cancelled);
    const next = await request('session/prompt', 2);
    expect(next.params?.prompt?.[0]?.text).toMatch(
      /- Command 2: not here\n\nDo without it[^]*only broken off[^]*:\n- Command 3$/,
    );
  });

  it('says so when a yes cannot be given back, and goes on', async () => {
    const { begin, ask, until, asked, outcomeOf, answer, signals } = acpTalk();
    await begin();
    ask('p', run('c'));
    ask('q', run('d'));
    await until(() => asked[1]);
    asked[0]?.decide({ is: 'refused', reason: 'no' });
    asked[1]?.decide({ is: 'allowed', giveBack: () => Promise.reject(new Error('the log is full')) });
    await answer('session/prompt', { stopReason: 'cancelled' });
    expect(await outcomeOf('q')).toEqual(cancelled);
    const text = 'Clifford could not keep the yes to a call that was broken off: the log is full';
    expect(signals).toContainEqual({ is: 'text', text });
    await answer('session/prompt', { stopReason: 'end_turn' }, 2);
  });

  it('has its answer after a while where an agent ends no turn without it', async () => {
    const { begin, ask, until, asked, outcomeOf, answer } = acpTalk();
    const { over } = await begin();
    ask('p', run('c'));
    (await until(() => asked[0])).decide({ is: 'refused', reason: 'no' });
    expect(await outcomeOf('p')).toEqual(cancelled);
    await answer('session/prompt', { stopReason: 'cancelled' });
    await answer('session/prompt', { stopReason: 'end_turn' }, 2);
    await over;
  });

  it('gets no word any more when its agent is left, neither a no nor the end of its turn', async () => {
    const { begin, ask, until, asked, talk, sent, say, answerTo } = acpTalk();
    await begin();
    ask('p', run('c'));
    await until(() => asked[0]);
    talk.leave();
    expect(asked[0]?.signal.aborted).toBe(true);
    ask('q', run('c2'));
    // When what it wants next has its answer, those would have theirs soon.
    say({ id: 'later', method: 'fs/any' });
    await answerTo('later');
    await setImmediate();
    talk.end();
    expect(asked).toHaveLength(1);
    expect(sent.filter(({ id, method }) => id === 'p' || id === 'q' || method === 'session/cancel')).toEqual(
      [],
    );
  });

  it('is followed by no other turn when its attempt has ended meanwhile', async () => {
    let isWanted = true;
    const { begin, ask, until, asked, answer, sent } = acpTalk({}, { isWanted: () => isWanted });
    const { over } = await begin();
    ask('p', run('c'));
    (await until(() => asked[0])).decide({ is: 'refused', reason: 'no' });
    isWanted = false;
    await answer('session/prompt', { stopReason: 'cancelled' });
    await over;
    expect(sent.filter(({ method }) => method === 'session/prompt')).toHaveLength(1);
  });

  it('is cancelled before its turn has begun, and when it is over', async () => {
    const { begin, talk, ask, outcomeOf, answer, asked, request } = acpTalk();
    const over = talk.converse();
    await request('initialize');
    ask('early', run('c'));
    expect(await outcomeOf('early')).toEqual(cancelled);
    await begin();
    await answer('session/prompt', { stopReason: 'end_turn' });
    await over;
    ask('late', run('c'));
    expect(await outcomeOf('late')).toEqual(cancelled);
    expect(asked).toEqual([]);
  });

  it('is not waited for any more when the turn ends around it', async () => {
    const { begin, ask, until, asked, outcomeOf, answer } = acpTalk();
    const { over } = await begin();
    ask('p', run('c'));
    await until(() => asked[0]);
    await answer('session/prompt', { stopReason: 'end_turn' });
    await over;
    expect(asked[0]?.signal.aborted).toBe(true);
    expect(await outcomeOf('p')).toEqual(cancelled);
  });

  it('is cancelled when its attempt has ended', async () => {
    const { begin, ask, asked, outcomeOf } = acpTalk({}, { isWanted: () => false });
    await begin();
    ask('p', run('c'));
    expect(await outcomeOf('p')).toEqual(cancelled);
    expect(asked).toEqual([]);
  });

  it('is cancelled, and said aloud, when nobody can decide', async () => {
    const { begin, ask, until, asked, outcomeOf, signals } = acpTalk();
    await begin();
    ask('p', run('c'));
    (await until(() => asked[0])).fail(new Error('the log is full'));
    expect(await outcomeOf('p')).toEqual(cancelled);
    const text = 'Clifford could not decide on execute, so it is not done: the log is full';
    expect(signals).toContainEqual({ is: 'text', text });
  });

  it('is asked once for one id at a time: one yes is for one call', async () => {
    const { begin, ask, until, asked, outcomeOf } = acpTalk();
    await begin();
    ask('p1', run('c'));
    await until(() => asked[0]);
    ask('p2', run('c'));
    expect(await outcomeOf('p2')).toEqual(cancelled);
    asked[0]?.decide({ is: 'allowed' });
    expect(await outcomeOf('p1')).toEqual(yes);
    ask('p3', run('c'));
    (await until(() => asked[1])).decide({ is: 'allowed' });
    expect(await outcomeOf('p3')).toEqual(yes);
  });

  it('is asked of no more than fifty calls at once', async () => {
    const { begin, ask, until, asked, outcomeOf, signals } = acpTalk();
    await begin();
    for (let nth = 0; nth < 60; nth += 1) ask(`p${nth}`, run(`c${nth}`));
    expect(await outcomeOf('p50')).toEqual(cancelled);
    expect(await outcomeOf('p59')).toEqual(cancelled);
    await until(() => asked[49]);
    expect(asked).toHaveLength(50);
    const said = signals.filter((each) => each.is === 'text');
    expect(said).toEqual([expect.objectContaining({ text: expect.stringContaining('more than 50 calls') })]);
  });

  it.each<[string, object, object]>([
    ['the same', run('c'), run('c')],
    // As OpenCode does.
    [
      'less of it',
      {
        ...run('c'),
        rawInput: { command: 'ls', description: 'Looks', cwd: '/project' },
        locations: [{ path: '/project' }],
      },
      { ...run('c'), locations: [] },
    ],
    ['no more than its id', run('c'), { toolCallId: 'c' }],
  ])('is the call that was told of, and written down, where it says %s', async (_what, told, said) => {
    const { begin, ask, until, asked, update } = acpTalk();
    await begin();
    update({ sessionUpdate: 'tool_call', status: 'in_progress', ...told });
    ask('p', said);
    expect(await until(() => asked[0])).toMatchObject({ id: 'c', isRecorded: true });
  });

  it.each<[string, object, object]>([
    ['the folder that it was told of with, which is shown', { workdir: '/elsewhere' }, { cwd: '/elsewhere' }],
    ['no folder that only its model may have named', { cwd: '/elsewhere' }, {}],
    ['that folder below the project', { workdir: 'below' }, { cwd: '/project/below' }],
    ['where it works, which goes without saying', { workdir: '/project' }, {}],
  ])('is asked about in %s, where its agent leaves it out then', async (_what, folder, shown) => {
    const { begin, ask, until, asked, update, unasked } = acpTalk();
    await begin();
    const told = { ...run('c'), rawInput: { command: 'ls', ...folder } };
    update({ sessionUpdate: 'tool_call', status: 'in_progress', ...told });
    ask('p', run('c'));
    const { call } = await until(() => asked[0]);
    const cwd = '/project';
    expect([call.cwd, call.args]).toEqual([{ cwd, ...shown }.cwd, { command: 'ls', ...shown }]);
    // Only the agent knows whether it goes by that.
    expect(call.elsewhere).toBe('cwd' in shown ? cwd : undefined);
    // So is what is done without asking, where the end of it says less.
    update({ sessionUpdate: 'tool_call', status: 'pending', ...told, toolCallId: 'other' });
    update({ sessionUpdate: 'tool_call_update', status: 'completed', ...run('other') });
    expect(unasked.map((each) => each.cwd)).toEqual([call.cwd]);
  });

  it('is asked about where it works, where another call with its id was told of elsewhere', async () => {
    const { begin, ask, until, asked, update } = acpTalk();
    await begin();
    const rawInput = { command: 'ls', workdir: '/elsewhere' };
    update({ sessionUpdate: 'tool_call', status: 'pending', ...run('c'), rawInput });
    update({ sessionUpdate: 'tool_call', status: 'pending', ...run('c') });
    ask('p', run('c'));
    expect((await until(() => asked[0])).call.cwd).toBe('/project');
  });

  it('is written down anew where it was told of with another folder since', async () => {
    const { begin, ask, until, asked, update } = acpTalk();
    await begin();
    update({ sessionUpdate: 'tool_call', status: 'in_progress', ...run('c') });
    const rawInput = { command: 'ls', workdir: '/elsewhere' };
    update({ sessionUpdate: 'tool_call_update', ...run('c'), rawInput });
    ask('p', run('c'));
    expect(await until(() => asked[0])).toMatchObject({ isRecorded: false, call: { cwd: '/elsewhere' } });
  });

  it('is asked about in the folder that it names itself, whatever was told before', async () => {
    const { begin, ask, until, asked, update } = acpTalk();
    await begin();
    update({ sessionUpdate: 'tool_call', ...run('c'), rawInput: { command: 'ls', cwd: '/elsewhere' } });
    ask('p', { ...run('c'), rawInput: { command: 'ls', cwd: 'sub' } });
    const { call } = await until(() => asked[0]);
    expect([call.cwd, call.args]).toEqual(['/project/sub', { command: 'ls', cwd: 'sub' }]);
  });

  it.each<[string, object]>([
    ['another command', run('c', 'rm x')],
    ['more of it', { ...run('c'), rawInput: { command: 'ls', timeout: 1 } }],
    ['another kind', { ...run('c'), kind: 'delete' }],
    ['another file', { ...run('c'), locations: [{ path: '/a' }] }],
    ['a change', { ...run('c'), content: [{ type: 'diff', path: 'a', newText: 'x' }] }],
    ['nothing of its input', { ...run('c'), rawInput: {} }],
  ])('is another call, with a name of its own, where it says %s than was told', async (_what, said) => {
    const { begin, ask, until, asked, update, signals } = acpTalk();
    await begin();
    update({ sessionUpdate: 'tool_call', status: 'in_progress', ...run('c') });
    ask('p', said);
    const { id, isRecorded } = await until(() => asked[0]);
    expect(id).not.toBe('c');
    expect(isRecorded).toBe(false);
    const calls = signals.flatMap((each) =>
      each.is === 'tool-start' || each.is === 'tool-end' ? [[each.is, each.id, 'own' in each]] : [],
    );
    expect(calls).toEqual([
      ['tool-start', 'c', true],
      ['tool-end', 'c', true],
      ['tool-start', id, false],
    ]);
    update({ sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed' });
    expect(signals.at(-1)).toMatchObject({ is: 'tool-end', id, isError: false });
  });

  it('of a tool of Clifford’s own is allowed: its server judges it', async () => {
    const isOwnTool = ({ toolCallId }: { toolCallId: string }) => toolCallId.startsWith('mcp_clifford_');
    const { begin, ask, asked, outcomeOf } = acpTalk({
      speech: { takesMcp: true, namesOwnTool: isOwnTool, isOwnTool },
    });
    await begin();
    ask('p', { toolCallId: 'mcp_clifford_x', kind: 'other', title: 'x' });
    expect(await outcomeOf('p')).toEqual(yes);
    expect(asked).toEqual([]);
  });

  it('stays without an answer when it is stopped: it asks again when it goes on', async () => {
    const { begin, talk, ask, until, asked, sent, say, answerTo } = acpTalk();
    const { over } = await begin();
    ask('p', run('c'));
    await until(() => asked[0]);
    await talk.cancel();
    expect(asked[0]?.signal.aborted).toBe(true);
    ask('q', run('c2'));
    say({ id: 'later', method: 'fs/any' });
    await answerTo('later');
    await setImmediate();
    talk.end();
    await over;
    expect(sent.filter(({ id, method }) => id === 'p' || id === 'q' || method === 'session/cancel')).toEqual(
      [],
    );
  });
});

describe('what an agent has done over ACP without asking', () => {
  const update = (talk: ReturnType<typeof acpTalk>, id: string, ...states: string[]) => {
    for (const status of states)
      talk.update({ sessionUpdate: 'tool_call_update', status, ...run(id, 'rm x') });
  };

  it('is judged when it is over, once, and waited for', async () => {
    const { promise: judged, reject } = Promise.withResolvers<void>();
    const talk = acpTalk({}, { judged });
    await talk.begin();
    update(talk, 'c', 'pending', 'in_progress');
    expect(talk.unasked).toEqual([]);
    update(talk, 'c', 'completed', 'completed');
    expect(talk.unasked).toMatchObject([{ kind: 'execute', id: 'c', hasFailed: false }]);
    const over = talk.talk.settled().then(() => 'over');
    expect(await Promise.race([over, Promise.resolve('not yet')])).toBe('not yet');
    reject(new Error('no log'));
    expect(await over).toBe('over');
    expect(talk.signals.at(-1)).toEqual({
      is: 'text',
      text: 'Clifford could not judge execute, which nobody was asked about: no log',
    });
  });

  it('is nothing that was asked about, whatever the answer, before it was under way or after', async () => {
    const talk = acpTalk();
    await talk.begin();
    update(talk, 'late', 'in_progress');
    talk.ask('p1', run('late', 'rm x'));
    talk.ask('p2', run('first', 'rm x'));
    await talk.until(() => talk.asked[1]);
    for (const { decide } of talk.asked) decide({ is: 'allowed' });
    await talk.outcomeOf('p2');
    update(talk, 'late', 'completed', 'completed');
    update(talk, 'first', 'in_progress', 'failed');
    expect(talk.unasked).toEqual([]);
  });

  it('is what it was refused, and reports as done all the same', async () => {
    const talk = acpTalk();
    await talk.begin();
    update(talk, 'late', 'in_progress');
    talk.ask('p1', run('late', 'rm x'));
    talk.ask('p2', run('obedient', 'rm x'));
    for (const nth of [0, 1])
      (await talk.until(() => talk.asked[nth])).decide({ is: 'refused', reason: 'no' });
    await talk.answer('session/prompt', { stopReason: 'cancelled' });
    expect([await talk.outcomeOf('p1'), await talk.outcomeOf('p2')]).toEqual([cancelled, cancelled]);
    update(talk, 'obedient', 'failed');
    expect(talk.unasked).toEqual([]);
    update(talk, 'late', 'completed', 'completed');
    expect(talk.unasked).toMatchObject([{ id: 'late', hasFailed: false, wasRefused: true }]);
  });

  it('is what it asks about and does not wait for, or does though its question was broken off', async () => {
    const talk = acpTalk();
    await talk.begin();
    talk.ask('p1', run('hasty', 'rm x'));
    talk.ask('p2', run('broken-off', 'rm x'));
    await talk.until(() => talk.asked[1]);
    update(talk, 'hasty', 'in_progress', 'completed');
    talk.asked[0]?.decide({ is: 'refused', reason: 'no' });
    await talk.answer('session/prompt', { stopReason: 'cancelled' });
    expect(await talk.outcomeOf('p2')).toEqual(cancelled);
    update(talk, 'broken-off', 'completed');
    expect(talk.unasked).toMatchObject([
      { id: 'hasty', wasRefused: false },
      { id: 'broken-off', wasRefused: false },
    ]);
  });

  it('is not what it asks about once more, and may do then', async () => {
    const talk = acpTalk();
    await talk.begin();
    talk.ask('p1', run('c', 'rm x'));
    (await talk.until(() => talk.asked[0])).decide({ is: 'refused', reason: 'no' });
    await talk.answer('session/prompt', { stopReason: 'cancelled' });
    await talk.outcomeOf('p1');
    await talk.request('session/prompt', 2);
    talk.ask('p2', run('c', 'rm x'));
    (await talk.until(() => talk.asked[1])).decide({ is: 'allowed' });
    await talk.outcomeOf('p2');
    update(talk, 'c', 'in_progress', 'completed');
    expect(talk.unasked).toEqual([]);
  });

  it('is what it asks about with the id of one that it was allowed, and that has ended', async () => {
    const talk = acpTalk();
    await talk.begin();
    talk.ask('p1', run('c', 'ls'));
    (await talk.until(() => talk.asked[0])).decide({ is: 'allowed' });
    await talk.outcomeOf('p1');
    talk.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed' });
    talk.ask('p2', run('c', 'rm x'));
    (await talk.until(() => talk.asked[1])).decide({ is: 'refused', reason: 'no' });
    await talk.answer('session/prompt', { stopReason: 'cancelled' });
    await talk.outcomeOf('p2');
    update(talk, 'c', 'completed');
    expect(talk.unasked).toMatchObject([{ wasRefused: true }]);
  });

  it('is another call where the agent begins one with the id of one that was refused, and says nothing of that', async () => {
    const talk = acpTalk();
    await talk.begin();
    talk.ask('p1', run('call_0', 'rm x'));
    (await talk.until(() => talk.asked[0])).decide({ is: 'refused', reason: 'no' });
    await talk.answer('session/prompt', { stopReason: 'cancelled' });
    await talk.outcomeOf('p1');
    talk.update({ sessionUpdate: 'tool_call', toolCallId: 'call_0', kind: 'edit', status: 'pending' });
    talk.update({ sessionUpdate: 'tool_call_update', toolCallId: 'call_0', status: 'completed' });
    expect(talk.unasked).toMatchObject([{ kind: 'edit', wasRefused: false }]);
    expect(talk.unasked[0]?.id).not.toBe('call_0');
  });

  it('is what it was refused, where the agent begins the same call anew with its id', async () => {
    const talk = acpTalk();
    await talk.begin();
    talk.ask('p1', run('call_0', 'rm x'));
    (await talk.until(() => talk.asked[0])).decide({ is: 'refused', reason: 'no' });
    await talk.answer('session/prompt', { stopReason: 'cancelled' });
    await talk.outcomeOf('p1');
    update(talk, 'call_0', 'failed');
    talk.update({ sessionUpdate: 'tool_call', ...run('call_0', 'rm x'), status: 'pending' });
    update(talk, 'call_0', 'in_progress', 'completed');
    expect(talk.unasked).toMatchObject([{ kind: 'execute', wasRefused: true, hasFailed: false }]);
  });

  /** What real agents say of a command that has run and ended with 3. */
  const ended = {
    'Claude Code': { rawOutput: 'Exit code 3\noops' },
    Codex: { _meta: { terminal_exit: { exit_code: 3, signal: null, terminal_id: 'c' } } },
    OpenCode: { rawOutput: { output: 'oops', metadata: { exit: 3 } } },
    'Copilot CLI': { rawOutput: { contents: [{ type: 'shell_exit', exitCode: 3 }] } },
  };
  it.each(Object.entries(ended))(
    'is what it was refused, and reports with an exit code as %s does',
    async (_agent, end) => {
      const talk = acpTalk();
      await talk.begin();
      talk.ask('p1', run('c', 'rm x'));
      (await talk.until(() => talk.asked[0])).decide({ is: 'refused', reason: 'no' });
      await talk.answer('session/prompt', { stopReason: 'cancelled' });
      await talk.outcomeOf('p1');
      talk.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'failed', ...end });
      expect(talk.unasked).toMatchObject([{ wasRefused: true, hasFailed: false }]);
    },
  );

  /** What they say of one that was refused, and that they have not run. */
  const obeyed = {
    'Claude Code': {
      rawOutput: "The user doesn't want to proceed with this tool use. The tool use was rejected",
    },
    Codex: { _meta: { terminal_exit: { exit_code: null, signal: null, terminal_id: 'c' } } },
    OpenCode: { rawOutput: { error: 'Tool execution aborted', metadata: { interrupted: true } } },
    'Gemini CLI': {
      content: [{ type: 'content', content: { type: 'text', text: 'Path not in workspace' } }],
    },
    'an older Codex': { rawOutput: { exit_code: -1, formatted_output: 'exec command rejected by user' } },
  };
  it.each(Object.entries(obeyed))(
    'is not what it was refused, and reports as %s does',
    async (_agent, end) => {
      const talk = acpTalk();
      await talk.begin();
      update(talk, 'c', 'in_progress');
      talk.ask('p1', run('c', 'rm x'));
      (await talk.until(() => talk.asked[0])).decide({ is: 'refused', reason: 'no' });
      await talk.answer('session/prompt', { stopReason: 'cancelled' });
      await talk.outcomeOf('p1');
      talk.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'failed', ...end });
      expect(talk.unasked).toEqual([]);
    },
  );

  it('is another call where the agent begins one with the id of one that has ended', async () => {
    const talk = acpTalk();
    await talk.begin();
    talk.ask('p1', run('call_0', 'rm x'));
    (await talk.until(() => talk.asked[0])).decide({ is: 'allowed' });
    await talk.outcomeOf('p1');
    update(talk, 'call_0', 'in_progress', 'completed', 'completed');
    expect(talk.unasked).toEqual([]);
    talk.update({ sessionUpdate: 'tool_call', ...run('call_0', 'rm x'), status: 'pending' });
    update(talk, 'call_0', 'in_progress', 'completed', 'completed');
    expect(talk.unasked).toMatchObject([{ kind: 'execute', hasFailed: false }]);
    expect(talk.unasked[0]?.id).not.toBe('call_0');
    const begun = talk.signals.flatMap((each) => (each.is === 'tool-start' ? [each.id] : []));
    expect(begun).toEqual(['call_0', talk.unasked[0]?.id]);
  });

  it.each<[string, object, object, number]>([
    ['another command', run('c', 'ls'), { rawInput: { command: 'rm x' } }, 1],
    [
      'a command in place of a file',
      { toolCallId: 'c', kind: 'read', rawInput: { path: 'a' } },
      run('c', 'rm x'),
      1,
    ],
    ['the command in other words', run('c', 'ls'), { rawInput: { command: 'ls', description: 'Looks' } }, 0],
    ['nothing of what it was', run('c', 'ls'), {}, 0],
    ['its files', run('c', 'ls'), { rawInput: { path: 'a' } }, 0],
  ])(
    'is what an agent says it has run with a yes for something else: %s',
    async (_what, asked, said, times) => {
      const talk = acpTalk();
      await talk.begin();
      talk.ask('p', asked);
      const waiting = await talk.until(() => talk.asked[0]);
      // While a human looks at what it was.
      talk.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c', ...said });
      waiting.decide({ is: 'allowed' });
      await talk.outcomeOf('p');
      talk.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed', ...said });
      expect(talk.unasked).toHaveLength(times);
    },
  );

  it.each<[string, object, object, number]>([
    ['a list', { command: ['ls'] }, { rawInput: { command: 'git push' } }, 1],
    ['words in a list', { command: 'ls' }, { rawInput: { command: ['git', 'push'] } }, 1],
    ['another field', { command: 'ls' }, { rawInput: { cmd: 'git push' } }, 1],
    ['another spelling', { command: 'ls' }, { rawInput: { Command: 'git push' } }, 1],
    ['a second field', { command: 'ls' }, { rawInput: { command: 'ls', cmd: 'git push' } }, 1],
    ['parts', { command: 'ls' }, { rawInput: { command: { line: 'git push' } } }, 1],
    ['arguments', { command: 'git' }, { rawInput: { command: 'git', args: ['push'] } }, 1],
    ['a shell', { command: 'ls' }, { rawInput: { command: ['bash', '-lc', 'git push'] } }, 1],
    ['the same in a shell', { command: 'ls -a' }, { rawInput: { command: ['bash', '-lc', 'ls -a'] } }, 0],
    [
      'what is quoted in a shell',
      { command: "echo 'a'" },
      { rawInput: { command: ['sh', '-c', "echo 'a'"] } },
      0,
    ],
    ['the same without its shell', { command: ['bash', '-lc', 'ls'] }, { rawInput: { command: 'ls' } }, 0],
    ['the same as words', { command: 'git log' }, { rawInput: { command: ['git', 'log'] } }, 0],
    ['another file', { path: 'a.ts' }, { rawInput: { path: '/etc/passwd' } }, 1],
    ['a file beside it', { path: 'a.ts' }, { locations: [{ path: '/project/b.ts' }] }, 1],
    ['a change of another', { path: 'a.ts' }, { content: [{ type: 'diff', path: 'b.ts', newText: 'x' }] }, 1],
    ['another kind', { path: 'a.ts' }, { kind: 'delete' }, 1],
    [
      'another kind of another file',
      { path: 'a.ts' },
      { kind: 'delete', rawInput: { path: '/etc/passwd' } },
      1,
    ],
    ['that it goes', { path: 'a.ts' }, { rawInput: { path: 'a.ts', type: 'delete' } }, 1],
    ['the same file, whole', { path: 'a.ts' }, { locations: [{ path: '/project/a.ts' }] }, 0],
    ['a kind that changes nothing', { path: 'a.ts' }, { kind: 'other' }, 0],
  ])('is another than was allowed: %s, once, also when it is over', async (_what, rawInput, said, times) => {
    const kind = 'path' in rawInput ? 'edit' : 'execute';
    const over = { sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed' };
    for (const before of [[], [over]]) {
      const talk = acpTalk();
      await talk.begin();
      talk.ask('p', { toolCallId: 'c', kind, title: 'Do it', rawInput });
      (await talk.until(() => talk.asked[0])).decide({ is: 'allowed' });
      await talk.outcomeOf('p');
      for (const each of [...before, { ...over, ...said }, { ...over, ...said }]) talk.update(each);
      expect(talk.unasked).toHaveLength(times);
    }
  });

  it('is judged a few at a time, and not more of it than can wait', async () => {
    const { promise: judged, resolve } = Promise.withResolvers<void>();
    const talk = acpTalk({}, { judged });
    await talk.begin();
    for (let nth = 0; nth < 1_010; nth += 1) update(talk, `c${nth}`, 'completed');
    expect(talk.unasked).toHaveLength(4);
    const said = talk.signals.filter((each) => each.is === 'text');
    expect(said).toEqual([expect.objectContaining({ text: expect.stringContaining('too much at once') })]);
    resolve();
    await talk.talk.settled();
    expect(talk.unasked.map(({ id }) => id)).toEqual(Array.from({ length: 1_004 }, (_, nth) => `c${nth}`));
  });

  it('may have failed, unless it never was under way, or its turn was broken off', async () => {
    const talk = acpTalk();
    await talk.begin();
    update(talk, 'refused', 'pending', 'failed');
    update(talk, 'tried', 'in_progress', 'failed');
    talk.update({
      sessionUpdate: 'tool_call_update',
      ...run('ran'),
      status: 'failed',
      rawOutput: 'Exit code 3',
    });
    update(talk, 'broken-off', 'in_progress');
    await talk.talk.cancel();
    update(talk, 'broken-off', 'failed');
    expect(talk.unasked).toMatchObject([
      { kind: 'execute', id: 'tried', hasFailed: true },
      { kind: 'execute', id: 'ran', hasFailed: false },
    ]);
  });

  it('is none of Clifford’s own tools', async () => {
    const namesOwnTool = ({ toolCallId }: { toolCallId: string }) => toolCallId === 'own';
    const talk = acpTalk({ speech: { takesMcp: true, namesOwnTool } });
    await talk.begin();
    update(talk, 'own', 'in_progress', 'completed');
    update(talk, 'other', 'completed');
    expect(talk.unasked.map(({ id }) => id)).toEqual(['other']);
  });
});
