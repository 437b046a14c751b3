import console from 'node:console';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { logBusy, logPoisoned } from '../../../src/events/jsonl/log-errors.ts';
import type { RequestState } from '../../../src/machines/project-state.ts';
import { openProject } from '../../../src/workflow/project/project.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { approve, askApproval } from '../../../src/workflow/requests/approval.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { recordAttached, recordDetached } from '../../../src/workflow/requests/deliver.ts';
import { startTask } from '../../../src/workflow/task/start-task.ts';
import { approval } from '../../helpers/approval.ts';
import { fixtureProgram } from '../../helpers/fixture-program.ts';
import { on } from '../../helpers/history.ts';
import { showTestSprint } from '../../helpers/show-test-sprint.ts';
import { recordDelivery } from '../../../src/workflow/requests/deliver.ts';
import { openPty, openScreen } from '../../helpers/pty-screen.ts';
import { askAbout, commandOf } from '../../gateway/backtest/recorded-calls.ts';
import type { LeftBecause, RunOver } from '../../../src/tui/screen/show-sprint-options.ts';
import { lookIn, type ScreenLook } from '../../../src/tui/terminal/screen-look.ts';
import { retryTasks, skipTask } from '../../../src/workflow/sprint/control.ts';
import type { OwnScreen, PtyScreen } from '../../helpers/pty-screen.ts';

const stream = 'sprint-13';
const subject = `${stream}/parser`;
const ready = 'Enter answer';
const escape = '\u001B';
const ctrlC = '\u0003';
const ctrlR = '\u0012';
const ctrlX = '\u0018';
const paste = (text: string) => `${escape}[200~${text}${escape}[201~`;

const program = fixtureProgram('tui/sprint-screen.ts');
let root: string;
let project: Project;
let screen: PtyScreen | undefined;
let leave: (() => Promise<void>) | undefined;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'clifford-tui-'));
  project = await openProject({ root, source: '/clifford/mcp', env: {} });
  const tasks = [{ id: 'parser', file: 'parser.md' }];
  await project.dispatch(stream, () => [
    {
      type: 'sprint.created',
      subject: stream,
      data: { name: 'Checkout', manifest: 'sprints/13/manifest.json', tasks },
    },
  ]);
  await project.dispatch(stream, (state) => {
    const sprint = state.streams.get(stream);
    const task = sprint?.tasks.get('parser');
    return sprint && task ? startTask(sprint, task, { by: 'runner' }) : [];
  });
});

afterEach(async () => {
  screen?.kill();
  await screen?.exited;
  screen = undefined;
  await leave?.();
  leave = undefined;
  await project.close();
  await rm(root, { recursive: true });
});

/** In a terminal, as a program: what depends on either. */
function start(mode: 'run' | 'attach' = 'run'): PtyScreen {
  screen = openPty(process.execPath, [program, stream, mode], { cwd: root });
  return screen;
}

/** What a person sees and presses, in this process. It is left when the test is finished. */
async function open(
  output = '',
  {
    owner = true,
    failure = () => undefined,
    look,
  }: { owner?: boolean; failure?: () => Error | undefined; look?: ScreenLook } = {},
): Promise<OwnScreen & { left: Promise<LeftBecause>; end: (over: RunOver) => void }> {
  const own = openScreen();
  // Ink puts what is printed above the screen: it makes a console like Node's, which that of the tests is not.
  vi.stubGlobal('console', console);
  const here = await openProject({ root, source: '/clifford/tui', env: {} });
  const { promise: ended, resolve: end } = Promise.withResolvers<RunOver>();
  const failing: Project = {
    ...here,
    get state() {
      return here.state;
    },
    dispatch: async (...decision) => {
      const error = failure();
      if (error) throw error;
      return here.dispatch(...decision);
    },
  };
  const left = showTestSprint(failing, { stream, owner, output, ended, ...(look && { look }), ...own });
  leave = async () => {
    end({ stays: false });
    await Promise.allSettled([left]);
    await here.close();
    vi.unstubAllGlobals();
  };
  return { ...own, left, end };
}

/** Each is read alone, and without a pause, however long that takes here. */
async function inPieces(send: (bytes: string) => void, pieces: readonly string[]): Promise<void> {
  // What is seen takes keys once all of its frame was written.
  await setImmediate();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  for (const piece of pieces) {
    send(piece);
    await setImmediate();
  }
  clock.mockRestore();
}

/** Types it, and then Enter: together they would be a text. */
async function enter({ see, press }: Pick<PtyScreen, 'see' | 'press'>, text: string): Promise<void> {
  press(text);
  await see(text.trim());
  await setImmediate();
  press('\r');
}

