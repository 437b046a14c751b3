import { expect, it } from 'vitest';
import { instantOf, parseUntil } from '../../../src/workflow/history/until.ts';

it.each([
  ['12', { version: 12 }],
  ['-2h', { agoMs: 7_200_000 }],
  ['-90m', { agoMs: 5_400_000 }],
  ['-5min', { agoMs: 300_000 }],
  ['-1h30m', { agoMs: 5_400_000 }],
  ['-1d2h3m4s', { agoMs: 93_784_000 }],
  ['14:53', { clock: [14, 53, 59, 999] }],
  ['2026-03-01T12:00:00Z', { time: '2026-03-01T12:00:00.000Z' }],
])('%s is a place in a history', (text, until) => {
  expect(parseUntil(text)).toEqual(until);
});

it.each(['-', '-h', '-2', '2h', '-1m1h', '0', '-1.5h', 'yesterday', ''])('%j is none', (text) => {
  expect(() => parseUntil(text)).toThrow(expect.objectContaining({ code: 'UNTIL_INVALID' }));
});

it('counts back from the last event, and takes a time of its day', () => {
  const last = '2026-03-01T12:00:00.000Z';
  expect(instantOf(parseUntil('-1h30m'), last)).toBe('2026-03-01T10:30:00.000Z');
  const clock = new Date(instantOf(parseUntil('0:05'), last) ?? '');
  const day = new Date(last);
  expect([clock.getDate(), clock.getHours(), clock.getMinutes(), clock.getSeconds()]).toEqual([
    day.getDate(),
    0,
    5,
    59,
  ]);
  expect(instantOf(parseUntil('3'), last)).toBeUndefined();
});
