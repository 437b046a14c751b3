import { count } from '../../../lib/text/count.ts';
import { decideAll, type Decided, type WordToAll } from '../../../workflow/requests/decide-all.ts';
import type { DecidedAll } from '../../api/decision.ts';
import { deciderOf } from '../callers/decider.ts';
import { knownQuestion } from '../known-question.ts';
import { presentClosing } from '../present/present-question.ts';
import type { Serving } from '../serving.ts';
import { tooLate } from './decide-refusals.ts';
import type { Handlers } from './handlers.ts';
import { requireSeen } from './require-seen.ts';

/** What a human says to several calls of one sprint together. */
export function decideAllHandlers(serving: Serving): Pick<Handlers, 'approveAll' | 'denyAll'> {
  const { project } = serving;

  const callsOf = (ids: readonly string[]) =>
    Promise.all([...new Set(ids)].map((id) => knownQuestion(serving, id)));

  return {
    approveAll: async ({ body: { ids, seen = {} } }, caller) => {
      const calls = await callsOf(ids);
      const seenOf = new Map(Object.entries(seen));
      for (const call of calls) await requireSeen(project, call, seenOf.get(call.id), caller);
      // Who sent it is looked up right before it is recorded.
      const { answerer, requireHuman } = deciderOf(caller, serving);
      requireHuman(`approve ${ids.join(', ')}`);
      return presentAll('approved', await decideAll(project, calls, { ...answerer, verdict: 'approved' }));
    },
    denyAll: async ({ body: { ids, reason } }, caller) => {
      const calls = await callsOf(ids);
      const { answerer } = deciderOf(caller, serving);
      const said = { ...answerer, verdict: 'denied', response: reason } as const;
      return presentAll('denied', await decideAll(project, calls, said));
    },
  };
}

/** @throws {Refusal} 409 where somebody was first with all of them. */
function presentAll(verdict: WordToAll['verdict'], { decided, lost }: Decided): DecidedAll {
  const [first] = lost;
  if (decided.length === 0 && first) throw tooLate(first);
  const of = count(decided.length, 'call');
  const done = verdict === 'approved' ? `Allowed ${of}, each once` : `Denied ${of}: their agents are told`;
  const rest = lost.length === 0 ? '' : `; somebody was first with ${lost.length} more`;
  return {
    text: `${done}${rest}`,
    decided: decided.map(({ id }) => id),
    lost: lost.map((request) => ({ id: request.id, closing: presentClosing(request) })),
  };
}
