import { render } from 'ink';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MouseAreas, MouseContext } from '../../../src/tui/mouse/mouse-areas.ts';
import { withReports } from '../../../src/tui/mouse/mouse-report.ts';
import { startOverviewActor } from '../../../src/tui/overview/overview-actor.ts';
import { OverviewScreen } from '../../../src/tui/overview/overview-screen.tsx';
import { pickedRow, type OverviewState } from '../../../src/tui/overview/overview-state.ts';
import { ClockContext } from '../../../src/tui/terminal/clock.ts';
import { Screen } from '../../../src/tui/screen/screen.tsx';
import { startScreenActor } from '../../../src/tui/screen/screen-actor.ts';
import { initialState, type ScreenState } from '../../../src/tui/screen/screen-state.ts';
import { createAgentOutput } from '../../../src/tui/text/agent-output.ts';
import { FakeStdin, FakeStdout } from '../../helpers/fake-terminal.ts';
import { overviewAt } from '../../helpers/overview-views.ts';
import { aCallQuestion, answering, aQuestion, aSprint, deciding, now } from '../../helpers/screen-views.ts';

const clock = { now: () => now, subscribe: () => () => {} };
let unmount = () => {};
afterEach(() => unmount());

type Size = readonly [columns: number, rows: number];

function onTerminal([columns, rows]: Size) {
  const [stdin, stdout] = [new FakeStdin(), new FakeStdout(columns, rows)];
  const send = (button: number, column: number, row: number) =>
    stdin.write(`\u001B[<${button};${column + 1};${row + 1}M\u001B[<${button};${column + 1};${row + 1}m`);
  /** Where a text stands that is seen once. */
  const placeOf = (text: string): [column: number, row: number] => {
    const row = stdout.lines.findIndex((line) => line.includes(text));
    expect(row, `${text} in\n${stdout.lines.join('\n')}`).toBeGreaterThan(-1);
    return [stdout.lines[row]?.indexOf(text) ?? 0, row];
  };
  const click = (text: string) => send(0, ...placeOf(text));
  const wheel = (by: 'up' | 'down', text: string) => send(by === 'up' ? 64 : 65, ...placeOf(text));
  /** All that was sent was read. */
  const heard = async () => {
    await expect.poll(() => stdin.readableLength).toBe(0);
  };
  return { stdin, stdout, click, wheel, send, heard };
}

const unpatched = { debug: true, exitOnCtrlC: false, patchConsole: false } as const;

/** A sprint on a terminal of which the mouse is ours, or not. */
function show(state: ScreenState, size: Size, hasMouse = true) {
  const { stdin, stdout, ...mouse } = onTerminal(size);
  const output = createAgentOutput();
  output.append('parser', Array.from({ length: 99 }, (_, at) => `line ${at}.\n`).join(''));
  const actor = startScreenActor(state);
  const emitted: unknown[] = [];
  actor.on('*', (effect) => {
    if (effect.type !== 'load') emitted.push(effect);
  });
  const areas = hasMouse ? new MouseAreas() : undefined;
  const input = areas
    ? withReports(stdin as unknown as NodeJS.ReadStream, (report) => areas.hear(report))
    : stdin;
  ({ unmount } = render(
    <ClockContext value={clock}>
      <MouseContext value={areas}>
        <Screen actor={actor} output={output} />
      </MouseContext>
    </ClockContext>,
    { stdin: input, stdout, ...unpatched } as unknown as NonNullable<Parameters<typeof render>[1]>,
  ));
  const now = () => actor.getSnapshot().context;
  const its =
    <T,>(read: (state: ScreenState) => T) =>
    () =>
      read(now());
  return { ...mouse, stdin, stdout, now, its, emitted };
}

/** What is chosen among the options that are shown. */
const chosen = ({ choices, current = '' }: ScreenState) => choices.get(current);

const running = initialState({ isOwner: true, sprint: aSprint() });
const asked = aQuestion({ question: 'Which grammar?', options: ['The old one', 'The new one'] });

