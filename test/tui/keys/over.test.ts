import { describe, expect, it } from 'vitest';
import { hintsOf } from '../../../src/tui/keys/keymap.ts';
import type { Effect } from '../../../src/tui/screen/screen-effect.ts';
import type { ScreenEvent } from '../../../src/tui/screen/screen-event.ts';
import type { ScreenState } from '../../../src/tui/screen/screen-state.ts';
import { initialState } from '../../../src/tui/screen/screen-state.ts';
import { stepScreen } from '../../../src/tui/screen/step-screen.ts';
import { remarksOf } from '../../../src/tui/screen/remarks.ts';
import { summaryRows } from '../../../src/tui/text/summary-rows.ts';
import { cellsOf } from '../../../src/lib/text/cells.ts';
import { noUsage } from '../../../src/machines/usage.ts';
import type { SprintSummary } from '../../../src/views/sprints/sprint-summary.ts';
import { answering, aQuestion, aSprint, aSummary, aTask, room, typed } from '../../helpers/screen-views.ts';

const rowsOf = (
  of: SprintSummary,
  {
    titles = new Map<string, string>(),
    ...context
  }: Omit<Parameters<typeof summaryRows>[1], 'titles'> & { titles?: Map<string, string> },
) => summaryRows(of, { titles, ...context });

const failed = aTask({
  id: 'parser',
  state: 'done',
  detail: 'failed',
  attempt: 2,
  lastFailure: 'the tests fail',
  waitedMs: 1_000,
});
const done = aTask({ id: 'schema', state: 'done', detail: 'completed', attempt: 1 });
const over = aSprint({ state: 'done', detail: 'failed', tasks: [done, failed] });
const summary = aSummary({
  tookMs: 724_000,
  workedMs: 480_000,
  waitedMs: 182_000,
  attempts: 3,
  questions: 2,
  approvals: 1,
  tasks: [
    { ...done, workedMs: 180_000, usage: { ...noUsage, input: 1_200, output: 4 } },
    { ...failed, workedMs: 300_000 },
  ],
});

function given(state: ScreenState, ...events: ScreenEvent[]) {
  const effects: Effect[] = [];
  const after = events.reduce(
    (now, event) => stepScreen(now, event, (effect) => effects.push(effect)),
    state,
  );
  return { state: after, effects: effects.filter(({ type }) => type !== 'load') };
}

const key = (name: string): ScreenEvent => ({
  type: 'keys',
  strokes: name.length === 1 ? typed(name) : typed('', name),
  room: { ...room, overMax: 3 },
});
const press = (state: ScreenState, ...keys: string[]) => given(state, ...keys.map(key));
const shown = (sprint = over) =>
  given(initialState({ isOwner: true, sprint }), { type: 'over', summary }).state;
const hints = (state: ScreenState) => hintsOf({ state, canScrollQuestion: false }, room);

