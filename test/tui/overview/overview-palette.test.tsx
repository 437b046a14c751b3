import console from 'node:console';
import { setImmediate } from 'node:timers/promises';
import { render } from 'ink';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startOverviewActor } from '../../../src/tui/overview/overview-actor.ts';
import { overviewItems } from '../../../src/tui/overview/overview-keys.ts';
import { OverviewScreen } from '../../../src/tui/overview/overview-screen.tsx';
import {
  openOverview,
  placeIn,
  type OverviewEffect,
  type OverviewEvent,
  type OverviewState,
} from '../../../src/tui/overview/overview-state.ts';
import { showOverview } from '../../../src/tui/overview/show-overview.tsx';
import { stepOverview } from '../../../src/tui/overview/step-overview.ts';
import type { RunCommand } from '../../../src/tui/palette/run-commands.ts';
import { ClockContext } from '../../../src/tui/terminal/clock.ts';
import { FakeStdin, FakeStdout } from '../../helpers/fake-terminal.ts';
import { anOverview, overviewAt, overviewRoom } from '../../helpers/overview-views.ts';
import { openScreen } from '../../helpers/pty-screen.ts';
import { now, typed } from '../../helpers/screen-views.ts';
import { freshSprint } from '../../helpers/sprint-run.ts';

const sprints = overviewAt('sprints');

/** The overview after keys, each a chunk of its own, and what was done outside of it. */
function press(start: OverviewState, ...keys: string[]) {
  const effects: OverviewEffect[] = [];
  const events = keys.flatMap((name): OverviewEvent[] =>
    name.startsWith('<')
      ? [{ type: 'keys', strokes: typed('', name.slice(1, -1)), room: overviewRoom }]
      : name.split('').map((letter) => ({ type: 'keys', strokes: typed(letter), room: overviewRoom })),
  );
  const state = events.reduce(
    (at, event) => stepOverview(at, event, (effect) => effects.push(effect)),
    start,
  );
  return { state, effects };
}

const labels = (state: OverviewState) => overviewItems(state).map(({ label }) => label);
const goesOn = () => {};

describe('the palette of the overview', () => {
  it('has what a key can do now, sprints to go to and commands, and nothing that none can', () => {
    const found = labels(press(sprints, ':').state);
    expect(found).toEqual(expect.arrayContaining(['filter', 'sprint web', '/mcp list']));
    expect(found).toContain('back to the shell, until fg');
    expect(found).not.toContain('run a sprint, also one that has failed');
    const onWeb = press(overviewAt('sprints', { sprint: 'web' }), '<ctrl+p>').state;
    expect(labels(onWeb)).toContain('run a sprint, also one that has failed');
  });

  it('does the same as the key, with all that it asks before', () => {
    const run = press(overviewAt('sprints', { sprint: 'web' }), ':run a sprint, also', '<enter>');
    expect(run.state.focus).toEqual({ at: 'start', sprint: 'web', isArmed: false });
    expect(run.effects).toEqual([]);
    expect(press(sprints, ':shell', '<enter>').effects).toEqual([{ type: 'suspend' }]);
  });

  it('goes to a sprint; where the log has not seen it yet, to its line, whatever the filter', () => {
    expect(press(sprints, ':web', '<enter>').effects).toEqual([{ type: 'enter', sprint: 'web' }]);
    const filter = { text: 'web', cursor: 3 };
    const { state, effects } = press(overviewAt('inbox', { filter }), ':sprint api', '<enter>');
    expect(effects).toEqual([]);
    expect(state).toMatchObject({
      area: 'sprints',
      sprint: 'api',
      filter: { text: '' },
      focus: { at: 'lists' },
    });
  });

  it('runs a command, shows what it says, and ends it when it is left before', () => {
    const run = press(sprints, ':/policy test fs write', '<enter>');
    expect(run.effects).toEqual([{ type: 'slash', argv: ['policy', 'test', 'fs', 'write'] }]);
    expect(run.state).toMatchObject({
      focus: { at: 'result', top: 0 },
      palette: { result: { title: 'clifford policy test fs write', end: undefined } },
    });
    expect(press(run.state, 'q')).toMatchObject({
      effects: [{ type: 'slash-stop' }],
      state: { focus: { at: 'lists' } },
    });
    const said = stepOverview(
      run.state,
      { type: 'said', text: 'allowed', end: 'ended with exit code 0' },
      goesOn,
    );
    expect(said.palette.result).toMatchObject({ text: 'allowed', end: 'ended with exit code 0' });
    expect(press(said, '<enter>')).toMatchObject({ effects: [], state: { focus: { at: 'lists' } } });
  });

  it('says what is no command, and stays', () => {
    const { state, effects } = press(sprints, ':/nothing', '<enter>');
    expect(effects).toEqual([]);
    expect(state).toMatchObject({ focus: { at: 'palette' }, notice: { tone: 'warning' } });
    expect(press(state, 'x').state.notice).toBeUndefined();
  });

  it('takes letters that are keys elsewhere, and one line of what is pasted, as text', () => {
    const looking = press(sprints, ':q/?').state;
    expect(looking.focus).toMatchObject({ at: 'palette', draft: { text: 'q/?' } });
    const pasted = stepOverview(press(sprints, ':').state, { type: 'paste', text: '/mcp\nlist\n' }, goesOn);
    expect(pasted.focus).toMatchObject({ draft: { text: '/mcp list' } });
    expect(press(pasted, '<backspace>').state.focus).toMatchObject({ draft: { text: '/mcp lis' } });
  });

  it('knows what was done through it after a visit to a sprint', () => {
    const { state } = press(sprints, ':/status', '<enter>');
    const back = openOverview(anOverview(), { place: placeIn(state) });
    expect(press(back, ':', '<up>').state.focus).toMatchObject({ draft: { text: '/status' } });
  });

  it('stays open while news come', () => {
    const looking = press(sprints, ':web').state;
    const told = stepOverview(looking, { type: 'news', overview: anOverview({ inbox: [] }) }, goesOn);
    expect(told.focus).toBe(looking.focus);
  });
});

