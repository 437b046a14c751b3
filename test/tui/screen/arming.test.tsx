import { isDeepStrictEqual } from 'node:util';
import { render } from 'ink';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Focus } from '../../../src/tui/screen/focus.ts';
import { ClockContext } from '../../../src/tui/terminal/clock.ts';
import type { ScreenState } from '../../../src/tui/screen/screen-state.ts';
import { startScreenActor } from '../../../src/tui/screen/screen-actor.ts';
import { ReadTogether, ReadTogetherContext } from '../../../src/tui/feed/read-together.ts';
import { Screen } from '../../../src/tui/screen/screen.tsx';
import { stepScreen } from '../../../src/tui/screen/step-screen.ts';
import { createAgentOutput } from '../../../src/tui/text/agent-output.ts';
import { FakeStdin, FakeStdout } from '../../helpers/fake-terminal.ts';
import { approval } from '../../helpers/approval.ts';
import {
  aCallQuestion,
  answering,
  aQuestion,
  aSprint,
  deciding,
  now,
  room,
  typed,
} from '../../helpers/screen-views.ts';

/** Where the keys of a screen go whose call, or question, waits, on a narrow terminal that shows this part. */
function show(area: 'question' | 'tasks', focus: Focus, state = deciding(aCallQuestion())) {
  const { actor } = open({ ...state, focus, browsing: { ...state.browsing, area } });
  return () => actor.getSnapshot().context.focus;
}

/** A narrow screen in this state, on a terminal that may be slow. Without `read` each key comes alone. */
function open(state: ScreenState, read?: ReadTogether) {
  const actor = startScreenActor(state);
  const stdin = new FakeStdin();
  const stdout = new SlowStdout(50, 20);
  const { unmount } = render(
    <ClockContext value={{ now: () => now, subscribe: () => () => {} }}>
      <ReadTogetherContext value={read}>
        <Screen actor={actor} output={createAgentOutput()} />
      </ReadTogetherContext>
    </ClockContext>,
    { stdin, stdout, debug: true, exitOnCtrlC: false, patchConsole: false },
  );
  onTestFinished(() => unmount());
  return { actor, stdin, stdout };
}

/** A terminal that can be held up: what is written to it is not there before it is released. */
class SlowStdout extends FakeStdout {
  #held: (() => void)[] | undefined;

  resizeTo(columns: number, rows: number): void {
    Object.assign(this, { columns, rows });
    this.emit('resize');
  }

  hold(): void {
    this.#held ??= [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const write of held) write();
  }

  override _write(chunk: unknown, encoding: BufferEncoding, done: () => void): void {
    const write = () => super._write(chunk, encoding, done);
    if (this.#held) this.#held.push(write);
    else write();
  }
}

it('a card that cannot be seen takes no decision, however long it waits; what asks below it does', async () => {
  const unseen = show('tasks', { at: 'arming', dropped: 0 });
  const asked = show('tasks', { at: 'stop', isArmed: false, key: 'q', back: { at: 'sprint' } });
  const seen = show('question', { at: 'arming', dropped: 0 });
  await vi.waitFor(() => expect([seen().at, asked()]).toMatchObject(['decide', { isArmed: true }]), {
    timeout: 10_000,
  });
  expect(unseen()).toEqual({ at: 'arming', dropped: 0 });
});

const call = deciding(aCallQuestion());
const closed = { ...call, sprint: aSprint(), current: undefined };
const question = answering(aQuestion());
const reviewed = ['enter', 'enter'].reduce(
  (state, key) => stepScreen(state, { type: 'keys', strokes: typed('', key), room }, () => {}),
  answering(
    aQuestion({
      questions: [
        { title: 'A', question: 'A?', required: false },
        { title: 'B', question: 'B?', required: false },
      ],
    }),
  ),
);
it.each([
  ['the card of a call', call, { at: 'arming', dropped: 0 }, 600],
  ['the card of a call, after a key', call, { at: 'arming', dropped: 1 }, 2_000],
  ['what stands where a card was closed', closed, { at: 'arming', dropped: 0 }, 600],
  ['the box of a question', question, { at: 'arming', dropped: 0 }, 300],
  ['what was answered to a form', reviewed, { at: 'arming', dropped: 0 }, 600],
  ['how far a yes goes', call, { at: 'scope', isArmed: false, picked: undefined }, 600],
  ['the list of calls that are alike', call, { at: 'batch', isArmed: false, ids: ['q-1'] }, 600],
  ['whether a question is dismissed', question, { at: 'confirm', isArmed: false, back: 'answer' }, 600],
  ['what becomes of the run', call, { at: 'stop', isArmed: false, key: 'q', back: { at: 'sprint' } }, 600],
] as const)(
  '%s takes a decision once it was seen for a moment, and not before',
  async (_what, state, focus, ms) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const shown = show('question', focus, state);
    await vi.advanceTimersByTimeAsync(0);
    await painted();
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(shown()).toEqual(focus);
    await vi.advanceTimersByTimeAsync(1);
    await painted();
    expect(shown()).not.toEqual(focus);
  },
);

