import type { Candidate } from '../../src/machines/legality.ts';
import { sprintEvents } from './write-log.ts';

/** How many there are, and of how many tasks each. */
export const SPRINTS = 200;
export const TASKS = 50;

const AT_ONCE = 8;
const BIG_SHARE = 0.2;
/** Of a task beside its tool calls, which are two events each. */
const EVENTS_PER_TASK = 9;

/**
 * About `count` events of 200 sprints of 50 tasks. Eight take turns at a time, as those do that run at the same time;
 * `sprint-0` goes on all along and has a fifth of the events.
 *
 * @param isOpen - Which of them, by their number, stop at a question in their last task; none.
 */
export function* manySprints(count: number, isOpen = (_number: number) => false): Generator<Candidate> {
  const calls = (share: number) => Math.round(((count * share) / TASKS - EVENTS_PER_TASK) / 2);
  const sizeOf = (n: number) => ({
    tasks: TASKS,
    toolCalls: calls(n === 0 ? BIG_SHARE : (1 - BIG_SHARE) / (SPRINTS - 1)),
  });
  const next = (n: number) => {
    const events = sprintEvents(`sprint-${n}`, sizeOf(n));
    return isOpen(n) ? untilLastQuestion(events, `sprint-${n}/task-${TASKS - 1}`) : events;
  };
  const big = next(0);
  let running = Array.from({ length: AT_ONCE }, (_, n) => next(n + 1));
  let begun = AT_ONCE + 1;
  for (let turn = 0; running.length > 0; turn += 1) {
    const sprint = running[turn % running.length];
    const { value } = sprint?.next() ?? {};
    if (value) yield value;
    else {
      running = running.filter((each) => each !== sprint);
      if (begun < SPRINTS) running.push(next(begun++));
    }
    if (turn % 4 === 0) {
      const { value: other } = big.next();
      if (other) yield other;
    }
  }
  yield* big;
}

function* untilLastQuestion(events: Iterable<Candidate>, task: string): Generator<Candidate> {
  for (const event of events) {
    yield event;
    if (event.subject === task && event.type === 'help.requested') return;
  }
}
