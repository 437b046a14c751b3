import { describe, expect, it } from 'vitest';
import { groupOf } from '../../../src/tui/palette/palette-groups.ts';
import { paletteItems } from '../../../src/tui/palette/palette-items.ts';
import { fuzzyScore } from '../../../src/tui/palette/fuzzy.ts';
import { openPalette } from '../../../src/tui/palette/palette-state.ts';
import { readSlash } from '../../../src/tui/palette/slash-commands.ts';
import { initialState } from '../../../src/tui/screen/screen-state.ts';
import type { Effect } from '../../../src/tui/screen/screen-effect.ts';
import type { ScreenEvent } from '../../../src/tui/screen/screen-event.ts';
import { stepScreen } from '../../../src/tui/screen/step-screen.ts';
import type { ScreenState } from '../../../src/tui/screen/screen-state.ts';
import { answering, aQuestion, aSprint, aTask, room, typed } from '../../helpers/screen-views.ts';

const watching = initialState({ isOwner: false, sprint: aSprint(), sprints: ['other'] });

function press(state: ScreenState, ...keys: string[]) {
  const effects: Effect[] = [];
  const events = keys.flatMap((name): ScreenEvent[] =>
    name.startsWith('<')
      ? [{ type: 'keys', strokes: typed('', name.slice(1, -1)), room }]
      : name.split('').map((letter) => ({ type: 'keys', strokes: typed(letter), room })),
  );
  const after = events.reduce(
    (now, event) => stepScreen(now, event, (effect) => effects.push(effect)),
    state,
  );
  return { state: after, effects: effects.filter(({ type }) => type !== 'load') };
}

const labels = (state: ScreenState) =>
  paletteItems({ state, canScrollQuestion: false }).map(({ label }) => label);

describe('the palette', () => {
  it('has what a key can do now, and nothing that none can', () => {
    const { state } = press(watching, ':');
    expect(labels(state)).toEqual(
      expect.arrayContaining([
        'pause',
        'send its agent a message while it works: a note',
        'task docs',
        '/mcp list',
      ]),
    );
    expect(labels(state)).toContain('sprint other');
    expect(labels(state)).not.toContain('retry');
    expect(labels(press(initialState({ isOwner: true, sprint: aSprint() }), '<ctrl+p>').state)).not.toContain(
      'sprint other',
    );
  });

  it('has what decides before what only moves, and a run first where nobody runs it', () => {
    const { state } = press(watching, ':');
    const names = labels(state);
    const moves = names.indexOf('Output: what the agents of the task write');
    for (const act of ['pause', 'skip the task, with a reason']) {
      expect(names).toContain(act);
      expect(names.indexOf(act)).toBeLessThan(moves === -1 ? names.indexOf('help') : moves);
    }
    const left = { ...watching, processes: { hasRunner: false, gone: new Set<string>() } };
    const offered = labels(press(left, ':').state);
    expect(offered[0]).toBe('run the sprint, if nobody does, after a confirmation');
    expect(offered).not.toContain('pause');
    const queued = { ...left, sprint: aSprint({ queuedAt: '2026-01-31T11:59:00.000Z' }) };
    expect(labels(press(queued, ':').state)).not.toContain(offered[0]);
    expect(press(queued, 'B').effects).toEqual([{ type: 'ask-start' }]);
  });

  it('is group by group while nothing is typed, what decides first; what matches a text is ranked across all', () => {
    const state: ScreenState = {
      ...answering(aQuestion(), aQuestion({ id: 'q-2' })),
      focus: openPalette('sprint'),
    };
    const items = paletteItems({ state, canScrollQuestion: false });
    const groups = items.map(groupOf);
    // Each of them once.
    expect(groups.filter((group, at) => group !== groups[at - 1])).toEqual([
      'Act',
      'Show',
      'Go to',
      'Slash commands',
    ]);
    expect(items[0]?.label).toBe('answer');
    const { state: typed } = press(state, 'task');
    const found = paletteItems({ state: typed, canScrollQuestion: false }).map(groupOf);
    expect(found.slice(0, 2)).toEqual(['Show', 'Go to']);
    expect(found.lastIndexOf('Show')).toBeGreaterThan(found.indexOf('Go to'));
  });

  it('offers no run of a sprint that somebody runs, and none, and none to stop, of one that is done; the keys say why', () => {
    const of = (over: Parameters<typeof aSprint>[0], hasRunner = false) => {
      const attached = initialState({ isOwner: false, sprint: aSprint(over) });
      return labels(press({ ...attached, processes: { hasRunner, gone: new Set() } }, ':').state);
    };
    const start = 'run the sprint, if nobody does, after a confirmation';
    const stop = 'stop the run, also one in another terminal';
    expect(of({})).toContain(start);
    const running = of({}, true);
    expect(running).toContain(stop);
    expect(running).not.toContain(start);
    const done = of({ state: 'done', detail: 'completed' });
    expect(done).not.toContain(start);
    expect(done).not.toContain(stop);
    // What failed may be retried.
    const failed = of({ state: 'done', detail: 'failed' });
    expect(failed).toContain(start);
    expect(failed).not.toContain(stop);
    const over = initialState({ isOwner: false, sprint: aSprint({ state: 'done', detail: 'completed' }) });
    expect(press(over, 'B').effects).toEqual([{ type: 'ask-start' }]);
  });

  it('does the same as the key, with all that it asks before', () => {
    expect(press(watching, ':pause', '<enter>').effects).toEqual([{ type: 'act', act: 'pause' }]);
    const ending = press(watching, ':end the task for good', '<enter>');
    expect(ending.effects).toEqual([]);
    expect(ending.state.focus).toMatchObject({ at: 'act', act: 'cancel', task: 'parser' });
  });

  it('leads to tasks and panes, and to other sprints where no run would be stopped for that', () => {
    expect(press(watching, ':docs', '<enter>').state.browsing.task).toBe('docs');
    expect(press(watching, ':Events: what', '<enter>').state.browsing.pane).toBe('events');
    expect(press(watching, ':other', '<enter>').effects).toEqual([{ type: 'go', sprint: 'other' }]);
  });

  it('is closed without anything being done', () => {
    expect(press(watching, ':pause', '<escape>')).toMatchObject({
      state: { focus: { at: 'sprint' } },
      effects: [],
    });
    const cleared = press(watching, ':pause', '<ctrl+c>');
    expect(cleared.state.focus).toMatchObject({ at: 'palette', draft: { text: '' } });
    expect(press(cleared.state, '<ctrl+c>').state.focus.at).toBe('sprint');
  });

  it('is a letter in the box of a question', () => {
    expect(press(answering(aQuestion()), ':').state.focus.at).toBe('answer');
  });
});