describe('with the mouse', () => {
  it.each([[[50, 24]], [[80, 24]], [[200, 60]]] as const)('a task is picked at %j', async (size) => {
    const { click, its } = show(running, size);
    click('schema');
    await expect.poll(its(({ browsing }) => browsing.task)).toBe('schema');
  });

  it.each([[[80, 24]], [[200, 60]]] as const)('a tab of the panes is shown at %j', async (size) => {
    const { click, its } = show(running, size);
    const isNarrow = size[0] === 80;
    click(isNarrow ? '3 Diff' : '3 Changes');
    await expect.poll(its(({ browsing }) => browsing)).toMatchObject({ pane: 'changes', area: 'detail' });
    click('2 Task');
    await expect.poll(its(({ browsing }) => browsing.pane)).toBe('task');
  });

  it('an option is chosen, and sent by Enter only', async () => {
    const { click, its, now: state, emitted, stdin } = show(answering(asked), [80, 24]);
    click('The new one');
    await expect.poll(its(chosen)).toEqual({ at: 1 });
    click('The old one');
    await expect.poll(its(chosen)).toEqual({ at: 0 });
    expect(state().focus).toEqual({ at: 'answer' });
    expect(emitted).toEqual([]);
    stdin.write('\r');
    await expect.poll(its(({ sending }) => sending.size)).toBe(1);
    expect(emitted).toMatchObject([{ type: 'answer', response: 'The old one', option: 0 }]);
  });

  it('options are marked where several may be chosen', async () => {
    const { click, its } = show(answering({ ...asked, isMultiple: true }), [80, 24]);
    click('The new one');
    await expect.poll(its(chosen)).toEqual({ at: 1, marked: [1] });
    click('The old one');
    await expect.poll(its(chosen)).toEqual({ at: 0, marked: [0, 1] });
  });

  it('the wheel scrolls what it is above', async () => {
    const { wheel, its, stdout } = show(running, [80, 24]);
    wheel('up', 'line 90.');
    await vi.waitFor(() => expect(stdout.lines.join('\n')).toContain('▼ 3 newer'));
    wheel('down', 'line 90.');
    await vi.waitFor(() => expect(stdout.lines.join('\n')).toContain('line 98.'));
    wheel('up', 'schema');
    await expect.poll(its(({ browsing }) => browsing.task)).toBe('schema');
  });

  it('the wheel takes the second pane, where there is one, and the help', async () => {
    const { wheel, its, stdin } = show(running, [200, 20]);
    wheel('down', 'Reading…');
    await expect.poll(its(({ browsing }) => browsing.pane)).toBe('task');
    stdin.write('?');
    await expect.poll(its(({ focus }) => focus.at)).toBe('help');
    wheel('down', 'Esc');
    await expect.poll(its(({ focus }) => focus)).toMatchObject({ at: 'help', top: 3 });
  });

  it('nothing is decided, wherever it is used', async () => {
    const sent: ScreenState[] = [
      deciding(aCallQuestion()),
      { ...deciding(aCallQuestion()), focus: { at: 'scope', isArmed: true, picked: 'always' } },
      { ...answering(asked), focus: { at: 'confirm', isArmed: true, back: 'sprint' } },
      { ...running, focus: { at: 'stop', key: 'q', isArmed: true, back: { at: 'sprint' } } },
      { ...answering(asked), focus: { at: 'arming', dropped: 0 } },
      answering(asked),
    ];
    for (const before of sent) {
      const { send, heard, emitted, now: state } = show(before, [80, 24]);
      for (let row = 0; row < 24; row += 1)
        for (const button of [0, 2, 64, 65])
          for (let column = 0; column < 80; column += 9) send(button, column, row);
      await heard();
      expect(emitted).toEqual([]);
      expect(state().drafts.size).toBe(0);
      // What is being confirmed still is. A card, or a box, may be left, and gone back to.
      const isFree = before.focus.at === 'decide' || before.focus.at === 'answer';
      expect(isFree ? ['sprint', 'answer', 'arming'] : [before.focus.at]).toContain(state().focus.at);
      unmount();
    }
  });

  it('what the terminal reports is no text where it is not ours', async () => {
    const { click, heard, now: state } = show(answering(asked), [80, 24], false);
    click('The new one');
    await heard();
    expect(state()).toMatchObject({ focus: { at: 'answer' }, choices: new Map(), drafts: new Map() });
  });
});

describe('the overview with the mouse', () => {
  function showOverview(state: OverviewState, size: Size) {
    const { stdin, stdout, ...mouse } = onTerminal(size);
    const actor = startOverviewActor(state);
    const areas = new MouseAreas();
    const input = withReports(stdin as unknown as NodeJS.ReadStream, (report) => areas.hear(report));
    ({ unmount } = render(
      <ClockContext value={clock}>
        <MouseContext value={areas}>
          <OverviewScreen actor={actor} project="shop" />
        </MouseContext>
      </ClockContext>,
      { stdin: input, stdout, ...unpatched } as unknown as NonNullable<Parameters<typeof render>[1]>,
    ));
    return { ...mouse, now: () => actor.getSnapshot().context };
  }

  it.each([[[80, 24]], [[120, 40]]] as const)('picks at %j, and goes nowhere', async (size) => {
    const state = overviewAt('inbox');
    const { click, wheel, now: after } = showOverview(state, size);
    const [first, second] = state.overview.rows;
    click(second?.sprint.name ?? '');
    await vi.waitFor(() => expect(pickedRow(after())?.sprint.id).toBe(second?.sprint.id));
    expect(after().area).toBe('sprints');
    wheel('up', first?.sprint.name ?? '');
    await vi.waitFor(() => expect(pickedRow(after())?.sprint.id).toBe(first?.sprint.id));
    const last = state.overview.inbox.at(-1);
    click(last?.question.slice(0, 12) ?? '');
    await vi.waitFor(() => expect(after()).toMatchObject({ area: 'inbox', request: last?.id }));
  });
});
