import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createCli } from '../../src/cli/cli.ts';
import { closeAndTell } from '../../src/cli/requests/close-and-tell.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { ask, type Question } from '../../src/workflow/requests/ask.ts';
import { recordDelivery, recordDetached } from '../../src/workflow/requests/deliver.ts';
import { findRequest, requestById } from '../../src/workflow/requests/find-request.ts';
import { clifford } from '../helpers/clifford-process.ts';
import { openTestProject, projectWithSprint, tempRoot } from '../helpers/temp-project.ts';

async function question(project: Project, text = 'Which port?'): Promise<string> {
  const agent = { id: 'agent-1' };
  return (await ask(project, { stream: 'demo', agent, kind: 'help', task: 'a', question: text })).id;
}

/** A command's process in `root`, of which nothing is seen but what it prints. */
function placeIn(root: string) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const place = { stdin, stdout, stderr, env: { USER: 'ada' }, cwd: () => root };
  const { cli } = createCli(place as unknown as Parameters<typeof createCli>[0]);
  return { cli, out: () => String(stdout.read() ?? '') };
}

async function choice(project: Project, options = ['Postgres', 'SQLite']): Promise<string> {
  const what = { kind: 'clarification', question: 'Which database?', options } as const;
  return (await ask(project, { stream: 'demo', agent: { id: 'agent-1' }, ...what })).id;
}