const listed: Focus = { at: 'batch', isArmed: false, ids: ['q-1'] };
const dismissing: Focus = { at: 'confirm', isArmed: false, back: 'answer' };
it.each([
  ['the card of a call', call, { at: 'arming', dropped: 0 }, 'y', 'Y allow once'],
  ['the list of calls that are alike', call, listed, 'y', 'Y allow all'],
  ['whether a question is dismissed', question, dismissing, 'y', 'y dismiss'],
  ['what was answered to a form', reviewed, { at: 'arming', dropped: 0 }, '\r', 'Enter send'],
] as const)(
  '%s takes no decision before the frame that names its key was painted',
  async (_what, state, focus, key, hint) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const browsing = { ...state.browsing, area: 'question' } as const;
    const { actor, stdin, stdout } = open({ ...state, focus, browsing });
    const decided = vi.fn<() => void>();
    for (const effect of ['approve', 'decide-all', 'dismiss', 'answer'] as const) actor.on(effect, decided);
    const wait = async (ms: number) => {
      await painted();
      await vi.advanceTimersByTimeAsync(ms);
      await painted();
    };
    await wait(0);
    stdout.hold();
    await wait(600);
    expect(stdout.lines.at(-1)).not.toContain(hint);
    stdin.write(key);
    await painted();
    stdout.release();
    expect(decided).not.toHaveBeenCalled();
    await wait(2_000);
    expect(stdout.lines.join(' ')).toContain(hint);
    stdin.write(key);
    await painted();
    expect(decided).toHaveBeenCalledOnce();
  },
);

it.each([
  ['the card of a call', call, { at: 'decide' }],
  ['a call that is changed', call, { at: 'edit' }],
  ['how far a yes goes', call, { at: 'scope', isArmed: true, picked: 'task' }],
  ['the list of calls that are alike', call, { at: 'batch', isArmed: true, ids: ['q-1'] }],
  ['whether a question is dismissed', question, { at: 'confirm', isArmed: true, back: 'answer' }],
  ['what becomes of the run', call, { at: 'stop', isArmed: true, key: 'q', back: { at: 'sprint' } }],
] as const)(
  '%s that was hidden or drawn anew takes no decision before it was seen again',
  async (...given) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const [, state, focus] = given;
    const { actor, stdout } = open({ ...state, focus, browsing: { ...state.browsing, area: 'question' } });
    await painted();
    const isReady = () => isDeepStrictEqual(actor.getSnapshot().context.focus, focus);
    /** Takes nothing at once, nor after this time. */
    const resizeTo = async (columns: number, rows: number, ms: number) => {
      stdout.resizeTo(columns, rows);
      expect(isReady()).toBe(false);
      await painted();
      await vi.advanceTimersByTimeAsync(ms);
      expect(isReady()).toBe(false);
    };
    expect(isReady()).toBe(true);
    await resizeTo(20, 5, 5_000);
    await resizeTo(50, 20, 400);
    // Dragged on, it is drawn anew.
    await resizeTo(50, 30, 599);
    await vi.advanceTimersByTimeAsync(1);
    await painted();
    expect(isReady()).toBe(true);
  },
);

it('a text that was begun where nothing could be seen ends in no box', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { actor, stdin, stdout } = open(answering(aQuestion()));
  const answered = vi.fn<() => void>();
  actor.on('answer', answered);
  await painted();
  /** Types it, and waits. */
  const type = async (text: string, ms: number) => {
    stdin.write(text);
    await painted();
    await vi.advanceTimersByTimeAsync(ms);
    await painted();
  };
  stdout.resizeTo(20, 5);
  await painted();
  await type('n', 299);
  stdout.resizeTo(50, 20);
  await painted();
  for (const key of ['o', '\u001B[200~n\u001B[201~', '\r']) await type(key, 299);
  expect(actor.getSnapshot().context.drafts.size).toBe(0);
  await type('n', 300);
  for (const key of ['y', '\r']) await type(key, 0);
  expect(answered).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ response: 'y' }));
});

const up = '\u001B[A';
const confirming: Focus = { at: 'confirm', isArmed: true, back: 'answer' };
it.each([
  ['a call', { ...call, focus: { at: 'decide' } }, up, 'Y', { at: 'arming', dropped: 1 }],
  [
    'a call, of a key that nobody knows',
    { ...call, focus: { at: 'decide' } },
    '\u001BOy',
    'Y',
    { at: 'arming', dropped: 1 },
  ],
  ['a call, scrolled', { ...call, focus: { at: 'decide' } }, up, '\u001B[B\u001B[B', { at: 'decide' }],
  ['a question', { ...question, focus: confirming }, up, 'y', confirming],
  ['a question, of a key that nobody knows', { ...question, focus: confirming }, '\u001BOy', 'y', confirming],
] as const)(
  'what comes in one piece with a sequence before it decides nothing about %s',
  async (_what, state, before, keys, focus) => {
    const read = new ReadTogether();
    const { actor, stdin } = open({ ...state, browsing: { ...state.browsing, area: 'question' } }, read);
    const decided = vi.fn<() => void>();
    actor.on('approve', decided);
    actor.on('dismiss', decided);
    await painted();
    read.take(`${before}${keys}`);
    stdin.write(`${before}${keys}`);
    await painted();
    expect(actor.getSnapshot().context.focus).toEqual(focus);
    expect(decided).not.toHaveBeenCalled();
  },
);