describe('a run that is over', () => {
  it('is summed up, and leaves with q or Ctrl+C without a question', () => {
    expect(shown().focus).toEqual({ at: 'over', top: 0 });
    for (const name of ['q', 'ctrl+c']) expect(press(shown(), name).effects).toEqual([{ type: 'leave' }]);
    const tasks = press(shown(), 'enter').state;
    for (const name of ['q', 'ctrl+c']) expect(press(tasks, name).effects).toEqual([{ type: 'leave' }]);
  });

  it('lets one look into its tasks, and come back with Esc', () => {
    const tasks = press(shown(), 'enter').state;
    expect(tasks).toMatchObject({ focus: { at: 'sprint' }, browsing: { area: 'tasks' } });
    expect(press(tasks, 'escape').state.focus.at).toBe('over');
    // Nothing happens any more that could be followed.
    const picked = press(tasks, 'up').state;
    expect(hints(picked)).toContainEqual(['Esc', 'summary']);
    expect(hints(picked)).not.toContainEqual(['Esc', 'follow the work']);
    expect(press(picked, 'escape').state.focus.at).toBe('over');
    const blocked = press(shown(aSprint()), 'enter', 'up').state;
    expect(hints(blocked)).toContainEqual(['Esc', 'follow the work']);
    expect(press(blocked, 'escape').state.focus.at).toBe('sprint');
    expect(press(shown(), 'tab').state.focus.at).toBe('sprint');
    // Each pane goes by its number, as it does everywhere.
    expect(press(shown(), '3').state).toMatchObject({
      focus: { at: 'sprint' },
      browsing: { pane: 'changes' },
    });
    expect(press(shown(), '6', 'escape', 'escape').state.focus.at).toBe('over');
  });

  it('retries what failed with R, or goes on where nothing has failed and something is left', () => {
    expect(press(shown(), 'R').effects).toEqual([{ type: 'run-again', retries: true }]);
    const blocked = shown(aSprint());
    expect(hints(blocked)).toContainEqual(['R', 'go on']);
    expect(press(blocked, 'R').effects).toEqual([{ type: 'run-again', retries: false }]);
    const complete = shown(aSprint({ state: 'done', detail: 'completed', tasks: [done] }));
    expect(press(complete, 'R').effects).toEqual([]);
  });

  it('leaves out what failed with S, once a reason was asked for and it is sure', () => {
    const possible = { sprint: [], tasks: new Map([['parser', ['skip'] as const]]) };
    const state = shown({ ...over, possible });
    const asked = press(state, 'S');
    expect(asked.effects).toEqual([]);
    expect(asked.state.focus).toMatchObject({ at: 'act', act: 'skip', task: 'parser' });
    expect(hints(state)).toContainEqual(['S', 'skip…']);
    expect(press({ ...state, mayApprove: false }, 'S').state.focus.at).toBe('over');
    // Where it cannot be, nothing is asked.
    const none = shown({ ...over, possible: { sprint: [], tasks: new Map() } });
    expect(press(none, 'S').state.focus.at).toBe('over');
  });

  it('retries nothing in the shell of an agent', () => {
    const state = { ...shown(), mayApprove: false };
    expect(press(state, 'R').effects).toEqual([]);
    expect(hints(state).map(([name]) => name)).not.toContain('R');
  });

  it('is shown no more once it goes on', () => {
    expect(given(shown(), { type: 'runs' }).state).toMatchObject({
      summary: undefined,
      focus: { at: 'sprint' },
    });
  });

  it('no longer says what became of an answer, but what went wrong', () => {
    const noticeAfter = (tone: 'ok' | 'warning') =>
      given(
        initialState({ isOwner: true, sprint: over }),
        { type: 'told', notice: { tone, text: 'Something' } },
        { type: 'over', summary },
      ).state.notice?.text;
    expect([noticeAfter('ok'), noticeAfter('warning')]).toEqual([undefined, 'Something']);
  });

  it('takes no key from what is being typed', () => {
    const { state } = given(answering(aQuestion()), { type: 'over', summary });
    expect(state).toMatchObject({ focus: { at: 'answer' }, summary });
  });

  it('is scrolled as far as it goes', () => {
    const top = (...keys: string[]) => press(shown(), ...keys).state.focus;
    expect(top('down', 'j')).toEqual({ at: 'over', top: 2 });
    expect(top('pagedown')).toEqual({ at: 'over', top: 3 });
    expect(top('down', 'k', 'up')).toEqual({ at: 'over', top: 0 });
  });
});

it('the summary says what the sprint took, and how each task ended', () => {
  expect(rowsOf(summary, { sprint: over, width: 80 }).map(({ text }) => text)).toEqual([
    'Time      12 min 4 s from start to end',
    '          all tasks added up: 8 min 0 s worked, 3 min 2 s waited for humans',
    'Attempts  3',
    'Asked     2 questions, 1 approval',
    'Files     no commits were made',
    '',
    '                    Attempts     Worked  Waited',
    '✔ done      schema         1  3 min 0 s          1,204 tokens',
    '✗ failed    parser         2  5 min 0 s     1 s',
    '            the tests fail',
  ]);
});

it('the summary names tasks by their titles, too, and is in columns, where there is room', () => {
  const titles = new Map([
    ['schema', 'Tables for invoices'],
    ['parser', 'Read what banks send'],
  ]);
  expect(
    rowsOf(summary, { sprint: over, titles, width: 110 })
      .map(({ text }) => text)
      .slice(-4),
  ).toEqual([
    '                                          Attempts     Worked  Waited',
    '✔ done      schema  Tables for invoices          1  3 min 0 s          1,204 tokens',
    '✗ failed    parser  Read what banks send         2  5 min 0 s     1 s',
    '            the tests fail',
  ]);
});

it('the summary has titles before all that is said of a task beside what was measured', () => {
  const titles = new Map([['parser', 'Read what banks send, in all of their formats']]);
  expect(
    rowsOf(summary, { sprint: over, titles, width: 78 })
      .map(({ text }) => text)
      .slice(-5),
  ).toEqual([
    '                                                   Attempts     Worked  Waited',
    '✔ done      schema                                        1  3 min 0 s',
    '            1,204 tokens',
    '✗ failed    parser  Read what banks send, in all…         2  5 min 0 s     1 s',
    '            the tests fail',
  ]);
});

it('the summary leaves nothing out on a narrow screen', () => {
  expect(rowsOf(summary, { sprint: over, width: 38 }).map(({ text }) => text)).toEqual([
    'Time      12 min 4 s from start to end',
    '          all tasks added up: 8 min 0',
    '          s worked, 3 min 2 s waited',
    '          for humans',
    'Attempts  3',
    'Asked     2 questions, 1 approval',
    'Files     no commits were made',
    '',
    '✔ done      schema',
    '  1 attempt, 3 min 0 s worked, 1,204',
    '  tokens',
    '✗ failed    parser',
    '  2 attempts, 5 min 0 s worked, 1 s',
    '  waited',
    '  the tests fail',
  ]);
});

it('the summary says of notes that no agent has heard them', () => {
  const tasks = summary.tasks.map((task) => ({ ...task, unheard: 2 }));
  expect(rowsOf({ ...summary, tasks }, { sprint: over, width: 100 }).map(({ text }) => text)).toContain(
    '✔ done      schema         1  3 min 0 s          1,204 tokens, 2 notes that no agent has heard',
  );
});