describe('clifford answer', () => {
  it('answers the only open question, in the name of the user', async () => {
    const { root, project } = await projectWithSprint();
    const id = await question(project);
    expect(await clifford(['answer', 'last', 'Port 8080'], { cwd: root })).toEqual({
      code: 0,
      signal: null,
      out: `answered ${id} (Which port?): Port 8080\n`,
      err: '',
    });
    expect(requestById(await project.refresh(), id)?.answer).toMatchObject({
      response: 'Port 8080',
      by: 'ada',
      via: 'cli',
    });
  });

  it('says nothing of an agent that waits no more when that took the answer meanwhile', async () => {
    const { root, project } = await projectWithSprint();
    const id = await question(project);
    const { cli, out } = placeIn(root);
    const own = await openTestProject(root);
    const request = findRequest(own.state, 'last');
    await closeAndTell(cli, own, request, {
      verb: 'answer',
      done: 'answered',
      json: true,
      close: async () => {
        const outcome = await answerRequest(own, id, { response: '8080', by: 'ada', via: 'cli' });
        const taken = requestById(await project.refresh(), id);
        if (taken) await recordDelivery(project, [taken], 'agent-1');
        await own.refresh();
        return outcome;
      },
      say: () => undefined,
    });
    expect(JSON.parse(out())).toMatchObject({ done: 'answered', isAwaited: true });
  });

  it('is nothing where a program takes Enter alone, and only there', async () => {
    const { root, project } = await projectWithSprint();
    const at = { stream: 'demo', task: 'a', agent: { id: 'run-1' }, kind: 'prompt' } as const;
    const empty = async (asked: Partial<Question> & { readonly question: string }, text = '') => {
      const { id } = await ask(project, { ...at, ...asked });
      const { code, out, err } = await clifford(['answer', id, text], { cwd: root });
      const answer = requestById(await project.refresh(), id)?.answer?.response;
      return { code, answer, said: (out + err).replaceAll(id, 'q') };
    };
    expect(await empty({ question: 'Passphrase (empty for none):' })).toEqual({
      code: 0,
      answer: '',
      said: expect.stringMatching(
        /^answered q \(Passphrase \(empty for none\):\): Enter alone\n(?!.*secret)/,
      ),
    });
    const refused = { code: 2, answer: undefined, said: expect.stringContaining('the answer is empty') };
    expect(await empty({ question: 'Name:' }, ' ')).toEqual(refused);
    expect(await empty({ question: 'Password:' })).toEqual(refused);
    expect(await empty({ question: 'Name:', untypable: true })).toEqual(refused);
    expect(await empty({ question: 'Which port?', kind: 'help' })).toEqual(refused);
  });

  it('is not what stands for it in printed commands', async () => {
    const { root, project } = await projectWithSprint();
    const id = await question(project);
    for (const words of ['…', '"…"', '...', '--reject=…'])
      expect(await clifford(['answer', id, words], { cwd: root }), words).toMatchObject({
        code: 2,
        err: expect.stringContaining('it stands for what you want to say'),
      });
    expect(await clifford(['answer', id, 'yes…'], { cwd: root })).toMatchObject({ code: 0 });
  });

  it('takes a unique beginning of the id', async () => {
    const { root, project } = await projectWithSprint();
    const id = await question(project);
    expect(await clifford(['answer', id.slice(0, -4), 'yes'], { cwd: root })).toMatchObject({ code: 0 });
  });

  it('is told who won when it comes second, with 1', async () => {
    const { root, project } = await projectWithSprint();
    const id = await question(project);
    await answerRequest(project, id, { response: 'Port 80', by: 'grace', via: 'tui' });
    const { code, out, err } = await clifford(['answer', id, 'Port 8080'], { cwd: root });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(
      new RegExp(
        `^clifford: Cannot answer ${id}: grace answered it on the screen at (?:[\\d-]{10} )?\\d\\d:\\d\\d: Port 80\\n {2}See what is open`,
      ),
    );
  });

  it('lets exactly one of two win', async () => {
    const { root, project } = await projectWithSprint();
    const id = await question(project);
    const answers = await Promise.all(
      ['one', 'two'].map((text) => clifford(['answer', id, text], { cwd: root })),
    );
    const response = requestById(await project.refresh(), id)?.answer?.response ?? '';
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([0, 1]));
    expect(answers.find(({ code }) => code === 0)?.out).toContain(`: ${response}\n`);
    expect(answers.find(({ code }) => code === 1)?.err).toMatch(
      new RegExp(`ada answered it .*: ${response}\\n`),
    );
  });

  it('takes no letter or two for an id: the only open question is not answered by a slip of the pen', async () => {
    const { root, project } = await projectWithSprint();
    const id = await question(project);
    expect(await clifford(['answer', 'q', 'x'], { cwd: root })).toMatchObject({ code: 2 });
    expect(requestById(await project.refresh(), id)?.phase).toBe('open');
    expect(await clifford(['answer', id.slice(0, 8), 'x'], { cwd: root })).toMatchObject({ code: 0 });
  });

  it('lists the open questions when last could be several, with 1', async () => {
    const { root, project } = await projectWithSprint();
    const ids = [await question(project), await question(project, 'Which host?')];
    const { code, err } = await clifford(['answer', 'last', 'x'], { cwd: root });
    expect(code).toBe(1);
    expect(err).toContain(`it could be ${ids[0]} (Which port?), ${ids[1]} (Which host?)\n`);
    expect(err).toContain('Name one by its id');
  });

  it.each([
    ['last', 'no question and no tool call waits for an answer', 1],
    ['q-none', 'no question has that id', 2],
    ['q-0', 'a beginning of its id has 6 characters or more', 2],
  ])('says that there is nothing to answer for %s: %s, with %i', async (name, reason, expected) => {
    const { code, err } = await clifford(['answer', name, 'x'], { cwd: await tempRoot() });
    expect(code).toBe(expected);
    expect(err).toContain(reason);
  });

  it('reads the answer from stdin', async () => {
    const { root, project } = await projectWithSprint();
    const id = await question(project);
    const ended = await clifford(['answer', 'last', '-'], { cwd: root, input: 'Port 8080,\nas before\n' });
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(requestById(await project.refresh(), id)?.answer?.response).toBe('Port 8080,\nas before');
  });

  it.each([
    ['its number', ['--option', '2']],
    ['its text', ['--option', 'SQLite']],
    ['its text in another case', ['--option', 'sqlite']],
    ['its letter', ['--option', 'B']],
    ['an answer in its words', ['SQLite']],
    ['an answer in its words in another case', ['sqlite']],
    ['an answer that is its number, as on the screen', ['2']],
  ])('picks an option by %s', async (_how, args) => {
    const { root, project } = await projectWithSprint();
    const id = await choice(project);
    const { code, out } = await clifford(['answer', 'last', ...args], { cwd: root });
    expect({ code, out }).toEqual({ code: 0, out: `answered ${id} (Which database?): SQLite\n` });
    expect(requestById(await project.refresh(), id)?.answer).toMatchObject({ response: 'SQLite', option: 1 });
  });

  it.each([['--option', '3'], ['3']])(
    'picks an option by words that are the number of another: %s',
    async (...args) => {
      const { root, project } = await projectWithSprint();
      const id = await choice(project, ['5', '3', '1']);
      await clifford(['answer', 'last', ...args], { cwd: root });
      expect(requestById(await project.refresh(), id)?.answer).toMatchObject({ response: '3', option: 1 });
    },
  );

  it('takes an answer in other words as it is', async () => {
    const { root, project } = await projectWithSprint();
    const id = await choice(project);
    await clifford(['answer', 'last', 'Neither'], { cwd: root });
    const { answer } = requestById(await project.refresh(), id) ?? {};
    expect([answer?.response, answer?.option]).toEqual(['Neither', undefined]);
  });

  it.each([
    [['9'], 'note: there is no option 9: it stands as words\n'],
    [['9 of them'], ''],
    [['--reject', '9'], ''],
    [['--rephrase', '9'], ''],
  ])('says of %s alone that it is no option, where it is one', async (words, note) => {
    const { root, project } = await projectWithSprint();
    const id = await choice(project);
    expect((await clifford(['answer', id, ...words], { cwd: root })).err).toBe(note);
    expect(requestById(await project.refresh(), id)?.answer?.response).toBe(words.at(-1));
  });

  it.each(['0', '3', 'MySQL'])('lists the options for --option %s, which is none, with 2', async (named) => {
    const { root, project } = await projectWithSprint();
    const id = await choice(project);
    const { code, err } = await clifford(['answer', id, '--option', named], { cwd: root });
    expect(code).toBe(2);
    expect(err).toContain(`with option ${named}: it offers 1 (Postgres), 2 (SQLite)\n`);
    expect(requestById(await project.refresh(), id)?.phase).toBe('open');
  });

  it('turns a question down, and says why', async () => {
    const { root, project } = await projectWithSprint();
    const id = await question(project);
    const { code, out } = await clifford(['answer', 'last', '--reject', 'Out of scope'], { cwd: root });
    expect({ code, out }).toEqual({ code: 0, out: `rejected ${id} (Which port?): Out of scope\n` });
    expect(requestById(await project.refresh(), id)?.answer).toMatchObject({
      response: 'Out of scope',
      rejected: true,
    });
    const late = await clifford(['answer', id, 'Port 80'], { cwd: root });
    expect(late).toMatchObject({ code: 1 });
    expect(late.err).toMatch(/ada rejected it in the shell at \S+: Out of scope\n/);
  });

  it.each([
    ['nothing', []],
    ['a text and an option', ['x', '--option', '1']],
    ['a text and a reason', ['x', '--reject', 'no']],
    ['an option and a reason', ['--option', '1', '--reject', 'no']],
    ['an empty text', ['']],
    ['an empty reason', ['--reject', ' ']],
    ['an option in place of the reason', ['--reject', '--json']],
  ])('refuses %s, with 2', async (_what, args) => {
    const { root, project } = await projectWithSprint();
    const id = await choice(project);
    expect(await clifford(['answer', id, ...args], { cwd: root })).toMatchObject({ code: 2, out: '' });
    expect(requestById(await project.refresh(), id)?.phase).toBe('open');
  });

  it.each([
    ['text', [' '], 'the answer is empty'],
    ['text of controls', [' \u0001'], 'the answer is empty'],
    ['reason', ['--reject', ''], 'the reason is empty'],
  ])('names what is empty: the %s', async (_what, args, message) => {
    const { err } = await clifford(['answer', 'q-1', ...args], { cwd: await tempRoot() });
    expect(err).toContain(`Cannot answer q-1: ${message}\n`);
  });

  it.each([['answer'], ['dismiss']])(
    'takes no id for none, not for the only question: %s',
    async (command) => {
      const { root, project } = await projectWithSprint();
      const id = await question(project);
      const args = [command, '', ...(command === 'answer' ? ['yes'] : [])];
      const { code, err } = await clifford(args, { cwd: root });
      expect(code).toBe(2);
      expect(err).toMatch(/^clifford: Cannot find request "": no question has that id\n/);
      expect(requestById(await project.refresh(), id)?.phase).toBe('open');
    },
  );

  it('says when no agent waits for the answer', async () => {
    const { root, project } = await projectWithSprint();
    const id = await question(project);
    const request = requestById(project.state, id);
    if (request) await recordDetached(project, request, { agentId: 'agent-1', why: 'cancelled' });
    const { out } = await clifford(['answer', 'last', 'Port 8080'], { cwd: root });
    expect(out).toMatch(/Port 8080\nno agent waits for it now: the next attempt is told/);
  });

  it.each<[what: string, asked: Pick<Question, 'question'> & Partial<Question>, hint: string]>([
    [
      'its program alone',
      { question: 'Name:' },
      'its program has not taken it yet: if it is gone, the next attempt hears that it was answered, and asks again\n',
    ],
    [
      'whoever comes next',
      { question: 'Name:', untypable: true },
      'no agent waits for it now: the next attempt is told\n',
    ],
    [
      'whoever comes next and has the tools',
      { question: 'Password:', untypable: true },
      'no agent waits for it now: the next attempt is told, if it has the tools of Clifford: a secret stands in no command line\n',
    ],
  ])('says of a prompt that nobody waits at whom its answer is for: %s', async (_what, asked, hint) => {
    const { root, project } = await projectWithSprint();
    const agent = { id: 'agent-1' };
    const request = await ask(project, { stream: 'demo', agent, kind: 'prompt', task: 'a', ...asked });
    await recordDetached(project, request, { agentId: agent.id, why: 'its stdin is closed' });
    const { out } = await clifford(['answer', 'last', 'sonnen_blume9'], { cwd: root });
    expect(out.slice(out.indexOf('\n') + 1)).toBe(hint);
  });

  it('warns of what looks like a secret, and sends it', async () => {
    const { root, project } = await projectWithSprint();
    const id = await question(project);
    const token = `ghp_${'a1'.repeat(18)}`;
    const { code, err } = await clifford(['answer', id, token], { cwd: root });
    expect({ code, err }).toEqual({
      code: 0,
      err: 'note: this looks like a secret; answers are kept in the log as they are\n',
    });
    expect(requestById(await project.refresh(), id)?.answer?.response).toBe(token);
  });

  it('shows what an agent hides in its question', async () => {
    const { root, project } = await projectWithSprint();
    await question(project, 'Delete \u001B[8m everything \u202Enow?');
    const { out } = await clifford(['status'], { cwd: root });
    expect(out).toContain(String.raw`Delete \u001b[8m everything \u202enow?`);
  });
});

describe('clifford dismiss', () => {
  it('ends a question without an answer', async () => {
    const { root, project } = await projectWithSprint();
    const id = await question(project);
    expect(await clifford(['dismiss', 'last', '--reason', 'Decide yourself'], { cwd: root })).toMatchObject({
      code: 0,
      out: `dismissed ${id} (Which port?)\n`,
    });
    const second = await clifford(['dismiss', id], { cwd: root });
    expect(second).toMatchObject({ code: 1, out: '' });
    expect(second.err).toContain(`Cannot dismiss ${id}: ada dismissed it in the shell (Decide yourself)`);
  });

  it('refuses an id that no question has, with 2', async () => {
    const { code, err } = await clifford(['dismiss', 'q-none'], { cwd: await tempRoot() });
    expect(code).toBe(2);
    expect(err).toContain('no question has that id');
  });
});
