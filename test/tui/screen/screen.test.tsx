import type { Question } from '../../../src/views/sprints/sprint-view.ts';
import { render } from 'ink';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAgentOutput } from '../../../src/tui/text/agent-output.ts';
import { ClockContext, RunnerContext } from '../../../src/tui/terminal/clock.ts';
import { startScreenActor } from '../../../src/tui/screen/screen-actor.ts';
import { initialState } from '../../../src/tui/screen/screen-state.ts';
import type { ScreenState } from '../../../src/tui/screen/screen-state.ts';
import type { PaneContent } from '../../../src/tui/panes/pane.ts';
import { ReadPaneContext, type ReadPane } from '../../../src/tui/feed/use-beside.ts';
import { Screen } from '../../../src/tui/screen/screen.tsx';
import { stepScreen } from '../../../src/tui/screen/step-screen.ts';
import { HistoryIndex } from '../../../src/workflow/history/history-index.ts';
import { storeForm } from '../../helpers/store-form.ts';
import { FakeStdin, FakeStdout } from '../../helpers/fake-terminal.ts';
import {
  aBlockedSprint,
  aCallQuestion,
  answering,
  aQuestion,
  aSprint,
  aTask,
  now,
} from '../../helpers/screen-views.ts';

const clock = { now: () => now, subscribe: () => () => {} };
let unmount = () => {};
const soon = (check: () => void) => vi.waitFor(check, { timeout: 10_000 });
afterEach(() => unmount());

/** A screen in this state, on a terminal of this size. */
function show(
  state: ScreenState,
  [columns, rows]: [number, number],
  raw = '',
  hasRunner = true,
  read?: ReadPane,
) {
  const stdout = new FakeStdout(columns, rows);
  const stdin = new FakeStdin();
  const output = createAgentOutput();
  output.append('parser', raw);
  const actor = startScreenActor(state);
  ({ unmount } = render(
    <ClockContext value={clock}>
      <RunnerContext value={() => hasRunner}>
        <ReadPaneContext value={read}>
          <Screen actor={actor} output={output} />
        </ReadPaneContext>
      </RunnerContext>
    </ClockContext>,
    { stdin, stdout, debug: true, exitOnCtrlC: false, patchConsole: false },
  ));
  return { stdout, stdin, actor, press: (bytes: string) => stdin.write(bytes) };
}

const running = initialState({ isOwner: true, sprint: aSprint() });
const asked = aQuestion({
  question: 'Which grammar should the parser follow? The two drafts of the standard disagree.',
  options: ['The old one', 'The new one'],
  reason: 'Both are in the repository',
  context: 'docs/grammar-1.md\ndocs/grammar-2.md',
});

