import { at, has, hasNot, moves } from '../../../helpers/key-walk.ts';
import type { Stage } from './stage.ts';

const place = 'sprint';
const version = /event (\d+) of/;
const speed = /▶ (\d+)×/;

/** The keys of the past of a sprint in which nothing waits, from now and back to it. */
export async function walkPast({ walk }: Stage): Promise<void> {
  for (const key of ['left', ',', 'shift+left', '{']) {
    await walk.press(place, key, has(version));
    await walk.press(place, 'L', hasNot(version));
  }
  await walk.press(place, 'left', has(version));
  for (const [key, how] of [
    ['left', 'up'],
    ['right', 'down'],
    [',', 'up'],
    ['.', 'down'],
    ['shift+left', 'up'],
    ['shift+right', 'down'],
    ['{', 'up'],
    ['}', 'down'],
    ['<', 'up'],
    ['>', 'down'],
    ['^', 'up'],
    ['$', 'down'],
    ['^', 'up'],
  ] as const)
    await walk.press(place, key, moves(how, version));
  for (const key of ['R', 'P', 'S', 'X', 'M', 'B', 'T', 'C', 'i'])
    await walk.press(place, key, has('This is the past'));
  await walk.press(place, 'y', has('Copied:'));
  // What is between two events an hour apart is compressed to a moment, in which speeds can be tried.
  await walk.press(place, ' ', has(speed));
  await walk.press(place, '+', moves('down', speed));
  await walk.press(place, '-', moves('up', speed));
  await walk.press(place, '=', moves('down', speed));
  await walk.press(place, ' ', hasNot(speed));
  await walk.press(place, '^', has(/event 1 of/));
  await walkGoals({ walk });
  await walk.press(place, 'd', has('is marked'));
  await walk.press(place, '$', moves('down', version));
  await walk.press(place, 'd', has(/From event \d+ to event \d+/));
  await walk.press(place, 'd', at('result'));
  await walk.press('result', 'escape', at(place));
  await walk.press(place, 'escape', hasNot(/From event/));
  await walk.press(place, 'L', hasNot(version));
}

async function walkGoals({ walk }: Pick<Stage, 'walk'>): Promise<void> {
  for (const key of ['t', 'g']) {
    await walk.press(place, key, at('goal'));
    await walk.press('goal', key === 't' ? 'escape' : 'ctrl+c', at(place));
  }
  await walk.press(place, 't', at('goal'));
  await walk.type('5', has('5▏'));
  await walk.press('goal', 'enter', has(/event 5 of/));
  await walk.press(place, 'f', at('goal'));
  await walk.type('answered', has('answered▏'));
  await walk.press('goal', 'enter', has('of 10 events with: answered'));
  await walk.press(place, 'n', moves('down', version));
  await walk.press(place, 'N', moves('up', version));
  // The line of the whole history shows nothing else then.
  await walk.press(place, 'F', hasNot(/^ ■/m));
  await walk.press(place, 'F', has(/^ ■/m));
  await walk.press(place, 'escape', hasNot('events with: answered'));
}
