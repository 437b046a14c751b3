import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ADHOC_STREAM } from '../../src/events/adhoc-stream.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { answerRequest, dismissRequest } from '../../src/workflow/requests/answer.ts';
import { requestById } from '../../src/workflow/requests/find-request.ts';
import { startTask } from '../../src/workflow/task/start-task.ts';
import { clifford, cliFile, followClifford, preload, startClifford } from '../helpers/clifford-process.ts';
import { openTestProject, projectWithSprint, tempRoot } from '../helpers/temp-project.ts';
import { eventsOf, untilAsked, untilLogged } from '../mcp/support/project-log.ts';

const human = { by: 'ada', via: 'tui' };
const question = ['--question', 'Which port?'];

/** Starts task a of the sprint demo, as a runner would. */
async function startRun(project: Project, runId: string): Promise<void> {
  await project.dispatch('demo', (state) => {
    const sprint = state.streams.get('demo');
    const task = sprint?.tasks.get('a');
    return sprint && task ? startTask(sprint, task, { by: 'runner', runId }) : [];
  });
}

function refuse(project: Project, id: string, how: { rejected: true } | { rephrase: true }) {
  return answerRequest(project, id, { response: 'no idea', ...how, ...human });
}

async function typesOf(project: Project): Promise<string[]> {
  return (await eventsOf(project)).map(({ type }) => type).filter((type) => type.startsWith('help.'));
}