function askHuman(question = 'Which grammar?'): Promise<RequestState> {
  return ask(project, {
    stream,
    agent: { id: 'a1', client: 'demo-agent' },
    kind: 'help',
    task: 'parser',
    question,
  });
}

function askAboutCall(
  args: unknown = approval.args,
  said?: string,
  callDigest = approval.callDigest,
): Promise<RequestState> {
  return askApproval(project, {
    stream,
    taskId: 'parser',
    agent: { id: 'a1', client: 'demo-agent' },
    approval: { ...approval, args, callDigest },
    said,
  });
}

async function verdictOn({ id }: RequestState): Promise<unknown> {
  const state = await project.refresh();
  return state.streams.get(stream)?.requests.get(id)?.answer;
}

async function answerTo({ id }: RequestState): Promise<string | undefined> {
  const state = await project.refresh();
  return state.streams.get(stream)?.requests.get(id)?.answer?.response;
}

describe('answering', () => {
  it('a question that opens while the screen is shown', async () => {
    const { see, press } = start();
    await see('● active');
    const request = await askHuman();
    await see(ready);
    await enter({ see, press }, 'the new one');
    await see('Answered, the agent goes on');
    await see('● active');
    expect(await answerTo(request)).toBe('the new one');
    const { answer } = project.state.streams.get(stream)?.requests.get(request.id) ?? {};
    expect(answer).toMatchObject({ by: 'ada', via: 'tui' });
  });

  it('takes lines that come in pieces, as where the terminal does not mark what is pasted, for a text', async () => {
    const request = await askHuman();
    const { see, press, send } = await open();
    await see(ready);
    await inPieces(send, ['first', '\r', 'sec', 'ond', '\r']);
    await see('second');
    press('\r');
    await see('Answered');
    expect(await answerTo(request)).toBe('first\nsecond\n');
  });

  it('takes a paste of several lines', async () => {
    const request = await askHuman();
    const { see, press } = await open();
    await see(ready);
    press(paste('a\nb'));
    await see('> a');
    await enter({ see, press }, 'y');
    await see('Answered');
    expect(await answerTo(request)).toBe('a\nby');
  });

  it('takes lines that come at once for a text, also where the terminal does not mark them as pasted', async () => {
    const request = await askHuman();
    const { see, press } = await open();
    await see(ready);
    press('first line\rsecond line\rthird\r');
    await see('third');
    expect(await answerTo(request)).toBeUndefined();
    press('\r');
    await see('Answered');
    expect(await answerTo(request)).toMatch(/^first line\nsecond line\nthird\s*$/);
  });

  it('loses no key that comes with an Enter: i opens the box, and what follows is typed', async () => {
    const request = await askHuman();
    const { see, press } = await open();
    await see(ready);
    press(escape);
    await see('i answer');
    press('ion 8080\r');
    await see('> on 8080');
    expect(await answerTo(request)).toBeUndefined();
    press('\r');
    await see('Answered');
    expect(await answerTo(request)).toMatch(/^on 8080\s*$/);
  });

  it('chooses no option by a text that comes at once', async () => {
    const request = await ask(project, {
      stream,
      agent: { id: 'a1', client: 'demo-agent' },
      kind: 'help',
      task: 'parser',
      question: 'Pick?',
      options: ['one', 'two'],
    });
    const { see, press } = await open();
    await see(ready);
    press('2\r');
    await see('2 came as a text: it is sent as it is. Typed anew it is option 2');
    expect(await answerTo(request)).toBeUndefined();
    press('\u0003');
    await see('Type an answer, or the number of an option');
    press('2');
    await see('Sends option 2: two');
    press('\r');
    await see('Answered');
    expect(await answerTo(request)).toBe('two');
  });

  it('goes on after a paste whose end was lost: Ctrl+C ends it', async () => {
    const request = await askHuman();
    const { see, press } = await open();
    await see(ready);
    for (const chunk of [`${escape}[200~lost`, ctrlC, 'f', 'ound', '\r']) {
      press(chunk);
      await setImmediate();
    }
    await see('Answered');
    expect(await answerTo(request)).toBe('found');
  });

  it('keeps the draft over Esc', async () => {
    const request = await askHuman();
    const { see, press } = await open();
    await see(ready);
    press('half');
    await see('> half');
    press(escape);
    await see('i answer');
    press('i');
    await see(ready);
    await enter({ see, press }, ' done');
    await see('Answered');
    expect(await answerTo(request)).toBe('half done');
  });

  it('tells who was first', async () => {
    const request = await askHuman();
    const { see, press } = await open();
    await see(ready);
    press('mine');
    await see('> mine');
    await answerRequest(project, request.id, { response: 'the old one', by: 'bob', via: 'cli' });
    await see('bob answered, in the shell: the old one');
    expect(await answerTo(request)).toBe('the old one');
  });
});

