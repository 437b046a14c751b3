import { expect, it } from 'vitest';
import { quietLeftMs } from '../../src/notify/quiet-hours.ts';

const minutes = (count: number) => count * 60_000;
const at = (hours: number, minute: number, second = 0) =>
  new Date(2027, 0, 15, hours, minute, second).getTime();

it.each([
  ['22:00-07:00', at(21, 59, 59), 0],
  ['22:00-07:00', at(22, 0), minutes(9 * 60)],
  ['22:00-07:00', at(3, 0, 30), minutes(4 * 60) - 30_000],
  ['22:00-07:00', at(6, 59), minutes(1)],
  ['22:00-07:00', at(7, 0), 0],
  ['12:30-13:00', at(12, 45), minutes(15)],
  ['12:30-13:00', at(0, 0), 0],
  ['00:00-00:00', at(9, 0), minutes(15 * 60)],
  [undefined, at(3, 0), 0],
])('%s lasts so long from %d on', (span, now, left) => {
  expect(quietLeftMs(span, now)).toBe(left);
});
