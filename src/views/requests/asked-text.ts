import type { ApprovalVerdict } from '../../events/approval.ts';
import { count } from '../../lib/text/count.ts';
import { duration } from '../../lib/time/duration.ts';
import type { SprintState } from '../../machines/project-state.ts';

/** What humans were asked in a sprint, and how long its tasks waited for them: `2 questions, 1 call allowed, waited 40 s`; `''`: nothing. */
export function askedText({ requests, tasks }: Pick<SprintState, 'requests' | 'tasks'>): string {
  const answered = [...requests.values()].filter(({ answer }) => answer !== undefined);
  const calls = answered.filter(({ asked }) => asked.approval !== undefined);
  const saidTo = (verdict: ApprovalVerdict) =>
    calls.filter(({ answer }) => answer?.verdict === verdict).length;
  const waitedMs = [...tasks.values()].reduce((sum, task) => sum + task.waitedMs, 0);
  return [
    { number: answered.length - calls.length, noun: 'question', what: 'answered' },
    { number: saidTo('approved'), noun: 'call', what: 'allowed' },
    { number: saidTo('edited'), noun: 'call', what: 'allowed as changed' },
    { number: saidTo('questioned'), noun: 'call', what: 'sent back with a question' },
    { number: saidTo('denied'), noun: 'call', what: 'denied' },
  ]
    .filter(({ number }) => number > 0)
    .map(({ number, noun, what }) => `${count(number, noun)} ${what}`)
    .concat(answered.length > 0 && waitedMs > 0 ? [`waited ${duration(waitedMs)} for humans`] : [])
    .join(', ');
}