describe('<Screen> at 80×24', () => {
  it('has the hints in its last line, also where no task is listed', () => {
    const { browsing, ...rest } = initialState({ isOwner: true, sprint: aSprint() });
    const filters = new Map([['tasks', { text: 'nowhere', cursor: 7 }]]);
    const { stdout } = show({ ...rest, browsing: { ...browsing, filters } }, [48, 20]);
    expect(stdout.lines).toHaveLength(20);
    expect(stdout.lines[2]).toBe(' No task has this in it');
    expect(stdout.lines[19]).toContain('↑/↓ pick ·');
  });

  it('shows tasks and output while nobody asks', () => {
    const { stdout } = show(
      running,
      [80, 24],
      'Reading the grammar\nWriting \u001B[1msrc/parser.ts\u001B[0m\n',
    );
    expect(stdout.lines).toMatchInlineSnapshot(`
      [
        " ● active  Checkout rewrite  ━━━─────── 1 of 3 done          last event 3 s ago",
        "━━ Tasks ━━━━━━━━━━━━━━━━━━━━━━━┬─ [1 Out]│2 Task│3 Diff│4 Event│5 Call│6 State",
        " ✔ done      schema             │ Reading the grammar",
        "›● active    parser         2/3 │ Writing src/parser.ts",
        " ○ pending   docs               │",
        "── parser ──────────────────────┤",
        " State     active               │",
        " Attempt   2/3                  │",
        " File      parser.md            │",
        "                                │",
        "                                │",
        "                                │",
        "                                │",
        "                                │",
        "                                │",
        "                                │",
        "                                │",
        "                                │",
        "                                │",
        "                                │",
        "                                │",
        "                                │",
        "────────────────────────────────┴───────────────────────────────────────────────",
        " ↑/↓ pick · Enter look into it · Tab switch · q stop · ? help · : commands",
      ]
    `);
  });

  it('names the way to all keys where not all of them fit', () => {
    const picked = { ...running, browsing: { ...running.browsing, task: 'parser' } };
    expect(show(picked, [80, 24]).stdout.lines.at(-1)).toBe(
      ' ↑/↓ pick · Enter look into it · Esc follow the work · ? help · : commands',
    );
  });

  it('says how far an agent is that has written nothing yet', () => {
    const at = (ms: number) => new Date(now - ms).toISOString();
    const agent = {
      runId: 'run-1',
      pid: 7,
      name: 'opencode',
      isKnown: true,
      startedAt: at(12_000),
      connectedAt: undefined,
    };
    const rows = (over: Partial<typeof agent> | { connectedAt: string }, raw = '', id = 'docs') => {
      const task = aTask({ id, state: 'active', detail: 'starting', agent: { ...agent, ...over } });
      const { lines } = show(
        initialState({ isOwner: true, sprint: aSprint({ tasks: [task] }) }),
        [80, 24],
        raw,
      ).stdout;
      unmount();
      return lines.slice(1, 22).map((line) => line.slice(33).replace(/^─*/, '').trim());
    };
    const [title, starting] = rows({});
    expect(title).toMatch(/^\[1 Out\]│2 Task│3 Diff│/);
    expect(starting).toBe('opencode is starting, 12 s');
    expect(rows({ name: 'my-agent', isKnown: false })[1]).toBe(
      'my-agent was started 12 s ago, no output yet',
    );
    expect(rows({ connectedAt: at(5_000) })[1]).toBe('opencode waits for its model, 5 s');
    // It has written since.
    expect(
      rows({ startedAt: at(0) }, 'one\n', 'parser')
        .filter((row) => row !== '')
        .slice(1),
    ).toEqual(['one']);
  });

  it('tells of no other task that an agent has written nothing yet', () => {
    const agent = {
      runId: 'run-1',
      pid: 7,
      name: 'opencode',
      isKnown: true,
      startedAt: new Date(now - 12_000).toISOString(),
      connectedAt: undefined,
    };
    const tasks = [aTask(), aTask({ id: 'docs', state: 'active', detail: 'starting', agent })];
    const sprint = aSprint({ tasks, open: [aQuestion({ task: 'parser' })] });
    const shown = show(initialState({ isOwner: true, sprint }), [80, 24]).stdout.lines.join('\n');
    expect(shown).toContain('No output yet');
    expect(shown).not.toContain('is starting');
  });

  it('marks and shows the task that keys act on, whoever wrote last', async () => {
    const startedAt = new Date(now - 12_000).toISOString();
    const agent = {
      runId: 'run-1',
      pid: 7,
      name: 'opencode',
      isKnown: true,
      startedAt,
      connectedAt: undefined,
    };
    const parser = aTask({ id: 'parser', state: 'done', detail: 'completed' });
    const docs = aTask({ id: 'docs', state: 'active', detail: 'starting', agent });
    const possible = { sprint: [], tasks: new Map([['docs', ['cancel'] as const]]) };
    const sprint = aSprint({ tasks: [parser, docs], possible });
    const { stdout, actor, press } = show(initialState({ isOwner: true, sprint }), [80, 24], 'parsed\n');
    const marked = stdout.lines.find((line) => line.startsWith('›'));
    expect(marked).toContain('active    docs');
    expect(stdout.lines.join('\n')).toContain('opencode is starting, 12 s');
    expect(stdout.lines.join('\n')).not.toContain('parsed');
    press('X');
    await soon(() =>
      expect(actor.getSnapshot().context.focus).toMatchObject({ act: 'cancel', task: 'docs' }),
    );
  });

  it('says where the output is that is not here', () => {
    const startedAt = new Date(now - 12_000).toISOString();
    const ran = { name: 'codex', model: undefined, startedAt, endedAt: undefined };
    const shown = (task: object) => {
      const sprint = aSprint({ tasks: [aTask({ ran, ...task })] });
      const { stdout } = show(initialState({ isOwner: false, sprint }), [120, 40]);
      const row = stdout.lines.find((line) => line.includes('No output'));
      unmount();
      return row?.split('│').at(-1)?.trim();
    };
    expect(shown({})).toBe('No output yet');
    expect(shown({ worker: 'gpu-1' })).toBe('No output here: worker gpu-1 keeps it');
    expect(shown({ ran: { ...ran, endedAt: startedAt } })).toBe(
      'No output here: none was written, or on another machine',
    );
  });

  it('says that a sprint is being prepared before anything is known of it', () => {
    const sprint = aSprint({ tasks: [], version: 0 });
    const shown = (isOwner: boolean) =>
      show(initialState({ isOwner, sprint }), [80, 24]).stdout.lines[2] ?? '';
    expect(shown(true)).toContain('│ Preparing the sprint…');
    unmount();
    expect(shown(false)).toContain('│ No output yet');
  });

  it('shows a question with its options, and a box for the answer', () => {
    const { stdout } = show(answering(asked), [80, 24], 'Reading the grammar\n');
    expect(stdout.lines).toMatchInlineSnapshot(`
      [
        " ■ blocked  Checkout rewrite  ━━━─────── 1/3           ? 1 question   quiet 3 s",
        "── Tasks ───────────────────────┬─ [1 Out]│2 Task│3 Diff│4 Event│5 Call│6 State",
        " ✔ done      schema             │ Reading the grammar",
        "›■ blocked   parser    2/3 12 s │",
        " ○ pending   docs               │",
        "── parser ──────────────────────┤",
        " State     blocked: waits for   │",
        "           an answer, 12 s      │",
        " Attempt   2/3                  │",
        " File      parser.md            │",
        "                                │",
        "━━ Question · demo-agent asks about parser ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━",
        " ┃ Reason: Both are in the repository",
        " ┃ Which grammar should the parser follow? The two drafts of the standard",
        " ┃ disagree.",
        " ┃ Context:",
        " ┃   docs/grammar-1.md",
        " ┃   docs/grammar-2.md",
        " ┃  1  The old one",
        " ┃  2  The new one",
        "╭──────────────────────────────────────────────────────────────────────────────╮",
        "│ >  Type an answer, or the number of an option                                │",
        "╰──────────────────────────────────────────────────────────────────────────────╯",
        " Enter answer · ↑/↓ choose · Esc back · ^R reject · ^X dismiss · ^C stop",
      ]
    `);
  });

  it('marks every state with a sign and a state', () => {
    const states = [
      ['pending', undefined],
      ['active', 'working'],
      ['active', 'retrying'],
      ['blocked', 'question'],
      ['done', 'completed'],
      ['done', 'failed'],
      ['done', 'skipped'],
      ['done', 'cancelled'],
    ] as const;
    const tasks = states.map(([state, detail]) => aTask({ id: detail ?? state, state, detail }));
    const { stdout } = show(initialState({ isOwner: true, sprint: aSprint({ tasks }) }), [80, 24]);
    expect(stdout.lines.slice(2, 10).map((line) => line.slice(0, 30).trimEnd())).toMatchInlineSnapshot(`
      [
        " ○ pending   pending",
        "›● active    working",
        " ● retrying  retrying",
        " ■ blocked   question",
        " ✔ done      completed",
        " ✗ failed    failed",
        " – skipped   skipped",
        " ✗ cancelled cancelled",
      ]
    `);
  });

  it('has ids that are whole where the words for states can do with less', () => {
    const tasks = [
      aTask({ id: 'invoice-api', state: 'done', detail: 'completed' }),
      aTask({ id: 'payments-webhook-once', state: 'active', detail: 'working', attempt: 1 }),
    ];
    const { stdout } = show(initialState({ isOwner: true, sprint: aSprint({ tasks }) }), [80, 24]);
    expect(stdout.lines.slice(2, 4).map((line) => line.slice(0, 32).trimEnd())).toEqual([
      ' ✔ done   invoice-api',
      '›● active payments-webhook-once',
    ]);
  });

  it('says which task a task waits for, and how many more where there is no room', () => {
    const tasks = [
      aTask({ id: 'db', state: 'active', detail: 'working', attempt: 1 }),
      aTask({ id: 'docs', waitsFor: ['db'] }),
      aTask({ id: 'site', waitsFor: ['db', 'docs'] }),
    ];
    const { stdout } = show(initialState({ isOwner: true, sprint: aSprint({ tasks }) }), [80, 24]);
    expect(
      stdout.lines.slice(3, 5).map((line) =>
        line
          .slice(0, 32)
          .trimEnd()
          .split(/\s{2,}/),
      ),
    ).toEqual([
      [' ○ pending', 'docs', 'waits for db'],
      [' ○ pending', 'site', '← db +1'],
    ]);
  });

  it('says who skipped or cancelled a task and why, and that the sprint is done without it', () => {
    const tasks = [
      aTask({ id: 'a', state: 'done', detail: 'completed' }),
      aTask({ id: 'b', state: 'done', detail: 'skipped', setAside: { by: 'ann', reason: 'not needed' } }),
      aTask({ id: 'c', state: 'done', detail: 'cancelled', setAside: { by: 'ann' } }),
    ];
    const sprint = aSprint({ state: 'done', detail: 'completed', tasks });
    const { stdout } = show(initialState({ isOwner: true, sprint }), [120, 24]);
    const lines = stdout.lines.map((line) => line.slice(0, 55).trimEnd());
    expect(lines).toContainEqual(expect.stringMatching(/^ – skipped {3}b +by ann: not needed/));
    expect(lines).toContainEqual(expect.stringMatching(/^ ✗ cancelled c +by ann/));
    expect(stdout.lines.join('\n')).toContain('✔ The sprint is done, without 2 tasks skipped or cancelled');
  });

  it('shows a long question of the past from its beginning, and what was said to it', () => {
    const question = Array.from({ length: 30 }, (_, line) => `line ${line + 1}`).join('\n');
    const arrived = {
      moment: {
        version: 4,
        length: 7,
        at: now,
        afterMs: 0,
        title: 'x',
        text: '',
        task: 'a',
        mark: undefined,
      },
      sprint: aBlockedSprint(aQuestion({ question })),
      index: new HistoryIndex(),
      outcomes: new Map([['q-1', 'ada answered: The new one']]),
      found: undefined,
      isBeginning: false,
    };
    const then = stepScreen(running, { type: 'moment', arrived }, () => undefined);
    const { stdout } = show(then, [80, 24]);
    const lines = stdout.lines.map((line) => line.trim());
    const rule = lines.findIndex((line) => /lines 1–\d+ of 30/.test(line));
    expect(lines[rule + 1]).toMatch(/ line 1$/);
    expect(lines).toContain('ada answered: The new one');
  });

  it('says how many lines of a long question there are, and scrolls them', async () => {
    const question = Array.from({ length: 30 }, (_, line) => `line ${line + 1}`).join('\n');
    const { stdout, stdin, press } = show(answering(aQuestion({ question })), [80, 24]);
    expect(stdout.lines.join('\n')).toContain('lines 1–12 of 30');
    await soon(() => expect(stdin.isRaw).toBe(true));
    press('\u001B[6~');
    await soon(() => expect(stdout.lines.join('\n')).toContain('lines 12–23 of 30'));
    expect(stdout.lines).toContain(' ┃ line 12');
    expect(stdout.lines).not.toContain(' ┃ line 11');
  });

  it('keeps the options in sight below a long question, and marks the one that is chosen', async () => {
    const question = Array.from({ length: 30 }, (_, line) => `line ${line + 1}`).join('\n');
    const { stdout, stdin, press } = show(answering(aQuestion({ ...asked, question })), [80, 24]);
    await soon(() => expect(stdin.isRaw).toBe(true));
    press('\u001B[B');
    await soon(() => expect(stdout.lines).toContain(' ┃ ›1  The old one'));
    press('\u001B[6~');
    await soon(() => expect(stdout.lines).toContain(' ┃ line 10'));
    expect(stdout.lines.slice(7, -1)).toMatchInlineSnapshot(`
      [
        "━━ Question · demo-agent asks about parser ━━━━━━━━━━━━━━━━━ lines 10–19 of 34 ━",
        " ┃ line 9",
        " ┃ line 10",
        " ┃ line 11",
        " ┃ line 12",
        " ┃ line 13",
        " ┃ line 14",
        " ┃ line 15",
        " ┃ line 16",
        " ┃ line 17",
        " ┃ line 18",
        " ┃ ›1  The old one",
        " ┃  2  The new one",
        "╭──────────────────────────────────────────────────────────────────────────────╮",
        "│ > Type an answer, or the number of an option                                 │",
        "╰──────────────────────────────────────────────────────────────────────────────╯",
      ]
    `);
  });

  it('shows what a number stands for, and warns of a secret', () => {
    const typed = (text: string): ScreenState => ({
      ...answering(asked),
      drafts: new Map([['q-1', { text, cursor: text.length }]]),
    });
    const picked = show(typed('2'), [80, 24]);
    expect(picked.stdout.lines).toContain(' Sends option 2: The new one');
    unmount();
    const secret = show(typed(`sk-${'a1'.repeat(12)}`), [80, 24]);
    expect(secret.stdout.lines).toContain(' This looks like a secret, and answers are stored in the log');
  });

  it.each<[words: string, said: Partial<Question>]>([
    ['[sudo] password for ada:', {}],
    ['Kata laluan:', { secret: true }],
  ])('warns before a secret is typed where a program asks for one: %s', (words, said) => {
    const password = aQuestion({ kind: 'prompt', question: words, ...said });
    const { stdout } = show(answering(password), [80, 24]);
    expect(stdout.lines).toContain(' A secret is asked for, and answers are stored in the log');
    expect(stdout.lines.join('\n')).toContain('Prompt · demo-agent waits at a prompt in parser');
  });

  it('says that a number names no option, and which option words are', () => {
    const typed = (text: string): ScreenState => ({
      ...answering(asked),
      drafts: new Map([['q-1', { text, cursor: text.length }]]),
    });
    expect(show(typed('7'), [80, 24]).stdout.lines).toContain(
      ' No option has this number: 7 is sent as it is',
    );
    unmount();
    expect(show(typed('The new one'), [80, 24]).stdout.lines).toContain(' Sends option 2: The new one');
  });

  it.each([
    ['13', ' No option 13: it is sent as it is. Several: 1,3'],
    ['1,3', ' No option 1,3: it is sent as it is. Several: 1,3'],
    ['1,2', undefined],
    ['13 of them', undefined],
  ])('says that numbers name no options of several: %s', (text, remark) => {
    const state: ScreenState = {
      ...answering(aQuestion({ options: ['The old one', 'The new one'], isMultiple: true })),
      drafts: new Map([['q-1', { text, cursor: text.length }]]),
    };
    const said = show(state, [80, 24]).stdout.lines.filter((line) => line.startsWith(' No option'));
    expect(said).toEqual(remark === undefined ? [] : [remark]);
  });

  it('turns the box into one for the reason of a rejection', () => {
    const state: ScreenState = {
      ...answering(asked, aQuestion({ id: 'q-2' })),
      focus: { at: 'reject', back: 'answer' },
      drafts: new Map([['q-1', { text: '2', cursor: 1 }]]),
    };
    expect(show(state, [80, 24]).stdout.lines.slice(-13)).toMatchInlineSnapshot(`
      [
        " ┃ Reason: Both are in the repository",
        " ┃ Which grammar should the parser follow? The two drafts of the standard",
        " ┃ disagree.",
        " ┃ Context:",
        " ┃   docs/grammar-1.md",
        " ┃   docs/grammar-2.md",
        " ┃  1  The old one",
        " ┃  2  The new one",
        "╭──────────────────────────────────────────────────────────────────────────────╮",
        "│ >  Reason for rejecting it                                                   │",
        "╰──────────────────────────────────────────────────────────────────────────────╯",
        " Rejecting this question: the agent is told why",
        " Enter reject · Esc back · Alt+Enter line · ^G editor",
      ]
    `);
    unmount();
    const typed = { ...state, reasons: new Map([['q-1', { text: 'Not mine', cursor: 8 }]]) };
    expect(show(typed, [80, 24]).stdout.lines.at(-4)).toMatch(/^│ > Not mine +│$/);
  });

  it.each([
    ['help', '━━ Question · demo-agent asks about parser ━'],
    ['clarification', '━━ Question · demo-agent asks about parser ━'],
    ['approval', '━━ Approval · demo-agent wants to call a tool for parser ━'],
    ['prompt', '━━ Prompt · demo-agent waits at a prompt in parser ━'],
  ] as const)('names the kind %s', (kind, title) => {
    const { lines } = show(answering(aQuestion({ kind })), [80, 24]).stdout;
    expect(lines.filter((line) => line.startsWith(title))).toHaveLength(1);
  });

  it('says since when an agent is parked, and what starts it again', () => {
    const parkedSince = new Date(now - 7_200_000).toISOString();
    const task = aTask({ id: 'parser', state: 'blocked', detail: 'question', parkedSince });
    const state = initialState({
      isOwner: true,
      sprint: aSprint({ tasks: [task], open: [aQuestion({ isAwaited: false })] }),
    });
    const { lines } = show(state, [80, 24]).stdout;
    expect(lines[2]).toMatch(/^›■ blocked {3}parser {2}parked 2 h +│/);
    expect(lines.join('\n')).toMatch(
      /\n Parked since 20\d\d-\d\d-\d\d \d\d:\d\d, starts again with the answer\n/,
    );
  });

  it('counts several questions, and says when nobody waits for the answer', () => {
    const alone = aQuestion({ id: 'q-2', kind: 'clarification', isAwaited: false });
    const state = answering(aQuestion(), alone, aQuestion({ id: 'q-3' }));
    expect(show({ ...state, current: 'q-2' }, [80, 24]).stdout.lines.slice(-7)).toMatchInlineSnapshot(`
      [
        "━━ Question 2 of 3 · demo-agent asks about parser ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━",
        " ┃ Which grammar?",
        "╭──────────────────────────────────────────────────────────────────────────────╮",
        "│ >  Type an answer                                                            │",
        "╰──────────────────────────────────────────────────────────────────────────────╯",
        " No agent waits: the next attempt is told",
        " Enter answer · Tab others · Esc back · ^R reject · ^X dismiss · ^C stop",
      ]
    `);
    unmount();
    expect(show(state, [80, 24]).stdout.lines.join('\n')).not.toContain('No agent waits');
  });

  it('shows the control characters of a question, and keeps them out of the output', () => {
    const hostile = '\u001B[2J\u001B]52;c;aGk=\u0007safe\u202E';
    const { stdout } = show(answering(aQuestion({ question: hostile })), [80, 24], `${hostile}\n`);
    expect(stdout.lines).toContain(String.raw` ┃ \u001b[2J\u001b]52;c;aGk=\u0007safe\u202e`);
    expect(stdout.lines[2]).toMatch(/│ safe$/);
  });

  it('shows the answer a repeated question follows', () => {
    const { stdout } = show(answering(aQuestion({ earlierAnswer: 'The new one' })), [80, 24]);
    expect(stdout.lines).toContain(' ┃ You answered before: The new one');
  });

  it.each([
    [aSprint({ state: 'done', detail: 'completed' }), true, ' ✔ The sprint is done'],
    [aSprint({ state: 'done', detail: 'completed' }), false, ' ✔ The sprint is done · q leaves'],
    [
      aSprint({ state: 'done', detail: 'failed', lastFailure: 'parser: 2 attempts' }),
      true,
      ' ✗ The sprint failed: parser: 2 attempts',
    ],
  ])('says how the sprint ended', (sprint, isOwner, line) => {
    expect(show(initialState({ isOwner, sprint }), [80, 24]).stdout.lines).toContain(line);
  });
});

