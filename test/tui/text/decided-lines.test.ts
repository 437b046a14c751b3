import { expect, it } from 'vitest';
import { cellsOf } from '../../../src/lib/text/cells.ts';
import { decidedLine } from '../../../src/tui/text/decided-lines.ts';
import type { Decision } from '../../../src/views/events/decisions.ts';

const call = 'release/publish {"version":"2.4.0","channel":"stable","notes":"All that has changed"}';
const changed: Decision = {
  requestId: 'q-1',
  task: 'changelog',
  asked: call,
  outcome: 'edited',
  response:
    '{"version":"2.4.1","channel":"beta","notes":"All that has changed since the last release of it"}',
  by: 'maria',
  via: 'tui',
  at: '2026-01-31T12:00:00.000Z',
};

it.each([
  [
    110,
    'changelog: release/publish … → allowed as changed: {"version":"2.4.1","channel":"beta","notes":"All t… (maria)',
  ],
  [70, 'changelog: release/publish … → allowed as changed: {"version"… (maria)'],
  [50, 'changelog: release… → allowed as changed:… (maria)'],
])('has the tool of a call that was changed, and what was allowed, in %i cells', (width, text) => {
  expect(decidedLine(changed, width)).toBe(text);
  expect(cellsOf(text)).toBeLessThanOrEqual(width);
});

it('has all of what was asked where there is room for it', () => {
  expect(decidedLine({ ...changed, asked: 'Now?' }, 60)).toMatch(/^changelog: Now\? → allowed as changed: /);
  const short: Decision = { ...changed, outcome: 'denied', response: 'Later' };
  expect(decidedLine(short, 130)).toBe(`changelog: ${call} → denied: Later (maria)`);
});

it('halves the room where what was asked has no words', () => {
  const asked = 'x'.repeat(200);
  expect(decidedLine({ ...changed, asked }, 51)).toBe('changelog: xxxxxxxx… → allowed as changed:… (maria)');
});