describe('clifford ask', () => {
  it('prints the answer and nothing else, and records that it was delivered', async () => {
    const { root, project } = await projectWithSprint();
    const args = ['--sprint', 'demo', '--task', 'a', '--reason', 'Two are free', '--context', 'config.ts'];
    const asked = clifford(['ask', ...question, ...args], { cwd: root });
    const request = await untilAsked(project);
    expect(request).toMatchObject({
      stream: 'demo',
      taskId: 'a',
      asked: {
        kind: 'help',
        question: 'Which port?',
        reason: 'Two are free',
        context: 'config.ts',
        origin: { client: 'clifford ask' },
      },
    });
    const { out } = await clifford(['questions'], { cwd: root });
    expect(out).toMatch(/^q-\S+ demo\/a: a shell asked /);
    await answerRequest(project, request.id, { response: 'Port 8080', ...human });
    expect(await asked).toEqual({ code: 0, signal: null, out: 'Port 8080\n', err: '' });
    expect(await typesOf(project)).toEqual(['help.requested', 'help.answered', 'help.delivered']);
    expect(requestById(await project.refresh(), request.id)?.phase).toBe('delivered');
  });

  it('says beside the answer when it is the word of an agent', async () => {
    const { root, project } = await projectWithSprint();
    const asked = clifford(['ask', ...question], { cwd: root });
    const { id } = await untilAsked(project);
    await answerRequest(project, id, { response: 'Port 8080', by: 'agent:run-7', via: 'cli' });
    expect(await asked).toEqual({
      code: 0,
      signal: null,
      out: 'Port 8080\n',
      err: 'note: this is the word of an agent (run-7), no human\n',
    });
  });

  it.each([
    ['as the argument', ['Which port?'], ''],
    ['as the argument behind options', ['--reason', 'Two are free', '--', 'Which port?'], ''],
    ['on stdin, as the argument says', ['-'], 'Which port?\n'],
  ])('takes the question %s', async (_, args, input) => {
    const { root, project } = await projectWithSprint();
    const asked = clifford(['ask', ...args], { cwd: root, input });
    const { id, asked: what } = await untilAsked(project);
    expect(what.question).toBe('Which port?');
    await answerRequest(project, id, { response: '80', ...human });
    expect(await asked).toMatchObject({ code: 0, out: '80\n' });
  });

  it('offers options, and tells programs which was chosen', async () => {
    const { root, project } = await projectWithSprint();
    const args = ['--option', 'Postgres', '--option', 'SQLite', '--json'];
    const asked = clifford(['ask', '--question', 'Which database?', ...args], { cwd: root });
    const { id, asked: what } = await untilAsked(project);
    expect(what).toMatchObject({ kind: 'clarification', options: ['Postgres', 'SQLite'] });
    await answerRequest(project, id, { response: 'SQLite', option: 1, ...human });
    const { code, out } = await asked;
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      requestId: id,
      status: 'answered',
      answer: 'SQLite',
      option: 1,
      ...human,
    });
  });

  it('says beside an answer that an earlier attempt has asked for it', async () => {
    const { root, dir, project } = await projectWithSprint();
    await startRun(project, 'run-1');
    const place = { cwd: root, env: { CLIFFORD_RUN_ID: 'run-1', CURRENT_SPRINT_DIR: dir } };
    const asked = clifford(['ask', ...question], place);
    const { id } = await untilAsked(project);
    await answerRequest(project, id, { response: '80', ...human });
    expect(await asked).toMatchObject({ out: '80\n', err: '' });
    const exit = { runId: 'run-1', code: 1, signal: null, reason: 'finished' as const, durationMs: 1 };
    await project.record('demo', [{ type: 'agent.exited', subject: 'demo/a', data: exit }]);
    await startRun(project, 'run-2');
    const env = { CLIFFORD_RUN_ID: 'run-2', CURRENT_SPRINT_DIR: dir };
    expect(await clifford(['ask', ...question], { cwd: root, env })).toMatchObject({
      out: '80\n',
      err: expect.stringMatching(
        /^note: another attempt has asked this before: ada answered it on the screen at \S+: 80\n$/,
      ),
    });
  });

  it.each([
    ['rejected', (project: Project, id: string) => refuse(project, id, { rejected: true })],
    ['sent back', (project: Project, id: string) => refuse(project, id, { rephrase: true })],
    ['dismissed', (project: Project, id: string) => dismissRequest(project, id, human)],
  ])('asks what was %s anew once a human has the task retried', async (_what, turnDown) => {
    const { root, dir, project } = await projectWithSprint();
    const asks = (runId: string, ...more: string[]) =>
      clifford(['ask', ...question, ...more], {
        cwd: root,
        env: { CLIFFORD_RUN_ID: runId, CURRENT_SPRINT_DIR: dir },
      });
    await startRun(project, 'run-1');
    const asked = asks('run-1');
    const { id } = await untilAsked(project);
    await turnDown(project, id);
    expect(await asked).toMatchObject({ code: 1, out: '' });
    const fails = async (runId: string) => {
      const exit = { runId, code: 1, signal: null, reason: 'finished' as const, durationMs: 1 };
      await project.record('demo', [{ type: 'agent.exited', subject: 'demo/a', data: exit }]);
    };
    await fails('run-1');
    await startRun(project, 'run-2');
    // Nobody has said since that it is to go another way.
    expect(await asks('run-2')).toMatchObject({ code: 1 });
    await fails('run-2');
    await project.dispatch('demo', () => [
      { type: 'task.failed', subject: 'demo/a', data: { reason: 'exit code 1' } },
    ]);
    await project.dispatch('demo', () => [
      { type: 'task.reset', subject: 'demo/a', data: { by: 'ada', reason: 'another go' } },
    ]);
    await startRun(project, 'run-3');
    expect(await asks('run-3', '--wait', '0')).toMatchObject({ code: 3 });
    const { streams } = await project.refresh();
    const requests = [...(streams.get('demo')?.requests.values() ?? [])];
    expect(requests.map(({ phase, asked: { follows } }) => [phase === 'open', follows])).toEqual([
      [false, undefined],
      [true, id],
    ]);
  });

  it('reads the question from stdin', async () => {
    const { root, project } = await projectWithSprint();
    const asked = clifford(['ask', '--question', '-'], { cwd: root, input: 'Which port?\nAnd host?\n' });
    const { id, asked: what } = await untilAsked(project);
    expect(what.question).toBe('Which port?\nAnd host?');
    await answerRequest(project, id, { response: 'any', ...human });
    expect(await asked).toMatchObject({ code: 0, out: 'any\n' });
  });

  it.each([
    ['dismissed', /^The human dismissed this question \(q-.*Reason: Decide yourself\./],
    ['rejected', /^The human rejected this question \(q-[^)]*\): Decide yourself\n/],
    ['rephrase', /: Decide yourself\nNothing is decided\. Call clifford ask again with what was unclear/],
  ])('ends with 1 when it is %s, and says why', async (status, text) => {
    const { root, project } = await projectWithSprint();
    const end = async (json: readonly string[]) => {
      const asked = clifford(['ask', ...question, ...json], { cwd: root });
      const { id } = await untilAsked(project);
      if (status === 'dismissed') await dismissRequest(project, id, { reason: 'Decide yourself', ...human });
      else {
        const how = status === 'rejected' ? ({ rejected: true } as const) : ({ rephrase: true } as const);
        await answerRequest(project, id, { response: 'Decide yourself', ...how, ...human });
      }
      return { id, ...(await asked) };
    };
    const told = await end([]);
    // What takes stdout for the answer gets none.
    expect(told).toMatchObject({ code: 1, out: '' });
    expect(told.err).toMatch(text);
    const { code, out, id } = await end(['--json']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({ requestId: id, status, reason: 'Decide yourself', ...human });
  });

  it('belongs to the attempt that asks, its sprint and its task', async () => {
    const { root, dir, project } = await projectWithSprint();
    await startRun(project, 'run-1');
    const env = { CLIFFORD_RUN_ID: 'run-1', CURRENT_SPRINT_DIR: dir };
    const asked = clifford(['ask', ...question], { cwd: root, env });
    const request = await untilAsked(project);
    expect(request).toMatchObject({ stream: 'demo', taskId: 'a', asked: { origin: { runId: 'run-1' } } });
    await answerRequest(project, request.id, { response: '80', ...human });
    expect(await asked).toMatchObject({ code: 0, out: '80\n' });
    expect(requestById(await project.refresh(), request.id)?.deliveredTo).toEqual(['run-1']);
  });

  it('says nothing with what is blank', async () => {
    const { root, project } = await projectWithSprint();
    const blank = ['--task', '', '--reason', ' ', '--context', '', '--sprint', ''];
    await clifford(['ask', ...question, ...blank, '--wait', '0'], { cwd: root });
    const { asked: what } = await untilAsked(project);
    expect(what).toEqual({
      kind: 'help',
      question: 'Which port?',
      origin: { agent: expect.stringMatching(/^cli-/), client: 'clifford ask' },
    });
  });

  it('takes an answer that comes in the same instant as Ctrl-C', async () => {
    const { root, project } = await projectWithSprint();
    const nodeArgs = preload(
      "import { readFileSync } from 'node:fs'; const log = '.clifford/events.jsonl';" +
        "process.on('SIGINT', () => { while (!readFileSync(log, 'utf8').includes('help.answered')); });",
    );
    const asked = startClifford(['ask', ...question], { cwd: root, nodeArgs });
    const { id } = await untilAsked(project);
    asked.kill('SIGINT');
    await answerRequest(project, id, { response: '80', ...human });
    expect(await asked.ended).toMatchObject({ code: 0, out: '80\n', err: '' });
    expect(await typesOf(project)).toEqual(['help.requested', 'help.answered', 'help.delivered']);
  });

  it('is refused with 1 when the attempt has ended', async () => {
    const { root, project } = await projectWithSprint();
    await startRun(project, 'run-2');
    const env = { CLIFFORD_RUN_ID: 'run-1' };
    const { code, out, err } = await clifford(['ask', ...question], { cwd: root, env });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^clifford: Cannot act for run run-1: .*\n {2}Stop working and exit/);
    expect(await typesOf(project)).toEqual([]);
  });

  it('goes to no sprint when there is none', async () => {
    const root = await tempRoot();
    const project = await openTestProject(root);
    const asked = clifford(['ask', ...question], { cwd: root });
    const { id, stream } = await untilAsked(project);
    expect(stream).toBe(ADHOC_STREAM);
    await answerRequest(project, id, { response: '80', ...human });
    expect(await asked).toMatchObject({ code: 0 });
  });
});