it('names the keys that show what an option would look like, as the last line does', () => {
  const { stdout } = show(answering(aQuestion({ questions: storeForm })), [80, 24]);
  expect(stdout.lines).toContain(' ┃   ↑/↓ shows what an option would look like');
});

it('keeps the options in sight at 60×10 beside a remark', () => {
  const notice = { tone: 'warning', text: 'Not recorded. Somebody else has answered' } as const;
  const { stdout } = show({ ...answering(asked), notice }, [60, 10]);
  expect(stdout.lines).toMatchInlineSnapshot(`
    [
      " ■ blocked  Checkout rewrite  1/3             ? 1 question",
      "━━ Question · demo-agent, parser ━━━━━━━━━━ lines 1–3 of 6 ━",
      " ┃ Reason: Both are in the repository",
      " ┃ Which grammar should the parser follow? The two drafts",
      " ┃ of the standard disagree.",
      " ┃  1  The old one",
      " ┃  2  The new one",
      "  >  Type an answer, or the number of an option",
      " Not recorded. Somebody else has answered",
      " Enter answer · ↑/↓ choose · PgDn more · Esc back",
    ]
  `);
});

describe('the first line in the past', () => {
  const then = (sprint: ScreenState['sprint'], present = running) => {
    const moment = { version: 4, length: 7, at: now, afterMs: 0, title: 'x', text: '' };
    const arrived = {
      moment: { ...moment, task: 'a', mark: undefined },
      sprint,
      index: new HistoryIndex(),
      outcomes: new Map<string, string>(),
      found: undefined,
      isBeginning: false,
    };
    return stepScreen(present, { type: 'moment', arrived }, () => undefined);
  };

  it.each([40, 60, 80, 120, 200])(
    'says so in %i columns, and calls nobody to what waited then',
    (columns) => {
      const asking = aBlockedSprint(aQuestion(), aCallQuestion({ id: 'c-1' }));
      for (const sprint of [asking, aSprint({ state: 'done', detail: 'completed' })]) {
        for (const hasRunner of [true, false]) {
          const [header = ''] = show(then(sprint), [columns, 24], '', hasRunner).stdout.lines;
          expect(header).toMatch(/  PAST$/);
          expect(header).not.toContain('?');
          unmount();
        }
      }
    },
  );

  it.each([80, 120, 200])('has a word of the past for what was asked, in %i columns', (columns) => {
    const asking = aBlockedSprint(aQuestion(), aCallQuestion({ id: 'c-1' }));
    const [header = ''] = show(then(asking), [columns, 24]).stdout.lines;
    expect(header).toMatch(/ (1 question, 1 approval|2 open) waited   PAST$/);
  });

  it.each([40, 80, 120, 200])('has the way back to now among the first keys in %i columns', (columns) => {
    const over = initialState({ isOwner: false, sprint: aSprint({ state: 'done', detail: 'completed' }) });
    const { lines } = show(then(aSprint(), over), [columns, 24]).stdout;
    expect(lines.at(-1)).toMatch(/^ ←\/→ event · L back to now/);
  });
});

