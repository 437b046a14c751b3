import { expect, it } from 'vitest';
import { ROOMS } from '../../../scripts/mutate/drawn-files.ts';
import { HELP, optionsOf } from '../../../scripts/mutate/options.ts';

it('reads what it is asked for, and draws from all rooms otherwise', () => {
  expect(
    optionsOf(['--count', '5', '--seed', '0', '--room', 'lib', '--room', 'mcp', '--quick']),
  ).toMatchObject({
    count: 5,
    seed: 0,
    rooms: ['lib', 'mcp'],
    quick: true,
    again: false,
  });
  expect(optionsOf([])).toMatchObject({ count: 100, minutes: 60, rooms: ROOMS, except: [] });
});

it('has a line of help for each option', () => {
  expect(optionsOf(['--help', '--count', '5'])).toBeUndefined();
  for (const name of Object.keys({ ...optionsOf([]), help: true }))
    expect(HELP).toMatch(new RegExp(`^  --${name.replace('rooms', 'room')} `, 'm'));
});

it.each([
  [['--nope'], "Unknown option '--nope'"],
  [['--count', 'many'], '--count many: not a whole number from 1 on'],
  [['--jobs', '0'], '--jobs 0: not a whole number from 1 on'],
  [['--room', 'attic'], '--room attic: rooms are'],
  [['stray'], "Unexpected argument 'stray'"],
])('refuses %j', (args, message) => {
  expect(() => optionsOf(args)).toThrow(message);
});
