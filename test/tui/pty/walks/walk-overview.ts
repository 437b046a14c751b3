import { all, at, cursor, has, hasNot, hinted, moves } from '../../../helpers/key-walk.ts';
import type { KeyWalk } from '../../../helpers/key-walk.ts';
import type { Stage } from './stage.ts';

const lists = 'overview lists';
const start = 'overview start';
const filter = 'overview filter';

/** The keys of the overview, from its sprints and back to them. In `web` two questions wait. */
export async function walkOverview({ walk, again }: Stage): Promise<void> {
  await walk.press(lists, 'tab', hinted(/Enter (?:run|go)/));
  await walk.press(lists, 'shift+tab', hinted(/Enter look/));
  await walk.press(lists, 'tab', hinted(/Enter (?:run|go)/));
  for (const [key, how] of [
    ['j', 'down'],
    ['k', 'up'],
    ['down', 'down'],
    ['up', 'up'],
    ['end', 'down'],
    ['home', 'up'],
    ['G', 'down'],
    ['g', 'up'],
    ['pagedown', 'down'],
    ['pageup', 'up'],
  ] as const)
    await walk.press(lists, key, cursor(how));
  await walkFilter(walk);
  await walkStart(walk);
  await walkHelp(walk, lists, 'overview help');
  await walkPalette(walk, lists, 'overview ');
  await walk.press(lists, 'j', cursor('down'));
  for (const key of ['right', 'l']) {
    await walk.press(lists, key, at('sprint'));
    await walk.press('sprint', 'escape', at(lists));
  }
  // Each of these ends the program.
  for (const open of ['', '/', '?', 'r']) {
    const place = { '': lists, '/': filter, '?': 'overview help', r: start }[open] ?? lists;
    if (open !== '') await walk.press(lists, open, at(place));
    await walk.press(place, 'ctrl+c', has('left with 0'));
    await again();
    await walk.press(lists, 'tab', hinted(/Enter (?:run|go)/));
  }
  await walk.press(lists, 'q', has('left with 0'));
  await again();
}

async function walkFilter(walk: KeyWalk): Promise<void> {
  await walk.press(lists, '/', at(filter));
  await walk.type('sprint', has('/sprint'));
  await walk.press(filter, 'down', cursor('down'));
  await walk.press(filter, 'up', cursor('up'));
  await walk.press(filter, 'enter', all(at(lists), has('/sprint')));
  await walk.press(lists, 'escape', hasNot('/sprint'));
  await walk.press(lists, '/', at(filter));
  await walk.type('hangs', all(has('/hangs'), hasNot('Sprint demo')));
  await walk.press(filter, 'escape', all(at(lists), has('Sprint demo')));
}

async function walkStart(walk: KeyWalk): Promise<void> {
  for (const key of ['escape', 'n', 'q']) {
    await walk.press(lists, 'r', all(at(start), has(/Run \S+ here\?/)));
    await walk.press(start, key, at(lists));
  }
  await walk.press(lists, 'enter', at(start));
  await glanceAtHelp(walk, start, 'overview help');
  await walk.press(start, 'w', at('answer'));
  await walk.press('answer', 'escape', at('sprint'));
  await walk.press('sprint', 'escape', at(lists));
}

/** The keys are listed, and left again. */
export async function glanceAtHelp(walk: KeyWalk, from: string, help = 'help'): Promise<void> {
  await walk.press(from, '?', at(help));
  await walk.press(help, 'escape', at(from));
}

/** The keys while keys are listed, from this place and back to it. */
export async function walkHelp(walk: KeyWalk, from: string, help: string): Promise<void> {
  for (const key of ['?', 'q', 'enter', 'escape']) {
    await walk.press(from, '?', at(help));
    if (key === '?') {
      // Those of use where one is may all be seen at once.
      await walk.press(help, '/', has('/▏'));
      await walk.type('e', has('/e▏'));
      await walk.press(help, 'enter', has('── Keys · /e ─'));
      const row = /^── Keys .*?(\d+)–/m;
      for (const [scroll, how] of [
        ['j', 'down'],
        ['k', 'up'],
        ['down', 'down'],
        ['up', 'up'],
        ['pagedown', 'down'],
        ['pageup', 'up'],
      ] as const)
        await walk.press(help, scroll, moves(how, row));
      await walk.press(help, 'escape', hasNot('── Keys · /e'));
    }
    await walk.press(help, key, at(from));
  }
}

/** The keys of the palette, and of what its commands say, from this place and back to it. */
export async function walkPalette(walk: KeyWalk, from: string, overview: '' | 'overview '): Promise<void> {
  const palette = `${overview}palette`;
  const result = `${overview}result`;
  await walk.press(from, ':', at(palette));
  await walk.press(palette, 'escape', at(from));
  await walk.press(from, 'ctrl+p', at(palette));
  await walk.press(palette, 'ctrl+p', at(from));
  await walk.press(from, ':', at(palette));
  await walk.press(palette, 'down', cursor('down'));
  await walk.press(palette, 'up', cursor('up'));
  await walk.type('/expl', has('> /expl'));
  await walk.press(palette, 'tab', has('> /explain'));
  await walk.press(palette, 'ctrl+c', hasNot('> /explain'));
  await walk.press(palette, 'ctrl+c', at(from));
  await walk.press(from, ':', at(palette));
  await walk.type('/explain', has('> /explain'));
  await walk.press(palette, 'enter', all(at(result), hinted(/back/)));
  await glanceAtHelp(walk, result, `${overview}help`);
  const row = /^── clifford.*?(\d+)–/m;
  for (const [key, how] of [
    ['j', 'down'],
    ['k', 'up'],
    ['down', 'down'],
    ['up', 'up'],
    ['end', 'down'],
    ['home', 'up'],
    ['G', 'down'],
    ['g', 'up'],
    ['pagedown', 'down'],
    ['pageup', 'up'],
  ] as const)
    await walk.press(result, key, moves(how, row));
  for (const key of ['escape', 'q', 'enter', 'ctrl+c']) {
    await walk.press(result, key, at(from));
    if (key === 'ctrl+c') break;
    await walk.press(from, ':', at(palette));
    await walk.type('/explain', has('> /explain'));
    await walk.press(palette, 'enter', all(at(result), hinted(/back/)));
  }
}