describe('the key hints', () => {
  it('follow the focus', async () => {
    const { stdout, stdin, press } = show({ ...answering(asked), isOwner: false }, [80, 24]);
    const hints = () => stdout.lines.at(-1);
    expect(hints()).toBe(' Enter answer · ↑/↓ choose · Esc back · ^R reject · ^X dismiss · ^C leave');
    await soon(() => expect(stdin.isRaw).toBe(true));
    press('\u0018');
    await soon(() => expect(hints()).toBe(' y dismiss · n keep'));
    press('n');
    await soon(() => expect(hints()).toContain('^C leave'));
    press('\u001B');
    await soon(() =>
      expect(hints()).toBe(' i answer · ^R reject · ^X dismiss · ↑/↓ pick · ? help · q leave · : commands'),
    );
    const picked = () => stdout.lines.find((line) => line.startsWith('›'));
    press('\u001B[A');
    await soon(() => expect(picked()).toContain('schema'));
    press('j');
    await soon(() => expect(picked()).toContain('parser'));
  });
});

describe('a question that would leave the panes less than half of the screen', () => {
  const inOutput = (state: ScreenState): ScreenState => ({
    ...state,
    focus: { at: 'sprint' },
    browsing: { ...state.browsing, area: 'detail' },
  });
  const form = ['A', 'B'].map((title) => ({ title, question: `${title}?` }));
  const long = Array.from({ length: 30 }, (_, line) => `line ${line + 1}`).join('\n');

  it('is folded while they have the keys, whose names come first', () => {
    const { lines } = show(inOutput(answering(asked)), [80, 24]).stdout;
    expect(lines).toHaveLength(24);
    expect(lines.slice(-5)).toMatchInlineSnapshot(`
      [
        "                                │",
        "── Question · demo-agent asks about parser ─────────────────────────────────────",
        " ┃ Which grammar should the parser follow? The two drafts of the standard disa…",
        " ┃ 2 options · i answer",
        " h/l pane · / filter · Esc back · ^R reject · ^X dismiss · ? help · : commands",
      ]
    `);
  });

  it.each([
    ['a question of several', aQuestion({ question: long, questions: form }), '2 questions · i answer'],
    ['a question in the list of tasks', aQuestion({ question: long }), 'i or Enter answer'],
    ['a call', aCallQuestion(), 'i decide'],
  ])('says in its last row how to go to it: %s', (what, question, last) => {
    const left = inOutput(answering(question));
    const area = what.endsWith('tasks') ? 'tasks' : 'detail';
    const { lines } = show({ ...left, browsing: { ...left.browsing, area } }, [80, 20]).stdout;
    expect(lines.slice(-2, -1)).toEqual([` ┃ ${last}`]);
  });

  it.each([
    ['a question', asked, '2\r', 'answer'],
    ['a call', aCallQuestion(), 'y', 'decide'],
  ] as const)(
    'is unfolded by its key, and takes none before it was seen: %s',
    async (_what, question, keys, at) => {
      const { stdout, stdin, actor, press } = show(inOutput(answering(question)), [80, 20]);
      const effects: string[] = [];
      actor.on('*', ({ type }) => effects.push(type));
      const focus = () => actor.getSnapshot().context.focus;
      const isFolded = () => stdout.lines.some((line) => /┃ (.* · )?i /.test(line));
      await soon(() => expect(stdin.isRaw).toBe(true));
      expect(isFolded()).toBe(true);
      press('i');
      await soon(() => expect(isFolded()).toBe(false));
      for (const key of keys) press(key);
      await soon(() => expect(focus()).toEqual({ at: 'arming', dropped: keys.length }));
      await soon(() => expect(focus().at).toBe(at));
      expect(effects.filter((type) => type === 'answer' || type === 'approve')).toEqual([]);
    },
  );

  it('is unfolded by Tab, too, which leads into no box', async () => {
    const { stdout, stdin, actor, press } = show(inOutput(answering(asked)), [80, 24]);
    await soon(() => expect(stdin.isRaw).toBe(true));
    press('\t');
    await soon(() => expect(stdout.lines).toContain('│ > i or Enter: answer'.padEnd(79) + '│'));
    expect(actor.getSnapshot().context.focus.at).toBe('sprint');
  });
});