it.each([
  ['Enter', '\r', ['two\r', 'three']],
  ['Enter, and more of them', '\r', ['\r', '\r']],
])('%s that is read first of what comes in pieces sends nothing', async (_what, first, pieces) => {
  const read = new ReadTogether();
  const draft = { text: 'one', cursor: 3 };
  const { actor, stdin } = open(
    { ...question, focus: { at: 'answer' }, drafts: new Map([['q-1', draft]]) },
    read,
  );
  const answered = vi.fn<() => void>();
  actor.on('answer', answered);
  await painted();
  for (const piece of [first, ...pieces]) {
    read.take(piece);
    stdin.write(piece);
    // Each is read by itself.
    await new Promise((done) => setImmediate(done));
  }
  const text = () => actor.getSnapshot().context.drafts.get('q-1')?.text;
  const whole = `one${[first, ...pieces].join('').replaceAll('\r', '\n')}`;
  await vi.waitFor(() => expect(text()).toBe(whole));
  await painted();
  expect(answered).not.toHaveBeenCalled();
  await vi.waitFor(() => {
    read.take('\r');
    expect(read.isTogether).toBe(false);
  });
  stdin.write('\r');
  await vi.waitFor(() => expect(answered).toHaveBeenCalledTimes(1));
});

it('an Enter that a paste comes behind at once ends a line, and sends nothing', async () => {
  const read = new ReadTogether();
  const draft = { text: 'one', cursor: 3 };
  const { actor, stdin } = open(
    { ...question, focus: { at: 'answer' }, drafts: new Map([['q-1', draft]]) },
    read,
  );
  const answered = vi.fn<() => void>();
  actor.on('answer', answered);
  await painted();
  for (const piece of ['\r', '\u001B[200~two\u001B[201~']) {
    read.take(piece);
    stdin.write(piece);
    await new Promise((done) => setImmediate(done));
  }
  const text = () => actor.getSnapshot().context.drafts.get('q-1')?.text;
  await vi.waitFor(() => expect(text()).toBe('one\ntwo'));
  expect(answered).not.toHaveBeenCalled();
});

it.each([
  ['a call', { ...call, focus: { at: 'decide' } }, { at: 'arming', dropped: 2 }],
  ['what is confirmed', { ...question, focus: confirming }, confirming],
] as const)(
  'a letter that is read first of what comes in pieces decides nothing about %s',
  async (_what, state, focus) => {
    const read = new ReadTogether();
    const { actor, stdin } = open({ ...state, browsing: { ...state.browsing, area: 'question' } }, read);
    const decided = vi.fn<() => void>();
    actor.on('approve', decided);
    actor.on('dismiss', decided);
    await painted();
    for (const piece of ['y', 'e']) {
      read.take(piece);
      stdin.write(piece);
      // Each is read by itself.
      await new Promise((done) => setImmediate(done));
    }
    await vi.waitFor(() => expect(actor.getSnapshot().context.focus).toEqual(focus));
    await painted();
    expect(decided).not.toHaveBeenCalled();
  },
);

it('a card takes no decision when the screen was suspended, before it was seen again', async () => {
  const kill = vi.spyOn(process, 'kill').mockImplementation((_pid, signal) => {
    if (signal === 'SIGTSTP') setImmediate(() => process.emit('SIGCONT'));
    return true;
  });
  onTestFinished(() => kill.mockRestore());
  const { actor, stdin } = open(deciding(aCallQuestion()));
  await vi.waitFor(() => expect(stdin.isRaw).toBe(true));
  stdin.write('\u001A');
  await vi.waitFor(() => expect(actor.getSnapshot().context.focus).toEqual({ at: 'arming', dropped: 0 }));
  expect(kill).toHaveBeenCalledWith(0, 'SIGTSTP');
});

it('a call that is longer than the screen takes a yes once the frame with its end was painted', async () => {
  const content = Array.from({ length: 30 }, (_, at) => at);
  const long = deciding(aCallQuestion({ approval: { ...approval, args: { content } } }));
  const { actor, stdin, stdout } = open(long);
  const allowed = vi.fn<() => void>();
  actor.on('approve', allowed);
  await vi.waitFor(() => expect(stdin.isRaw).toBe(true));
  await painted();
  stdout.hold();
  stdin.write('\u001B[F');
  await painted();
  expect(actor.getSnapshot().context.questionTop).toBeGreaterThan(0);
  stdin.write('y');
  await painted();
  expect(allowed).not.toHaveBeenCalled();
  stdout.release();
  await painted();
  expect(stdout.lines.at(-1)).toContain('Y allow once');
  stdin.write('y');
  await painted();
  expect(allowed).toHaveBeenCalledOnce();
});

/** What is drawn is on the terminal. */
async function painted(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
