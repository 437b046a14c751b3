import { allPanes } from '../../../../src/tui/panes/all-panes.ts';
import {
  all,
  at,
  boxGrows,
  cursor,
  has,
  hasNot,
  hinted,
  moves,
  type Seen,
} from '../../../helpers/key-walk.ts';
import type { KeyWalk } from '../../../helpers/key-walk.ts';
import type { Stage } from './stage.ts';
import { glanceAtHelp, walkHelp, walkPalette } from './walk-overview.ts';

const place = 'sprint';
const inTasks = hinted(/^↑\/↓ pick$/);
const inPane = hinted(/^h\/l pane$/);
const line = /line (\d+)/;
const pairs = [
  ['j', 'down'],
  ['k', 'up'],
  ['down', 'down'],
  ['up', 'up'],
  ['end', 'down'],
  ['home', 'up'],
  ['G', 'down'],
  ['g', 'up'],
] as const;

/** The pane of this number is the one in brackets, or has its name above it alone. */
function shows(number: number): Seen {
  const { title = '' } = allPanes[number - 1] ?? {};
  return has(new RegExp(`\\[${number} ?${title}\\]|[─━]{2} ${title} (?:·|.*1–${allPanes.length})`));
}

/** The keys of a sprint in which nothing waits, from the list of tasks and back to it. */
export async function walkSprint({ walk }: Stage): Promise<void> {
  for (const [key, how] of pairs) await walk.press(place, key, cursor(how));
  await walk.press(place, 'escape', all(at(place), hinted(/overview/)));
  await walkPanes(walk);
  await walkFilters(walk);
  await walk.press(place, 'ctrl+z', has('suspended'));
  await walk.type('\r', at(place));
  await walkHelp(walk, place, 'help');
  await walkPalette(walk, place, '');
  await walkActs(walk);
}

async function walkPanes(walk: KeyWalk): Promise<void> {
  for (const [key, seen] of [
    ['tab', inPane],
    ['tab', inTasks],
    ['v', inPane],
    ['v', inTasks],
    ['shift+tab', inPane],
    ['shift+tab', inTasks],
    ['enter', inPane],
    ['escape', inTasks],
    ['l', inPane],
  ] as const)
    await walk.press(place, key, seen);
  for (const number of [6, 5, 4, 3, 1, 2]) await walk.press(place, `${number}`, shows(number));
  await walk.press(place, 'l', shows(3));
  await walk.press(place, 'h', shows(2));
  await walk.press(place, ']', shows(3));
  await walk.press(place, '[', shows(2));
  await walk.see('the text of the task', has(line));
  for (const [key, how] of [...pairs, ['pagedown', 'down'], ['pageup', 'up']] as const)
    await walk.press(place, key, moves(how, line));
  // A line of a list is shown whole.
  await walk.press(place, '4', all(shows(4), has('Question answered')));
  await walk.press(place, 'enter', has('"requestId"'));
  await walk.press(place, 'escape', hasNot('"requestId"'));
}

async function walkFilters(walk: KeyWalk): Promise<void> {
  await walk.press(place, '2', all(shows(2), has(line)));
  await walk.press(place, '/', at('filter'));
  await walk.type('line 1', has('/line 1'));
  await walk.press('filter', 'down', moves('down', line));
  await walk.press('filter', 'up', moves('up', line));
  await walk.press('filter', 'enter', all(at(place), has('/line 1')));
  await walk.press(place, 'n', hasNot(/^line 1$/));
  await walk.press(place, 'n', moves('down', line));
  await walk.press(place, 'N', moves('up', line));
  for (const key of ['escape', 'ctrl+c']) {
    await walk.press(place, '/', at('filter'));
    await walk.press('filter', key, all(at(place), hasNot('/line 1')));
  }
  await walk.press(place, 'escape', inTasks);
}

async function walkActs(walk: KeyWalk): Promise<void> {
  await walk.press(place, 'P', has('is paused'));
  await walk.press(place, 'P', hasNot('is paused'));
  await walk.press(place, 'end', cursor('down'));
  for (const key of ['R', 'M']) await walk.press(place, key, has(/Cannot|Possible now/));
  for (const key of ['X', 'C', 'S']) {
    await walk.press(place, key, at('act'));
    await walk.press('act', 'escape', at(place));
  }
  await walk.press(place, 'S', at('act'));
  await walk.type('no use', has('> no use'));
  await walk.press('act', 'alt+enter', boxGrows);
  await walk.press('act', 'ctrl+j', boxGrows);
  await walk.press('act', 'ctrl+c', hasNot('no use'));
  await walk.press('act', 'ctrl+c', at(place));
  await walk.press(place, 'S', at('act'));
  for (const key of ['n', 'escape']) {
    await walk.press('act', 'enter', all(at('act-sure'), has(/Skip \w+\? y\/n/)));
    await walk.press('act-sure', key, at('act'));
  }
  await walk.press('act', 'enter', at('act-sure'));
  await glanceAtHelp(walk, 'act-sure');
  await walk.press('act-sure', 'ctrl+c', at(place));
  await walk.press(place, 'S', at('act'));
  await walk.press('act', 'enter', all(at('act-sure'), hinted(/y skip it/)));
  await walk.press('act-sure', 'y', has('is skipped'));
  await walk.press(place, 'T', at('act-sure'));
  await walk.press('act-sure', 'n', at(place));
}