describe('<Screen> at 200×60', () => {
  it('says until when the usage limit of a task lasts, while it does', () => {
    const waiting = (limitedUntil: string) =>
      initialState({
        isOwner: true,
        sprint: aSprint({
          tasks: [aTask({ state: 'active', detail: 'starting', attempt: 1, limitedUntil })],
        }),
      });
    const lineOf = (limitedUntil: string, size: [number, number] = [200, 60]) =>
      show(waiting(limitedUntil), size).stdout.lines[2];
    const soonOver = new Date(now + 60_000).toISOString();
    expect(lineOf(soonOver)).toMatch(/parser +limited until \d\d:\d\d/);
    unmount();
    expect(lineOf(soonOver, [80, 24])).toMatch(/parser until \d\d:\d\d/);
    unmount();
    expect(lineOf(new Date(now - 1).toISOString())).not.toContain('limit');
  });

  it('has what agents write and another pane side by side, and the keys in one of them', async () => {
    const content = (pane: string, task: string): Promise<PaneContent> =>
      Promise.resolve({
        lines: () => [{ at: 0, line: { spans: [{ text: `${pane} of ${task}`, style: 'plain' }] } }],
        empty: '',
      });
    const { stdout, stdin, press } = show(running, [200, 60], 'Reading\n', true, content);
    const rule = () => stdout.lines[1] ?? '';
    const row = () =>
      (stdout.lines[2] ?? '')
        .split('│')
        .slice(1)
        .map((cell) => cell.trim());
    await soon(() => expect(row()).toEqual(['Reading', 'task of parser']));
    expect(rule()).toMatch(/┬[─━] \[1 Output\] [─━]+ parser [─━]┬[─━] 2 Task {2}3 Changes {2}4 Events/);
    await soon(() => expect(stdin.isRaw).toBe(true));
    press('4');
    await soon(() =>
      expect(rule()).toMatch(/┬[─━] 1 Output [─━]+ parser [─━]┬[─━] 2 Task {2}3 Changes {2}\[4 Events\]/),
    );
    press('1');
    await soon(() => expect(row()).toEqual(['Reading', '› events of parser']));
  });

  it('gives most room to the pane that has the keys, beside a question that waits', async () => {
    const { stdout, stdin, press } = show(answering(asked), [200, 60], 'Reading\n');
    const widths = () => (stdout.lines.at(-2) ?? '').split('┴').map(({ length }) => length);
    const [list = 0, output = 0, question = 0] = widths();
    expect(question).toBeGreaterThan(output);
    await soon(() => expect(stdin.isRaw).toBe(true));
    press('\u001B');
    await soon(() => expect(stdout.lines.at(-1)).toContain('^R reject'));
    press('1');
    // Each has a line before it.
    await soon(() => expect(widths()).toEqual([list, question, output]));
  });

  it('gives the room to the panes', () => {
    const output = Array.from({ length: 80 }, (_, line) => `step ${line + 1}\n`).join('');
    const { stdout } = show(answering(asked, aQuestion({ id: 'q-2' })), [200, 60], output);
    const { lines } = stdout;
    expect(lines).toHaveLength(60);
    expect([...lines.slice(0, 8), '', ...lines.slice(-14)]).toMatchInlineSnapshot(`
      [
        " ■ blocked  Checkout rewrite  ━━━━━━────────────── 1 of 3 done · 1 blocked · 1 pending                                                                               ? 2 questions   last event 3 s ago",
        "── Tasks ─────────────────────────────────────┬─ [1 Output]  2 Task  3 Changes  4 Events  5 Calls  6 States ─────┬━━ Question 1 of 2 · demo-agent asks about parser ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━",
        " ✔ done      schema                           │ step 25                                                         ▲│ ┃ Reason: Both are in the repository",
        "›■ blocked   parser                  2/3 12 s │ step 26                                                          │ ┃ Which grammar should the parser follow? The two drafts of the standard disagree.",
        " ○ pending   docs                             │ step 27                                                          │ ┃ Context:",
        "── parser ────────────────────────────────────┤ step 28                                                          │ ┃   docs/grammar-1.md",
        " State     blocked: waits for an answer, 12 s │ step 29                                                          │ ┃   docs/grammar-2.md",
        " Attempt   2/3                                │ step 30                                                          │ ┃",
        "",
        "                                              │ step 69                                                         ▐│",
        "                                              │ step 70                                                         ▐│",
        "                                              │ step 71                                                         ▐│",
        "                                              │ step 72                                                         ▐│",
        "                                              │ step 73                                                         ▐│",
        "                                              │ step 74                                                         ▐│",
        "                                              │ step 75                                                         ▐│",
        "                                              │ step 76                                                         ▐│",
        "                                              │ step 77                                                         ▐│",
        "                                              │ step 78                                                         ▐│",
        "                                              │ step 79                                                         ▐│",
        "                                              │ step 80                                                         ▐│",
        "──────────────────────────────────────────────┴──────────────────────────────────────────────────────────────────┴──────────────────────────────────────────────────────────────────────────────────────",
        " Tab others · Esc back · ^C stop",
      ]
    `);
  });
});

