import { expect, it } from 'vitest';
import { ticksOf } from '../../../src/web/page/past/ticks.ts';
import type { History } from '../../../src/web/api/history.ts';

/** Events at these times, in the time zone of the reader. */
function scaleOf(...times: string[]): History['scale'] {
  return times.map((time, at) => [at + 1, new Date(time).toISOString()]);
}

function textsOf(scale: History['scale'], gaps: number): string[] {
  return ticksOf(scale, gaps).map(({ text }) => text);
}

it('says minutes, and seconds where minutes would say the same twice', () => {
  const [one, two] = ['2026-03-01T14:05:10', '2026-03-01T14:07:12'];
  expect(textsOf(scaleOf(one, two), 9)).toEqual(['14:05', '14:07']);
  expect(textsOf(scaleOf(one, '2026-03-01T14:05:59', two), 9)).toEqual(['14:05:10', '14:05:59', '14:07:12']);
});

it('says a second once, however many events share it', () => {
  const second = '2026-03-01T14:05:10';
  expect(textsOf(scaleOf(second, `${second}.400`, `${second}.900`, '2026-03-01T14:05:12'), 9)).toEqual([
    '14:05:10',
    '14:05:12',
  ]);
});

it('says when the first and the last event were, however many labels there is room for', () => {
  const minutes = Array.from({ length: 12 }, (_, at) => `2026-03-01T14:${String(at + 10)}`);
  for (const gaps of [1, 2, 3, 5, 7, 11, 40]) {
    const texts = textsOf(scaleOf(...minutes), gaps);
    expect([texts[0], texts.at(-1)]).toEqual(['14:10', '14:21']);
    const apart = texts.slice(1).map((text, at) => Number(text.slice(3)) - Number(texts[at]?.slice(3)));
    expect(Math.min(...apart)).toBeGreaterThanOrEqual(11 / gaps);
  }
});

it('says the day where another one begins, also where events between are left out', () => {
  const days = scaleOf('2026-03-01T23:00', '2026-03-02T01:00', '2026-03-02T02:00');
  expect(textsOf(days, 2)).toEqual(['23:00', '2 Mar', '02:00']);
  expect(textsOf(days, 1)).toEqual(['23:00', '2 Mar']);
});