describe('a question that nobody could answer is not asked:', () => {
  it('about a task that is not there', async () => {
    const { root } = await projectWithSprint();
    const { code, out, err } = await clifford(['ask', 'x', '--task', 'nope', '--sprint', 'demo'], {
      cwd: root,
    });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe('clifford: Cannot find task nope in sprint demo\n  Its tasks are a, b\n');
    expect((await clifford(['questions'], { cwd: root })).out).not.toContain('nope');
  });

  it('in a sprint that is over', async () => {
    const { root } = await projectWithSprint();
    await clifford(['cancel', '--sprint', 'demo'], { cwd: root });
    const { code, out, err } = await clifford(['ask', 'x', '--sprint', 'demo'], { cwd: root });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe(
      'clifford: Cannot ask in sprint demo: it was cancelled\n' +
        '  Name another sprint, or leave --sprint out: a question need not belong to one\n',
    );
    expect(await clifford(['ask', 'x', '--wait', '0'], { cwd: root })).toMatchObject({ code: 3 });
  });
});

describe('a question asked from a shell stays', () => {
  it('when the time to wait is over: it ends with 3, and can be waited for again', async () => {
    const { root, project } = await projectWithSprint();
    const first = await clifford(['ask', ...question, '--wait', '0.2'], { cwd: root });
    const { id } = await untilAsked(project);
    expect(first).toEqual({
      code: 3,
      signal: null,
      out: '',
      err:
        `clifford: no answer to ${id} yet: its time limit of 200 ms is over\n` +
        `  The question stays open. Go on waiting with: clifford ask --request ${id}\n`,
    });
    expect(requestById(await project.refresh(), id)?.waiting.size).toBe(0);

    const json = await clifford(['ask', '--request', id, '--wait', '0', '--json'], { cwd: root });
    expect(json.code).toBe(3);
    expect(JSON.parse(json.out)).toEqual({ requestId: id, status: 'waiting' });

    const again = followClifford(['ask', '--request', id], { cwd: root });
    await project.until(() => (requestById(project.state, id)?.waiting.size ?? 0) > 0 || undefined);
    await answerRequest(project, id, { response: '80', ...human });
    expect(await again.ended).toMatchObject({ code: 0, out: '80\n' });
    const types = await typesOf(project);
    expect(types.filter((type) => type === 'help.requested')).toHaveLength(1);
    expect(types.slice(0, 3)).toEqual(['help.requested', 'help.detached', 'help.attached']);
  });

  it('at Ctrl-C, with 130, and the same words join it', async () => {
    const { root, project } = await projectWithSprint();
    const first = startClifford(['ask', ...question], { cwd: root });
    const { id } = await untilAsked(project);
    first.kill('SIGINT');
    const { code, err } = await first.ended;
    expect(code).toBe(130);
    expect(err).toContain(`clifford ask --request ${id}`);
    const [detached] = await eventsOf(project, 'help.detached');
    expect(detached?.data).toMatchObject({ requestId: id, why: 'the command was ended by SIGINT' });

    const second = followClifford(['ask', '--question', ' which   PORT?'], { cwd: root });
    await untilLogged(project, 'help.attached');
    await answerRequest(project, id, { response: '80', ...human });
    expect(await second.ended).toMatchObject({ code: 0, out: '80\n' });
    expect(await eventsOf(project, 'help.requested')).toHaveLength(1);
  });

  it('and its answer, for one who comes after it was given', async () => {
    const { root, project } = await projectWithSprint();
    await clifford(['ask', ...question, '--wait', '0'], { cwd: root });
    const { id } = await untilAsked(project);
    await answerRequest(project, id, { response: '80', ...human });
    expect(await clifford(['ask', ...question], { cwd: root })).toMatchObject({ code: 0, out: '80\n' });
    // Whoever has the answer and says the same again wants to know anew.
    await clifford(['ask', ...question, '--wait', '0'], { cwd: root });
    expect(await untilAsked(project)).toMatchObject({ asked: { follows: id } });
  });

  it('when the reader of the answer has gone', async () => {
    const { root, project } = await projectWithSprint();
    const asked = startClifford(['ask', ...question], { cwd: root });
    const { id } = await untilAsked(project);
    asked.closeOutput();
    expect(await asked.ended).toMatchObject({ code: 130 });
    const [detached] = await eventsOf(project, 'help.detached');
    expect(detached?.data).toMatchObject({
      requestId: id,
      why: 'the process that asked has closed its end',
    });
    expect(requestById(await project.refresh(), id)?.phase).toBe('open');
  });

  it('when the process that asked is killed, and nobody waits any more', async () => {
    const { root, project } = await projectWithSprint();
    const out = openSync(join(root, 'out'), 'w');
    const shell = spawn('sh', ['-c', '"$0" "$@" & wait', process.execPath, cliFile, 'ask', ...question], {
      cwd: root,
      stdio: ['ignore', out, out],
    });
    closeSync(out);
    onTestFinished(() => void shell.kill('SIGKILL'));
    const { id } = await untilAsked(project);
    shell.kill('SIGKILL');
    const [detached] = await untilLogged(project, 'help.detached');
    expect(detached?.data).toMatchObject({ requestId: id, why: 'the process that asked has ended' });
  });
});