it('the summary says how many calls a human refused, and how many the policy', () => {
  const refused = { ...summary, refused: 1 };
  expect(rowsOf(refused, { sprint: over, width: 80 }).map(({ text }) => text)).toContain(
    'Asked     2 questions, 1 approval, 1 denied',
  );
  expect(
    rowsOf({ ...refused, refusedByPolicy: 2 }, { sprint: over, width: 80 }).map(({ text }) => text),
  ).toContain('Asked     2 questions, 1 approval, 1 denied; 2 calls refused by the policy');
  const done = aSprint({ state: 'done', detail: 'completed' });
  const { state } = given(initialState({ isOwner: true, sprint: done }), { type: 'over', summary: refused });
  expect(remarksOf(state)[0]?.text).toContain('The sprint is done, 1 call denied');
});

it('the summary says what was decided, by whom, and which commits were made', () => {
  const by = { by: 'maria', via: 'tui', at: '2026-01-31T12:00:00.000Z' };
  const decisions: SprintSummary['decisions'] = [
    {
      requestId: 'q-1',
      task: 'parser',
      asked: 'Which grammar?',
      outcome: 'answered',
      response: 'LALR',
      ...by,
    },
    {
      requestId: 'q-2',
      task: 'parser',
      asked: 'rm -r build',
      outcome: 'denied',
      response: 'Too early',
      ...by,
    },
    { requestId: 'q-3', asked: 'db/query select 1', outcome: 'approved', scope: 'sprint', ...by },
    { requestId: 'q-4', asked: 'Now?', outcome: 'dismissed', ...by, by: 'agent:r-1' },
  ];
  const commitsMade = [{ sha: 'febd65a193a4c0ffee', task: 'parser', files: 3 }];
  const titles = new Map([['parser', 'Read what banks send']]);
  const of = { ...summary, decisions, commits: 1, commitsMade, files: 3 };
  expect(
    rowsOf(of, { sprint: over, titles, width: 60 })
      .map(({ text }) => text)
      .slice(5, 12),
  ).toEqual([
    'Files     3 files changed, in 1 commit',
    'Decided   parser: Which grammar? → LALR (maria)',
    '          parser: rm -r build → denied: Too early (maria)',
    '          db/query select 1 → allowed in this sprint (maria)',
    '          Now? → dismissed (an agent (r-1), no human)',
    'Commits   febd65a193a4  parser: Read what banks send, 3 fil…',
    '',
  ]);
  const numbered = (at: number) => decisions.slice(0, 1).map((each) => ({ ...each, asked: `No. ${at}?` }));
  const many = { ...of, decisions: Array.from({ length: 20 }, (_, at) => numbered(at + 1)).flat() };
  const decided = rowsOf(many, { sprint: over, width: 60 }).map(({ text }) => text);
  expect(decided).toContain(`Decided   … 13 earlier: clifford replay ${over.id} --summary --json`);
  expect(decided.flatMap((text) => /No\. \d+/.exec(text) ?? [])).toEqual(
    [14, 15, 16, 17, 18, 19, 20].map((at) => `No. ${at}`),
  );
  for (const { text } of rowsOf(of, { sprint: over, titles, width: 40 }))
    expect(cellsOf(text)).toBeLessThanOrEqual(40);
});

it('the summary says that nobody was waited for, in words', () => {
  expect(rowsOf({ ...summary, waitedMs: 0 }, { sprint: over, width: 80 }).map(({ text }) => text)).toContain(
    '          all tasks added up: 8 min 0 s worked, no waiting for humans',
  );
});

it('the summary counts what stands in no commit, where none was made', () => {
  const filesIn = (uncommitted: SprintSummary['uncommitted']) =>
    rowsOf({ ...summary, ...(uncommitted && { uncommitted }) }, { sprint: over, width: 80 })
      .map(({ text }) => text)
      .find((text) => text.startsWith('Files'));
  expect(filesIn({ files: 3, added: 12, removed: 1, by: 'tasks' })).toBe(
    'Files     3 files changed, +12 −1, in no commit',
  );
  expect(filesIn({ files: 0, added: 0, removed: 0, by: 'anybody' })).toBe(
    'Files     nothing has changed since the last commit',
  );
  expect(filesIn({ files: 1, added: 12, removed: 1, by: 'anybody' })).toMatch(
    /^Files {5}no commits were made; uncommitted in the folder, whoever changed/,
  );
  expect(filesIn(undefined)).toBe('Files     no commits were made');
});

it('the summary says why a run is over whose sprint is not, and counts files', () => {
  const left = aSprint({
    left: { reason: 'blocked: a human has to answer', at: '2026-01-31T12:00:00.000Z' },
  });
  const texts = rowsOf({ ...summary, commits: 2, files: 1 }, { sprint: left, width: 80 }).map(
    ({ text }) => text,
  );
  expect(texts[0]).toBe('The run is over: blocked: a human has to answer');
  expect(texts).toContain('Files     1 file changed, in 2 commits');
});