describe('<Screen> on small terminals', () => {
  it('shows one pane at a time below 60 columns', async () => {
    const { stdout, stdin, press } = show(
      { ...answering(asked), focus: { at: 'sprint' } },
      [50, 14],
      'Reading\n',
    );
    expect(stdout.lines).toMatchInlineSnapshot(`
      [
        " ■ blocked  Checkout rewrite  1/3   ? 1 question",
        "━━ Question · demo-agent asks about parser ━━━━━━━",
        " ┃ Reason: Both are in the repository",
        " ┃ Which grammar should the parser follow? The",
        " ┃ two drafts of the standard disagree.",
        " ┃ Context:",
        " ┃   docs/grammar-1.md",
        " ┃   docs/grammar-2.md",
        " ┃  1  The old one",
        " ┃  2  The new one",
        "╭────────────────────────────────────────────────╮",
        "│ > i or Enter: answer                           │",
        "╰────────────────────────────────────────────────╯",
        " i answer · ^R reject · ^X dismiss · ↑/↓ pick",
      ]
    `);
    await soon(() => expect(stdin.isRaw).toBe(true));
    press('v');
    await soon(() => expect(stdout.lines[1]).toMatch(/^── Tasks ─/));
    press('v');
    await soon(() => expect(stdout.lines[1]).toMatch(/^── Output · parser ─/));
  });

  it('names in the box of a question that was left only keys that lead into it', async () => {
    const left: ScreenState = { ...answering(asked), focus: { at: 'sprint' } };
    const inEvents = { ...left, browsing: { ...left.browsing, area: 'detail', pane: 'events' } } as const;
    const { stdout } = show(inEvents, [100, 40]);
    await soon(() => expect(stdout.lines.join('\n')).toMatch(/│ > i: answer +│/));
  });

  it.each<[number, number]>([
    [39, 24],
    [80, 9],
  ])('says that %i×%i is too small, and acts on no key but Ctrl+C', async (columns, rows) => {
    const { stdout, stdin, actor, press } = show(running, [columns, rows]);
    const effects: string[] = [];
    actor.on('*', ({ type }) => effects.push(type));
    expect(stdout.lines.slice(0, 2)).toEqual(['Terminal too small', `${columns}×${rows}, needs 40×10`]);
    await soon(() => expect(stdin.isRaw).toBe(true));
    press('q\u0003');
    await soon(() => expect(effects).toEqual(['stop']));
    expect(stdout.lines[0]).toBe('Terminal too small');
  });

  it.each<[number, number]>([
    [1, 1],
    [2, 30],
    [3, 10],
    [300, 1],
  ])('stands on a terminal of %i×%i with whatever is asked', (columns, rows) => {
    for (const state of [answering(asked), answering(aCallQuestion()), running]) {
      const { stdout } = show(state, [columns, rows]);
      expect(stdout.lines.length).toBeLessThanOrEqual(rows);
      expect(stdout.lines[0]).toBe('Terminal too small'.slice(0, columns).trimEnd());
      unmount();
    }
  });

  it.each([
    [80, 'waits in the queue'],
    [50, 'in the queue'],
  ])('says that the sprint waits in the queue, on %i columns', (columns, ending) => {
    const queued = aSprint({ queuedAt: '2026-01-31T11:59:00.000Z' });
    const [line = ''] = show(initialState({ isOwner: false, sprint: queued }), [columns, 14], '', false)
      .stdout.lines;
    expect(line.endsWith(`  ${ending}`)).toBe(true);
  });

  it.each([
    [102, true, '? 1 question, 2 approvals   quiet 3 s'],
    [140, true, '? 1 question, 2 approvals   last event 3 s ago'],
    [60, true, '? 3 open   quiet 3 s'],

    [50, true, '? 3 open'],
    [40, true, '? 3 open'],
    [60, false, '? 3 open   no runner at work'],
  ])(
    'says how many wait for what, on %i columns, whatever the sprint is called',
    (columns, hasRunner, ending) => {
      const open = [asked, ...['c-1', 'c-2'].map((id) => aCallQuestion({ id }))];
      const name = 'A name that nobody can read to its end, 寿司'.repeat(5);
      const sprint = { ...answering(...open).sprint, name };
      const [line = ''] = show({ ...answering(...open), sprint }, [columns, 14], '', hasRunner).stdout.lines;
      expect(line).toMatch(/^ ■ blocked {2}.*…  (━+─+ )?1(\/3| of 3 done)/);
      expect(line.endsWith(ending)).toBe(true);
    },
  );

  it.each([
    [80, 24],
    [50, 14],
  ] as const)('says what becomes of a task before it is ended at %i×%i', (columns, rows) => {
    const reason = { text: 'no use', cursor: 6 };
    const focus = { at: 'act-sure', isArmed: true, act: 'cancel', task: 'parser', reason } as const;
    const { tasks } = aSprint();
    const needing = aTask({ id: 'docs', dependsOn: ['parser'] });
    const sprint = aSprint({ tasks: [...tasks.slice(0, 2), needing], open: [aQuestion()] });
    const { lines } = show({ ...initialState({ isOwner: true, sprint }), focus }, [columns, rows]).stdout;
    const shown = lines.filter((line) => line !== '').map((line) => line.replaceAll(/[─━┴┷]{2,}/g, '──'));
    expect(shown.slice(-9)).toEqual([
      '── Cancel parser ──',
      ' It ends for good, without being done.',
      ' What it asks is dismissed.',
      ' docs will never start.',
      '╭──╮',
      `│ > no use${' '.repeat(columns - 11)}│`,
      '╰──╯',
      ' Cancel parser? y/n',
      ' y cancel it · n no',
    ]);
  });

  it('rejects at 50×14, too', () => {
    const state: ScreenState = {
      ...answering(aQuestion({ isAwaited: false }), aQuestion({ id: 'q-2' })),
      focus: { at: 'reject', back: 'answer' },
    };
    expect(show(state, [50, 14]).stdout.lines).toMatchInlineSnapshot(`
      [
        " ■ blocked  Checkout rewri…  1/3   ? 2 questions",
        "━━ Question 1 of 2 · demo-agent, parser ━━━━━━━━━━",
        " ┃ Which grammar?",
        " ┃",
        " ┃",
        " ┃",
        " ┃",
        " ┃",
        "╭────────────────────────────────────────────────╮",
        "│ >  Reason for rejecting it                     │",
        "╰────────────────────────────────────────────────╯",
        " Rejecting this question: the agent is told why",
        " No agent waits: the next attempt is told",
        " Enter reject · Esc back · Alt+Enter line",
      ]
    `);
  });

  it('fits into 40×10 with everything at once', () => {
    const state: ScreenState = {
      ...answering(aQuestion({ question: 'long '.repeat(200) })),
      focus: { at: 'confirm', isArmed: true, back: 'answer' },
      drafts: new Map([['q-1', { text: 'a\nb\nc\nd', cursor: 0 }]]),
    };
    const { lines } = show(state, [40, 10]).stdout;
    expect(lines).toHaveLength(10);
    expect(lines.slice(-2)).toEqual([' Dismiss this question? y/n', ' y dismiss · n keep']);
  });
});

describe('the questions a screen opens with', () => {
  it('take no keys until the box was seen', async () => {
    const { stdout, stdin, press, actor } = show(
      initialState({ isOwner: true, sprint: aBlockedSprint(asked) }),
      [80, 24],
    );
    expect(stdout.lines.join('\n')).not.toContain('Type an answer');
    await soon(() => expect(stdin.isRaw).toBe(true));
    await soon(() => expect(stdout.lines.join('\n')).toContain('Type an answer'));
    await soon(() => expect(actor.getSnapshot().context.focus.at).toBe('answer'));
    press('late');
    await soon(() => expect(stdout.lines.join('\n')).toContain('> late'));
  });
});