describe('clifford ask ends with 2', () => {
  it.each([
    ['no question', [], /Cannot ask: there is no question/],
    ['a blank one', ['--question', '  '], /Cannot ask: there is no question/],
    [
      'a question and a request',
      [...question, '--request', 'q-1'],
      /--request <id>' cannot be used with option '--question/,
    ],
    ['two questions', ['Why?', ...question], /Cannot ask two questions at once/],
    ['an argument and a request', ['Why?', '--request', 'q-1'], /Cannot ask, and wait for q-1/],
    ['an unknown request', ['--request', 'q-none'], /no question has that id/],
    ['a wait that is no number', [...question, '--wait', 'soon'], /not a number of seconds/],
    ['an unknown sprint', [...question, '--sprint', 'other'], /Cannot find sprint other/],
    [
      'a question that is too long',
      ['--question', 'x'.repeat(70_000)],
      /Cannot accept a text of more than 65536 characters/,
    ],
    [
      'a reason that is too long',
      [...question, '--reason', 'x'.repeat(70_000)],
      /Cannot accept a text of more than 65536 characters/,
    ],
    [
      'a task that cannot be',
      [...question, '--task', 'x'.repeat(600)],
      /Cannot ask about task x+…: no task has 600 characters/,
    ],
    ['a single option', [...question, '--option', 'a'], /Cannot offer 1 option: there have to be 2 to 20/],
    [
      'too many options',
      [...question, ...Array.from({ length: 21 }, (_, at) => ['--option', `o${at}`]).flat()],
      /Cannot offer 21 options: there have to be 2 to 20/,
    ],
    [
      'an option twice',
      [...question, '--option', 'a', '--option', ' a'],
      /Cannot offer the same option twice/,
    ],
    ['an empty option', [...question, '--option', 'a', '--option', ''], /Cannot offer option 2: it is empty/],
    [
      'an option that is too long',
      [...question, '--option', 'a', '--option', 'x'.repeat(1_001)],
      /Cannot offer option 2: it may have at most 1000 characters \(it has 1001\)/,
    ],
  ])('for %s', async (_what, args, message) => {
    const { root, project } = await projectWithSprint();
    const { code, out, err } = await clifford(['ask', ...args], { cwd: root });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
    expect(await typesOf(project)).toEqual([]);
  });

  it('outside a project', async () => {
    const { code, err } = await clifford(['ask', ...question], { cwd: '/' });
    expect(code).toBe(2);
    expect(err).toMatch(/Cannot find a project/);
  });
});
