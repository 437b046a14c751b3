import console from 'node:console';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { OverviewFocus } from '../../../src/tui/overview/overview-state.ts';
import { showOverview } from '../../../src/tui/overview/show-overview.tsx';
import { openScreen, pressAlone, type ScreenSize } from '../../helpers/pty-screen.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { modesLeftOn } from '../../helpers/terminal-modes.ts';

beforeEach(() => void vi.stubGlobal('console', console));
afterEach(() => void vi.unstubAllGlobals());

type Place = {
  readonly where: string;
  readonly size?: ScreenSize;
  /** The keys that lead there, each with what is to be seen before the next. */
  readonly way: readonly (readonly [keys: string, seen: string | RegExp])[];
  /** How often Ctrl+C is pressed until the overview is left: a text, and what lies over it. */
  readonly presses: number;
};

const lists = ['', 'q leave'] as const;
const palette = [':', 'Enter do it'] as const;

const places: Readonly<Record<OverviewFocus['at'], readonly [Place, ...Place[]]>> = {
  lists: [
    { where: 'the lists', way: [lists], presses: 1 },
    {
      where: 'a terminal that is too small',
      size: { columns: 38, rows: 9 },
      way: [['', 'Terminal too small']],
      presses: 1,
    },
  ],
  filter: [{ where: 'a filter', way: [lists, ['/', 'Enter keep'], ['dem', '/dem']], presses: 1 }],
  help: [{ where: 'help', way: [lists, ['?', 'Esc back']], presses: 1 }],
  start: [{ where: 'whether a sprint is run', way: [lists, ['r', /Run \S+ here\?/]], presses: 1 }],
  palette: [{ where: 'the palette', way: [lists, palette, ['stat', '> stat']], presses: 3 }],
  result: [
    {
      where: 'what a command says',
      way: [lists, palette, ['/status', '> /status'], ['\r', 'as it said']],
      presses: 2,
    },
  ],
};

it.each(Object.values(places).flat())(
  'Ctrl+C leads out of $where, and the terminal is as it was',
  async (place) => {
    const { project } = await projectWithSprint();
    const screen = openScreen({ columns: 100, rows: 30, ...place.size });
    const hasLeft = vi.fn<() => void>();
    const shown = showOverview({
      sources: [{ project, processes: { hasRunner: () => false, isAlive: () => false } }],
      title: 'shop',
      runCommand: (_argv, { onOutput }) => {
        onOutput('as it said');
        return Promise.resolve({ how: 'done' });
      },
      ...screen,
    });
    void shown.then(hasLeft);
    for (const [keys, seen] of place.way) {
      if (keys !== '') screen.press(keys);
      await screen.see(seen);
    }
    for (let press = 1; press <= place.presses; press += 1) {
      expect(hasLeft).not.toHaveBeenCalled();
      await pressAlone(screen, '\u0003');
    }
    expect(await shown).toMatchObject({ to: { type: 'leave' } });
    await screen.shown();
    expect(modesLeftOn(screen.bytes())).toEqual([]);
    expect(screen.buffer()).toBe('normal');
    expect(screen.stdin.isRaw).toBe(false);
  },
);
