import { count } from '../../../lib/text/count.ts';
import type { RequestState } from '../../../machines/project-state.ts';
import { decideAll, type Decided, type WordToAll } from '../../../workflow/requests/decide-all.ts';
import type { Answerer } from '../../../workflow/requests/close-request.ts';
import { sayNotRecorded } from '../../../workflow/requests/say-not-recorded.ts';
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

  const decide = async (verb: string, calls: readonly RequestState[], word: WordToAll & Answerer) => {
    const decided = await sayNotRecorded(`${verb} ${calls.map(({ id }) => id).join(', ')}`, () =>
      decideAll(project, calls, word),
    );
    return presentAll(word.verdict, decided);
  };

  return {
    approveAll: async ({ body: { ids, seen = {} } }, caller) => {
      const calls = await callsOf(ids);
      const seenOf = new Map(Object.entries(seen));
      for (const call of calls) await requireSeen(project, call, seenOf.get(call.id), caller);
      // Who sent it is looked up right before it is recorded.
      const { answerer, requireHuman } = deciderOf(caller, serving);
      requireHuman(`approve ${ids.join(', ')}`);
      return decide('approve', calls, { ...answerer, verdict: 'approved' });
    },
    denyAll: async ({ body: { ids, reason } }, caller) => {
      const calls = await callsOf(ids);
      const { answerer } = deciderOf(caller, serving);
      return decide('deny', calls, { ...answerer, verdict: 'denied', response: reason });
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