it.each(['lists', 'palette', 'result', 'help', 'filter'] as const)(
  'what cannot be seen of the %s is not cleared by Ctrl+C, which leaves, and Ctrl+Z suspends there',
  (at) => {
    const focus = { lists: '', palette: ':web', result: ':/status', help: '?', filter: '/web' }[at];
    const { state } = press(sprints, focus, ...(at === 'result' ? ['<enter>'] : []));
    expect(state.focus.at).toBe(at);
    const effects: OverviewEffect[] = [];
    const room = { ...overviewRoom, isTooSmall: true };
    for (const key of ['ctrl+z', 'ctrl+c'])
      expect(
        stepOverview(state, { type: 'keys', strokes: [{ key }], room }, (effect) => effects.push(effect)),
      ).toEqual(state);
    expect(effects).toEqual([{ type: 'suspend' }, { type: 'leave' }]);
  },
);

function lines(state: OverviewState, [columns, rows]: [number, number]): readonly string[] {
  const stdout = new FakeStdout(columns, rows);
  const { unmount } = render(
    <ClockContext value={{ now: () => now, subscribe: () => () => {} }}>
      <OverviewScreen actor={startOverviewActor(state)} project="shop" />
    </ClockContext>,
    { stdin: new FakeStdin(), stdout, debug: true, exitOnCtrlC: false, patchConsole: false },
  );
  onTestFinished(() => unmount());
  return stdout.lines;
}

it('the palette at 40×12 has what matches, and what was wrong below it', () => {
  expect(lines(press(sprints, ':/pol').state, [40, 12])).toMatchInlineSnapshot(`
    [
      " shop  5 sprints: …   ? 2 wait for you",
      "── Commands ────────────────────────────",
      "╭──────────────────────────────────────╮",
      "│ > /pol                               │",
      "╰──────────────────────────────────────╯",
      " › /policy list   the rules",
      "   /policy test   <server> <tool>, o…",
      "   /policy judge  <kind>, e.g. execu…",
      "   /explain       what is configured…",
      "   /mcp inspect   <server> [tool] · …",
      "",
      " Enter do it · ↑/↓ pick · Tab complete",
    ]
  `);
  expect(lines(press(sprints, ':/nothing', '<enter>').state, [40, 12]).at(-3)).toContain('no such command');
});

it('a command that is run from the overview shows what it says', async () => {
  const { project } = await freshSprint();
  const processes = { hasRunner: () => false, isAlive: () => false };
  const { stdin, stdout, press: type, see } = openScreen();
  // Ink makes a console like Node's, which that of the tests is not.
  vi.stubGlobal('console', console);
  onTestFinished(() => void vi.unstubAllGlobals());
  const ran: (readonly string[])[] = [];
  let signal: AbortSignal | undefined;
  const runCommand: RunCommand = (argv, io) => {
    ran.push(argv);
    ({ signal } = io);
    io.onOutput('fs  up  3 tools\n');
    return new Promise(() => {});
  };
  const left = showOverview({ sources: [{ project, processes }], title: 'shop', runCommand, stdin, stdout });
  await see('Sprints');
  type(':');
  await see('or / for a command');
  type('/mcp list');
  await see('> /mcp list');
  await setImmediate();
  type('\r');
  await see('clifford mcp list');
  await see('fs  up  3 tools');
  expect(ran).toEqual([['mcp', 'list']]);
  // Whoever leaves ends it.
  type('q');
  await vi.waitFor(() => expect(signal?.aborted).toBe(true));
  await see('Sprints');
  type('q');
  expect(await left).toMatchObject({ to: { type: 'leave' } });
});