describe('rejecting', () => {
  it('tells the agent why, and keeps the draft of the answer out of it', async () => {
    const request = await askHuman();
    const { see, press } = await open();
    await see(ready);
    press('half');
    await see('> half');
    press(ctrlR);
    await see('Rejecting this question');
    press('not mine');
    await see('> not mine');
    press(escape);
    await see('> half');
    press(ctrlR);
    await see('> not mine');
    await enter({ see, press }, '!');
    await see('Rejected, the agent is told why');
    await project.refresh();
    const { answer } = project.state.streams.get(stream)?.requests.get(request.id) ?? {};
    expect(answer).toMatchObject({ response: 'not mine!', rejected: true, by: 'ada', via: 'tui' });
  });
});

describe('a tool call that waits', () => {
  /** While they do nothing yet, no blank stands before them. */
  const decide = ' Y allow once · N deny';

  it('is approved with Y, and with nothing that was typed before it was seen', async () => {
    const { see, lose, press } = await open();
    await see('● active');
    const request = await askAboutCall();
    await see('May this call run?');
    await enter({ see, press }, 'y');
    await see(decide);
    expect(await verdictOn(request)).toBeUndefined();
    press('\r');
    // What is typed right behind a paste was meant for something else.
    press(paste('y'));
    press('Y');
    await lose(decide);
    await see(decide);
    expect(await verdictOn(request)).toBeUndefined();
    press('Y');
    await see('Allowed, it runs: ');
    expect(await verdictOn(request)).toMatchObject({
      verdict: 'approved',
      scope: 'once',
      by: 'ada',
      via: 'tui',
    });
    expect(project.state.policyRules).toEqual([]);
  });

  it('is denied with N, and the agent is told why', async () => {
    const request = await askAboutCall();
    const { see, press } = await open();
    await see(decide);
    press('n');
    await see('Reason, if you like');
    await enter({ see, press }, 'write below docs/');
    await see('Denied, the agent is told why');
    expect(await verdictOn(request)).toMatchObject({ verdict: 'denied', response: 'write below docs/' });
  });

  it('is changed with E, and says what becomes of it before Enter', async () => {
    const request = await askAboutCall({ command: 'rm -rf build' });
    const { see, press } = await open();
    await see(decide);
    press('e');
    await see('Enter: it runs as changed, and the agent is told what was changed');
    await see('> rm -rf build');
    press('\r');
    await see('Nothing is changed yet');
    press(' # now');
    await see('> rm -rf build # now');
    press('\r');
    await see('Changed: it runs as changed');
    expect(await verdictOn(request)).toMatchObject({
      verdict: 'edited',
      edited: { args: { command: 'rm -rf build # now' } },
      by: 'ada',
      via: 'tui',
    });
  });

  it('stays in its box as it was changed, where that cannot be, and says why', async () => {
    const request = await askAboutCall({ command: 'deploy' });
    const { see, press } = await open();
    await see(decide);
    press('e');
    await see('> deploy');
    press(` --with ghp_${'a1'.repeat(18)}`);
    await see('> deploy --with ghp_');
    press('\r');
    await see('Not changed: there is a secret in it now');
    await see('> deploy --with ghp_');
    await see('Enter allow as changed');
    expect(await verdictOn(request)).toBeUndefined();
  });

  it('is sent back with W, and comes back with what the agent says', async () => {
    const request = await askAboutCall();
    const { see, press } = await open();
    await see(decide);
    press('w');
    await see('The call does not run for now: it comes back with what the agent says');
    await see('>  Why do you want this?');
    press('\r');
    await see('Asked: the call does not run for now');
    expect(await verdictOn(request)).toMatchObject({ verdict: 'questioned', by: 'ada', via: 'tui' });
    await recordDelivery(project, [request], 'a1');
    await askAboutCall(approval.args, 'I was told to.\u001b[2K\nSo I do.');
    await see(/Asked +Why do you want this\?\s+┃ It says +I was told to\.\\u001b\[2K\s+┃ +So I do\./);
  });

  it('is allowed with those like it with S, which lists each', async () => {
    const requests = [
      await askAboutCall({ path: 'a.txt' }, undefined, '1'),
      await askAboutCall({ path: 'b.txt' }, undefined, '2'),
    ];
    const { see, press } = await open();
    await see(decide);
    press('s');
    await see(/1 of 2 +\{ "path": "a.txt" \}\n.*2 of 2 +\{ "path": "b.txt" \}/);
    await see('May these 2 calls run, each once?');
    press(`${escape}[F`);
    await see('b.txt');
    await see('Y allow all');
    press('y');
    await see('Allowed 2 calls, each once');
    for (const request of requests)
      expect(await verdictOn(request)).toMatchObject({ verdict: 'approved', scope: 'once' });
  });

  it('is denied with those like it with S and N, for one reason, which stands below the list', async () => {
    const requests = [
      await askAboutCall({ path: 'a.txt' }, undefined, '1'),
      await askAboutCall({ path: 'b.txt' }, undefined, '2'),
    ];
    const { see, press } = await open();
    await see(decide);
    press('s');
    await see('May these 2 calls run, each once?');
    await see('N deny all');
    press('n');
    await see('Denying 2 calls: each agent is told, with your reason if any');
    await see(/1 of 2 +\{ "path": "a.txt" \}\n.*2 of 2 +\{ "path": "b.txt" \}/);
    await enter({ see, press }, 'below docs/');
    await see('Denied 2 calls, their agents are told why');
    for (const request of requests)
      expect(await verdictOn(request)).toMatchObject({ verdict: 'denied', response: 'below docs/' });
  });

  it('waits on when what it was changed to cannot be', async () => {
    const request = await askAboutCall();
    const { see, press } = await open();
    await see(decide);
    press('e');
    await see('Enter: it runs as changed');
    await enter({ see, press }, ' x');
    await see('its arguments have to be one JSON object');
    expect(await verdictOn(request)).toBeUndefined();
    press('\u001B');
    await see(decide);
    press('y');
    await see('Allowed, it runs: ');
  });

  it('is approved for more than itself with A and a choice', async () => {
    const request = await askAboutCall();
    const { see, press } = await open();
    await see(decide);
    press('A');
    await see('1 task · 2 sprint · 3 always');
    press('\r');
    press(`${escape}[B`);
    await see('›1  In this task: every call of fs/write_file');
    press(`${escape}[B`);
    await see('›2  In this sprint');
    press('\r');
    await see('Allowed in this sprint, it runs');
    expect(await verdictOn(request)).toMatchObject({ verdict: 'approved', scope: 'sprint' });
    expect(project.state.policyRules).toMatchObject([
      { server: 'fs', tool: 'write_file', scope: { kind: 'sprint', stream } },
    ]);
  });

  it.each([
    ['together are Alt and the letter, which is no key there', undefined, 'Not a key here: wait 2 s'],
    ['5 ms apart, too', 5, 'Not a key here: wait 2 s'],
    ['30 ms apart are one key after the other, the first of which leaves the card', 30, ' i decide ·'],
    ['50 ms apart, too', 50, ' i decide ·'],
  ])('takes no yes behind Esc: both %s', async (_how, ms, sees) => {
    const request = await askAboutCall();
    const { see, send, lines } = await open();
    await see(decide);
    const wait = (forMs: number) => new Promise((resolve) => setTimeout(resolve, forMs));
    // It is seen before it takes keys.
    await wait(100);
    // Both are timers of this process: they end one after the other, however late.
    send(ms === undefined ? `${escape}y` : escape);
    if (ms !== undefined) setTimeout(() => send('y'), ms);
    await see(sees);
    await wait(100);
    expect(lines().join('\n')).toContain(sees);
    expect(await verdictOn(request)).toBeUndefined();
  });

  it('tells who was first, and drops the reason that was being typed', async () => {
    const request = await askAboutCall();
    const { see, press } = await open();
    await see(decide);
    press('n');
    await see('Reason, if you like');
    press('no');
    await see('> no');
    await approve(project, request.id, { scope: 'always', by: 'bob', via: 'cli' });
    await see('bob allowed the call (always), in the shell (your draft was not sent');
    expect(await verdictOn(request)).toMatchObject({ verdict: 'approved', by: 'bob' });
  });

  it('offers the rule that humans give while it is shown, and the next one offers it at once', async () => {
    const ask = () => askAbout(project, stream, commandOf('make'));
    const ids = [await ask(), await ask(), await ask(), await ask()];
    const { see, press } = await open();
    await see('Y allow once');
    for (const id of ids.slice(1)) await approve(project, id, { scope: 'once', by: 'bob', via: 'cli' });
    await see('Offer     humans allowed 3 calls like it, and denied none. The rule:');
    await see('make" }, "decision": "allow" }');
    await see('to have it in mcp.json: clifford policy suggest --write');
    press('y');
    await see('Allowed, it runs');
    const next = await ask();
    await see('humans allowed 4 calls');
    expect(project.state.streams.get(stream)?.requests.get(next)?.phase).toBe('open');
  });

  it('is read to its end first when it does not fit, and draws nothing by itself', async () => {
    const hostile = `${escape}[2J${escape}]52;c;aGFjaw==\u0007\u202E`;
    const request = await askAboutCall({ path: hostile, lines: Array.from({ length: 40 }, (_, at) => at) });
    const { see, press, lines, bytes } = await open();
    await see('PgDn more');
    expect(lines().join('\n')).toContain(String.raw`"path": "\u001b[2J\u001b]52;c;aGFjaw==\u0007\u202e"`);
    expect(bytes()).not.toContain(`${escape}]52`);
    expect(bytes()).not.toContain('\u202E');
    press('y');
    await see('Read it all first: PgDn');
    expect(await verdictOn(request)).toBeUndefined();
    press(`${escape}[F`);
    await see(decide);
    press('y');
    await see('Allowed, it runs');
  });
});

describe('colours', () => {
  it.each([
    ['are left out with NO_COLOR', '1', false],
    ['are the sixteen of the terminal', '', true],
  ])('%s', async (_what, noColor, isColored) => {
    await askAboutCall();
    const env = { NO_COLOR: noColor, FORCE_COLOR: '1', CI: undefined };
    screen = openPty(process.execPath, [program, stream, 'attach'], { cwd: root, env });
    await screen.see('Y allow once');
    const coloured = screen
      .bytes()
      .split(escape)
      .filter((part) => /^\[(?:3[0-8]|9[0-7])[;m]/.test(part));
    expect(coloured.length > 0).toBe(isColored);
    // The key that decides stands on a ground of its own, and what it does is not faint, with and without them.
    const styled = String.raw`(?:\u001B\[\d+m)*`;
    const ended = String.raw`(?:\u001B\[(?:22|27|39)m)+`;
    expect(screen.bytes()).toMatch(new RegExp(String.raw`\u001B\[7m${styled}Y${ended} allow once`));
  });
});

it('what waited in the past has no colour of what waits, but in the line of the whole history', async () => {
  const { id } = await askHuman('Which grammar?');
  await answerRequest(project, id, { response: 'The old one', by: 'ada', via: 'cli' });
  const env = { NO_COLOR: '', FORCE_COLOR: '1', CI: undefined };
  screen = openPty(process.execPath, [program, stream, 'attach'], { cwd: root, env });
  await screen.see('Enter look into it');
  const now = screen.bytes().length;
  screen.press(',');
  await screen.see('Which grammar?');
  const yellow = new RegExp(String.raw`\u001B\[33m(?:\u001B\[\d+m)*([^\u001B]*)`, 'g');
  const shown = screen.bytes().slice(now).matchAll(yellow);
  expect([...shown].map(([, text]) => text)).toEqual(['?']);
});

it('how many tasks have failed is red in the first line', async () => {
  const failed = { type: 'task.failed', subject, data: { reason: 'left' } } as const;
  await project.dispatch(stream, () => [failed]);
  const env = { NO_COLOR: '', FORCE_COLOR: '1', CI: undefined };
  screen = openPty(process.execPath, [program, stream, 'attach'], { cwd: root, env });
  await screen.see('1 failed');
  expect(screen.bytes()).toContain('\u001B[31m1 failed');
});

describe('several questions', () => {
  it('are gone through with Tab, and each gets its own answer', async () => {
    const requests = [await askHuman('One?'), await askHuman('Two?'), await askHuman('Three?')];
    const { see, press } = await open();
    await see('Question 1 of 3');
    await see(ready);
    press('first');
    await see('> first');
    press('\t');
    await see('Question 2 of 3');
    press('second');
    await see('> second');
    await askHuman('Four?');
    await see('Question 2 of 4');
    press('\u001B[Z');
    await see('Question 1 of 4');
    await see('> first');
    press('\t');
    await see('Question 2 of 4');
    await see('> second');
    press('\r');
    await see('Answered, the agent goes on');
    await see('Question 1 of 3');
    const answers = await Promise.all(requests.map(answerTo));
    expect(answers).toEqual([undefined, 'second', undefined]);
  });

  it('say when nobody waits for the answer any more', async () => {
    const request = await askHuman();
    const { see, lose, press } = await open();
    await see(ready);
    await recordDetached(project, request, { agentId: 'a1', why: 'cancelled' });
    await see('No agent waits: the next attempt is told');
    await recordAttached(project, request, 'a1');
    await lose('No agent waits');
    await recordDetached(project, request, { agentId: 'a1', why: 'cancelled' });
    await see('No agent waits');
    await enter({ see, press }, 'yes');
    await see('Answered, the next attempt is told');
    expect(await answerTo(request)).toBe('yes');
  });

  it('say so, too, when its agent was killed with its runner, which recorded nothing', async () => {
    // What the beginning of each test has started is worked on by hand.
    await project.dispatch(stream, () => [
      { type: 'task.failed', subject, data: { reason: 'left' } },
      { type: 'task.reset', subject, data: { by: 'ada', reason: 'retry' } },
    ]);
    await project.dispatch(stream, (state) => {
      const sprint = state.streams.get(stream);
      const task = sprint?.tasks.get('parser');
      return sprint && task ? startTask(sprint, task, { by: 'runner', runId: 'run-1' }) : [];
    });
    await project.dispatch(stream, () => [on(subject, 'agent.started', { argv: ['my-agent'] })]);
    const request = await askHuman();
    const { see, press } = await open('', { owner: false });
    await see('No agent waits: the next attempt is told');
    await see(ready);
    await see('my-agent is gone');
    await enter({ see, press }, 'yes');
    await see('Answered, the next attempt is told');
    expect(await answerTo(request)).toBe('yes');
  });
});

describe('dismissing', () => {
  it('needs a key after the confirmation was read, and what comes together is none', async () => {
    const request = await askHuman();
    const { see, press, send } = await open();
    await see(ready);
    press(ctrlX);
    await see('Dismiss this question? y/n');
    await see('y dismiss');
    // What comes with a sequence that nobody knows, or right behind it, is no key.
    await inPieces(send, [`${escape}Oyy`, 'y', `${paste('y')}y`]);
    press('n');
    await see(ready);
    press(ctrlX);
    await see('y dismiss');
    press('y');
    await see('Dismissed, the agent is told');
    const state = await project.refresh();
    expect(state.streams.get(stream)?.requests.get(request.id)?.dismissal).toMatchObject({
      by: 'ada',
      via: 'tui',
    });
  });

  it('is called off by n', async () => {
    const request = await askHuman();
    const { see, press } = await open();
    await see(ready);
    press(ctrlX);
    await see('n keep');
    press('n');
    await see(ready);
    await enter({ see, press }, 'yes');
    await see('Answered');
    expect(await answerTo(request)).toBe('yes');
    await askHuman('Which spelling?');
    await see(ready);
    press(`${escape}[A`);
    await see('> yes');
  });
});

describe('a log that cannot be written', () => {
  const noSpace = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  const full = logPoisoned('events.jsonl', noSpace);

  it.each([
    ['full', full, 'Not recorded: the disk is full. Free some space, then press Enter again'],
    ['locked', logBusy('events.jsonl', 9_000), /another process has held its\s+lock/],
  ])('because it is %s, keeps the screen, the box and the text', async (_what, error, said) => {
    const request = await askHuman();
    let failure: Error | undefined = error;
    const { see, press } = await open('', { failure: () => failure });
    await see(ready);
    await enter({ see, press }, 'Postgres');
    await see(said);
    await see('> Postgres');
    expect(await answerTo(request)).toBeUndefined();
    failure = undefined;
    press('\r');
    await see('Answered, the agent goes on');
    expect(await answerTo(request)).toBe('Postgres');
  });

  it('keeps a reason, a dismissal and a note, too', async () => {
    const request = await askHuman();
    let failure: Error | undefined = full;
    const { see, lose, press } = await open('', { failure: () => failure });
    await see(ready);
    press(ctrlR);
    await enter({ see, press }, 'not mine');
    await see('Not recorded: the disk is full');
    await see('> not mine');
    press(escape);
    await see(ready);
    press(ctrlX);
    await see('y dismiss');
    press('y');
    await see('Free some space, then dismiss it again');
    failure = undefined;
    press(ctrlX);
    await see('y dismiss');
    press('y');
    await see('Dismissed');
    await lose(ready);
    failure = full;
    press('M');
    await see('Note to the agent');
    await enter({ see, press }, 'look at the docs');
    await see('Free some space, then press Enter again');
    await see('> look at the docs');
    failure = undefined;
    press('\r');
    await see('parser has a note');
    const { requests, tasks } = (await project.refresh()).streams.get(stream) ?? {};
    expect(requests?.get(request.id)).toMatchObject({ dismissal: { by: 'ada' } });
    expect(tasks?.get('parser')?.notes).toHaveLength(1);
  });
});

it('what is typed and can be saved nowhere is said to be so, and printed when the screen is left', async () => {
  await askHuman();
  await mkdir(join(root, '.clifford/cache'), { recursive: true });
  await rm(join(root, '.clifford/cache/drafts'), { recursive: true, force: true });
  await writeFile(join(root, '.clifford/cache/drafts'), '');
  const { see, press, left, bytes } = await open('', { owner: false });
  await see(ready);
  press('Postgres');
  await see('What you type is not saved');
  press(escape);
  await see('i answer');
  press('q');
  expect(await left).toBe('left');
  expect(bytes()).toMatch(/Not sent, and not saved: what you typed about "Which grammar\?":\r?\nPostgres/);
});

it('what is typed survives an editor that fails, one that works, and the death of the screen', async () => {
  const editor = join(root, 'editor.mjs');
  // The first time it fails. Then it says what it sees of the terminal, and waits for a key as any program would.
  await writeFile(
    editor,
    `import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
     import { execSync } from 'node:child_process';
     const file = process.argv[2];
     process.on('SIGINT', () => {});
     if (!existsSync('failed')) { writeFileSync('failed', ''); process.exit(3); }
     const mode = (statSync(file).mode & 0o777).toString(8);
     const isCooked = / icanon/.test(execSync('stty -a', { stdio: ['inherit', 'pipe', 'inherit'] }).toString());
     console.log('editing ' + readFileSync(file, 'utf8').trim().length + ' ' + mode + ' ' + isCooked);
     process.stdin.once('data', () => { writeFileSync(file, 'from the editor\\n'); process.exit(0); });`,
  );
  const request = await askHuman();
  const EDITOR = `${process.execPath} ${editor}`;
  const begin = () =>
    (screen = openPty(process.execPath, [program, stream, 'attach'], {
      cwd: root,
      env: { EDITOR, VISUAL: '' },
    }));
  const first = begin();
  await first.see(ready);
  first.press(paste('x'.repeat(5_000)));
  await first.see('[5,000 characters pasted]');
  first.press('\u0007');
  await first.see('The draft is as it was: the editor ended with code 3');
  await first.see('[5,000 characters pasted]');
  first.press('\u0007');
  await first.see('editing 5000 600 true');
  expect(first.buffer()).toBe('normal');
  first.press('\u0003');
  await first.see(/\^C/);
  first.press('\r');
  await first.see('> from the editor');
  expect(first.buffer()).toBe('alternate');
  first.press(' and on');
  const drafts = join(root, '.clifford/cache/drafts');
  await vi.waitFor(async () => {
    const [file = ''] = await readdir(drafts);
    expect(await readFile(join(drafts, file), 'utf8')).toContain('from the editor and on');
  });
  first.kill();
  await first.exited;
  const second = begin();
  await second.see('> from the editor and on');
  await second.see(ready);
  second.press('\r');
  await second.see('Answered');
  expect(await answerTo(request)).toBe('from the editor and on');
  await vi.waitFor(async () => expect(await readdir(drafts)).toEqual([]));
});

it('the sprint and its task are decided about with capitals, and what cannot be says why', async () => {
  const { see, press } = await open('', { owner: false });
  await see(': commands');
  press('P');
  await see('The sprint is paused: no task starts. P resumes it');
  press('P');
  // Nobody runs it here.
  await see('Resumed. To go on: clifford run sprint-13');
  press('X');
  await see('Cancel parser ━');
  await enter({ see, press }, 'not needed');
  await see('Cancel parser? y/n');
  await see('y cancel it');
  press('y');
  await see('parser is cancelled. To go on: clifford run sprint-13');
  press('S');
  await see('Cannot skip task parser: it is cancelled. Possible now: R does it again');
  press('R');
  await see('parser is pending again. To go on: clifford run sprint-13');
  const task = (await project.refresh()).streams.get(stream)?.tasks.get('parser');
  expect(task?.machine.value).toBe('pending');
  const types: string[] = [];
  for await (const { events } of project.log.read({ stream }))
    types.push(...events.filter(({ data }) => 'by' in data && data.by === 'ada').map(({ type }) => type));
  expect(types).toEqual(['sprint.paused', 'sprint.resumed', 'task.cancelled', 'task.reset']);
});

it('keys have words on a terminal of ASCII, where their signs would look like others', async () => {
  const { see, press, lines } = await open('', { look: lookIn({ CLIFFORD_ASCII: '1' }) });
  await see('Up/Down pick');
  press('?');
  await see('Up/Down');
  expect(lines().join('\n')).not.toMatch(/\^\/v|(^| )[<^v] /m);
  press(escape);
  await see('Enter look into it');
  press(':');
  await see('Commands');
  press('into');
  await see(/into the past +Left/);
});

it('nobody is told to run a sprint that waits in the queue', async () => {
  await project.dispatch(stream, () => [on(stream, 'job.added', { by: 'bob' })]);
  const { see, press, lines } = await open('', { owner: false });
  await see(': commands');
  press('P');
  await see('The sprint is paused');
  press('P');
  await see('Resumed');
  expect(lines().join(' ')).not.toContain('To go on');
  press('B');
  await see('It waits in the queue for a worker: clifford queue cancel');
  press('T');
  await see('Nobody runs it yet: it waits in the queue for a worker. clifford queue cancel');
  const about = { stream, by: 'bob', taskId: 'parser' };
  await skipTask(project, about);
  await retryTasks(project, about);
  await see(/○ pending +parser/);
  press('R');
  await see('Cannot retry task parser: it is pending. Possible now: S leaves it out, X ends');
  expect(lines().join(' ')).not.toContain('M writes');
});

describe('leaving', () => {
  it.each([
    [['q', 'g'], 'run', 'detached'],
    [[ctrlC], 'attach', 'left'],
  ] as const)('%j leaves %s, and the terminal is as it was', async ([key, then], mode, why) => {
    const { see, press, exited, buffer, lines, bytes } = start(mode);
    await see('● active');
    expect(buffer()).toBe('alternate');
    press(key);
    if (then !== undefined) {
      await see('g go on without the screen');
      press(then);
    }
    expect(await exited).toBe(0);
    expect(buffer()).toBe('normal');
    expect(lines()[0]).toBe(`left: ${why}`);
    // Cursor shown, bracketed paste off.
    expect(bytes().lastIndexOf(`${escape}[?25h`)).toBeGreaterThan(bytes().lastIndexOf(`${escape}[?25l`));
    expect(bytes().lastIndexOf(`${escape}[?2004l`)).toBeGreaterThan(bytes().lastIndexOf(`${escape}[?2004h`));
  });

  it.each([[['q', 'q']], [[ctrlC]]] as const)('%j stops a run', async ([key, then]) => {
    const { see, press, left } = await open();
    await see('● active');
    press(key);
    if (then !== undefined) {
      await see('g go on without the screen');
      press(then);
    }
    expect(await left).toBe('stopped');
  });

  it('is left to the person when the run is over: the screen says how it ended', async () => {
    const { see, press, left, end } = await open();
    await see('● active');
    await project.dispatch(stream, () => [{ type: 'task.completed', subject, data: { by: 'agent' } }]);
    await project.dispatch(stream, () => [
      { type: 'sprint.completed', subject: stream, data: { by: 'runner' } },
    ]);
    end({ stays: true });
    await see('Summary');
    await see(/✔ done +parser +1\b/);
    press('q');
    expect(await left).toBe('ended');
  });

  it('happens with the error when the log is damaged', async () => {
    const { see, left, buffer, shown } = await open();
    await see('● active');
    const log = join(root, '.clifford/events.jsonl');
    // It may fail before the write is told to be done.
    const why = left.catch(String);
    await writeFile(log, `${await readFile(log, 'utf8')}damage\n`);
    expect(await why).toContain('events.jsonl');
    await shown();
    expect(buffer()).toBe('normal');
  });
});

describe('the terminal', () => {
  it('shows nothing an agent draws', async () => {
    const hostile = `${escape}[2J${escape}[H${escape}]52;c;aGFjaw==\u0007${escape}]0;owned\u0007\u009B31mshown\u202E`;
    await askHuman(`${hostile} really`);
    const { see, bytes, lines } = await open(`${hostile}\n`);
    await see(ready);
    expect(lines()[2]).toMatch(/│ shown$/);
    expect(lines().join('\n')).toContain(String.raw`\u001b]52;c;aGFjaw==\u0007`);
    expect(bytes()).not.toContain(`${escape}]`);
    expect(bytes()).not.toContain('\u202E');
    expect(bytes()).not.toContain(`${escape}[2J`);
  });

  it('is drawn anew when it is resized', async () => {
    await askHuman();
    const { see, resize, lines } = start();
    await see(ready);
    for (const [columns, rows] of [
      [120, 30],
      [50, 14],
      [100, 20],
      [79, 24],
    ] as const) {
      resize(columns, rows);
      await vi.waitFor(
        () => {
          const shown = lines();
          expect(shown.filter((line) => line.startsWith('╭'))).toEqual([`╭${'─'.repeat(columns - 2)}╮`]);
          expect(shown.filter((line) => line.startsWith('╰'))).toEqual([`╰${'─'.repeat(columns - 2)}╯`]);
          expect(shown[rows - 1]).toContain(ready);
        },
        { timeout: 10_000, interval: 20 },
      );
    }
  });

  it('shows wide characters in their place', async () => {
    await askHuman('日本語 👨‍👩‍👧 のどれ?');
    const { see, press, lines } = await open();
    await see(ready);
    press('答え👨‍👩‍👧');
    await see('> 答え👨‍👩‍👧');
    const box = lines().find((line) => line.startsWith('│ > '));
    expect(box?.endsWith('│')).toBe(true);
  });
});