describe('a command of the palette', () => {
  it('is completed with Tab, and run with what stands behind it', () => {
    const { state } = press(watching, ':/mcp ins', '<tab>');
    expect(state.focus).toMatchObject({ draft: { text: '/mcp inspect ' } });
    const run = press(state, 'fs', '<enter>');
    expect(run.effects).toEqual([{ type: 'slash', argv: ['mcp', 'inspect', 'fs'] }]);
    expect(run.state).toMatchObject({
      focus: { at: 'result', top: 0 },
      palette: { result: { title: 'clifford mcp inspect fs', end: undefined } },
    });
  });

  it('asks for what it needs, and takes nothing but what only reads', () => {
    expect(readSlash('/mcp inspect')).toEqual({ goesOn: '/mcp inspect ' });
    expect(readSlash('/policy test fs write --args \'{"a":1}\'')).toEqual({
      argv: ['policy', 'test', 'fs', 'write', '--args', '{"a":1}'],
    });
    const joined = '/policy test fs write --args={"a":1}';
    expect(readSlash(joined.replace('{', "'{").replace('}', "}'"))).toEqual({
      argv: joined.slice(1).split(' '),
    });
    for (const line of [
      '/policy suggest --write=yes',
      '/policy suggest --write',
      '/policy list --write',
      '/run',
      '/doctor --approvals',
    ])
      expect(readSlash(line)).toHaveProperty('problem');
  });

  it('stands in the history, which ↑ goes through', () => {
    const { state } = press(watching, ':/status', '<enter>');
    const said = stepScreen(state, { type: 'said', text: 'fine\n', end: 'ended with exit code 0' }, () => {});
    const back = press(said, '<escape>', ':', '<up>');
    expect(back.state.focus).toMatchObject({ draft: { text: '/status' } });
    expect(press(back.state, '<down>').state.focus).toMatchObject({ draft: { text: '' } });
  });

  it('has its words scrolled, no further than they go', () => {
    let { state } = press(watching, ':/status', '<enter>');
    const topAfter = (key: string, max = 20) => {
      const event: ScreenEvent = {
        type: 'keys',
        strokes: typed('', key),
        room: { ...room, result: { page: 5, max } },
      };
      state = stepScreen(state, event, () => {});
      return state.focus.at === 'result' ? state.focus.top : undefined;
    };
    const keys = ['down', 'pagedown', 'end', 'down', 'up', 'pageup', 'home', 'up', 'end'];
    expect(keys.map((key) => topAfter(key))).toEqual([1, 6, 20, 20, 19, 14, 0, 0, 20]);
    // In a terminal that has become higher.
    expect(topAfter('up', 3)).toBe(2);
  });

  it('is ended when it is left before it has ended', () => {
    const { state } = press(watching, ':/status', '<enter>');
    expect(press(state, '<escape>')).toMatchObject({
      effects: [{ type: 'slash-stop' }],
      state: { focus: { at: 'sprint' } },
    });
  });
});

it('letters match in their order, those of the beginnings of words best', () => {
  expect(fuzzyScore('skip…', 'x')).toBeUndefined();
  expect(fuzzyScore('ab', 'ba')).toBeUndefined();
  expect(fuzzyScore('mcp list', 'ml')).toBeGreaterThan(fuzzyScore('email', 'ml') ?? 0);
});

it('what has come since is found with the same letters', () => {
  const looking = press(watching, ':', 'task').state;
  expect(labels(looking)).not.toContain('task later');
  const { sprint } = looking;
  const [first = aTask()] = sprint.tasks;
  const later = { ...sprint, tasks: [...sprint.tasks, { ...first, id: 'later' }] };
  expect(labels({ ...looking, sprint: later })).toContain('task later');
  expect(labels({ ...looking, isOwner: true })).not.toContain('sprint other');
});
