import { expect, it } from 'vitest';
import { RunnerMemory } from '../../../src/runner/reconcile/runner-memory.ts';
import { History, on } from '../../helpers/history.ts';

const limits = { connect: 0, idle: 0, tool: 0, exit: 0, attempt: 0 };

it.each([
  ['waits for its delay', 60_000, true],
  ['does not wait until a clock that was set back is there again', 60_001, false],
])('an attempt %s', (_, delayMs, waits) => {
  const now = Date.parse('2027-01-15T08:00:00Z');
  const memory = new RunnerMemory();
  memory.retryAt.set('a', now + delayMs);
  memory.look(new History(on('demo', 'sprint.created')).sprint(), { limits }, now);
  expect(memory.retryAt.has('a')).toBe(waits);
});
