import { stopRun } from '../../../../src/workflow/sprint/stop-run.ts';
import { all, at, has, hasNot, hinted, moves } from '../../../helpers/key-walk.ts';
import type { KeyWalk } from '../../../helpers/key-walk.ts';
import { glanceAtHelp } from './walk-overview.ts';
import type { Stage } from './stage.ts';

const lists = 'overview lists';
const line = /^── Summary .*?(\d+)–/m;

async function find(walk: KeyWalk, sprint: string): Promise<void> {
  await walk.press(lists, '/', at('overview filter'));
  await walk.type(sprint, has(`/${sprint}`));
  await walk.press('overview filter', 'enter', all(at(lists), has(`Sprint ${sprint}`)));
}

async function run(walk: KeyWalk, key: string): Promise<void> {
  await walk.press(lists, 'r', all(at('overview start'), hinted(/Enter run it/)));
  await walk.press('overview start', key, hasNot('Its agents start at once'));
}

/** The keys of a run, from the overview and back to it: how it ended, and what becomes of it. */
export async function walkRun({ walk, project }: Stage): Promise<void> {
  await find(walk, 'fails');
  await run(walk, 'enter');
  await walkOver(walk);
  await walk.press(lists, 'escape', hasNot('/fails'));
  await find(walk, 'hangs');
  await run(walk, 'y');
  for (const key of ['n', 'escape']) {
    await walk.press('sprint', 'q', all(at('stop'), has('1 agent')));
    if (key === 'n') await glanceAtHelp(walk, 'stop');
    await walk.press('stop', key, at('sprint'));
  }
  await walk.press('sprint', 'q', all(at('stop'), hinted(/q stop it/)));
  await walk.press('stop', 'q', at(lists));
  await run(walk, 'y');
  await walk.press('sprint', 'q', all(at('stop'), has('1 agent')));
  await walk.press('stop', 'escape', at('sprint'));
  await walk.press('sprint', 'ctrl+c', at('stop'));
  await walk.press('stop', 'ctrl+c', at(lists));
  await run(walk, 'y');
  await walk.press('sprint', 'q', all(at('stop'), hinted(/g go on/)));
  await walk.press('stop', 'g', has(/without the\s+screen:/));
  // Its agent is gone before the terminal is.
  await stopRun(project, { stream: 'hangs', by: 'ada' });
  await walk.see('the overview again', at(lists));
}

async function walkOver(walk: KeyWalk): Promise<void> {
  for (const [key, how] of [
    ['down', 'down'],
    ['up', 'up'],
    ['j', 'down'],
    ['k', 'up'],
    ['pagedown', 'down'],
    ['pageup', 'up'],
  ] as const)
    await walk.press('over', key, moves(how, line));
  await walk.press('over', '?', at('help'));
  await walk.press('help', 'ctrl+c', at('over'));
  for (const key of [':', 'ctrl+p']) {
    await walk.press('over', key, at('palette'));
    await walk.press('palette', 'escape', at('over'));
  }
  await walk.press('over', 'g', has('Copied:'));
  for (const key of ['enter', 'tab', 'shift+tab']) {
    await walk.press('over', key, at('sprint'));
    await walk.press('sprint', 'escape', at('over'));
  }
  for (const key of ['left', ',', 'shift+left', '{']) {
    await walk.press('over', key, has(/event \d+ of/));
    await walk.press('sprint', 'L', at('over'));
  }
  for (const key of ['1', '2', '3', '4', '5', '6']) {
    await walk.press('over', key, at('sprint'));
    await walk.press('sprint', 'left', has(/event \d+ of/));
    await walk.press('sprint', 'L', at('over'));
  }
  await walk.press('over', 'S', at('act'));
  await walk.press('act', 'escape', at('sprint'));
  // Esc would follow the work first, which nothing shows where its hint has no room.
  await walk.press('sprint', 'left', has(/event \d+ of/));
  await walk.press('sprint', 'L', at('over'));
  await walk.press('over', 'R', hasNot('Summary'));
  await walk.press('over', 'ctrl+c', at(lists));
  await walk.press(lists, 'right', at('sprint'));
  await walk.press('sprint', 'B', all(at('act-sure'), hinted(/y start it/)));
  await walk.press('act-sure', 'y', at('over'));
  await walk.press('over', 'q', at(lists));
}
