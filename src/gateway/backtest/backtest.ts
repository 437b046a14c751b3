import type { PolicyWord } from '../config/policy-config.ts';
import type { GateDecision } from '../policy/gate-call.ts';
import type { Decider } from './decide-by.ts';
import { humansWord, type CallOutcome, type RecordedCall } from './recorded-call.ts';

/** A call, and what another policy says of it. */
export type DecidedCall = { readonly call: RecordedCall; readonly decision: GateDecision };

/** How calls ended, as far as the policy had a part in it. */
export type DecidedOutcome = Exclude<CallOutcome['is'], 'unasked'>;

/** What a policy would have made of the calls of a log. */
export type Backtest = {
  readonly judged: readonly DecidedCall[];
  /** By how they ended, and by what the policy says. */
  readonly counts: Readonly<Record<DecidedOutcome, Readonly<Record<PolicyWord, number>>>>;
  /** How many calls humans decided that the policy decides, and how many they decided. */
  readonly answered: number;
  readonly byHumans: number;
  /** What a human decided, and the policy decides otherwise. */
  readonly contradictions: readonly DecidedCall[];
  /** What a rule decided then, and the policy leaves to a human, or decides otherwise. */
  readonly changes: readonly DecidedCall[];
  /** Of which the log has a part: a secret was taken out, or what was too long is cut. */
  readonly unjudged: readonly RecordedCall[];
  /** How many calls agents made without asking: no policy has a say in them. */
  readonly unasked: number;
};

/** Judges the calls of a log by another policy, and compares that with what became of them. */
export function backtest(calls: readonly RecordedCall[], decide: Decider): Backtest {
  const asked = calls.filter(({ outcome }) => outcome.is !== 'unasked');
  const judged = asked.filter(({ isWhole }) => isWhole).map((call) => ({ call, decision: decide(call) }));
  const counts = {
    approved: none(),
    denied: none(),
    ran: none(),
    stopped: none(),
    unattended: none(),
    undecided: none(),
  };
  for (const { call, decision } of judged)
    if (call.outcome.is !== 'unasked') counts[call.outcome.is][decision.decision] += 1;
  const ofHumans = judged.filter(({ call }) => humansWord(call) !== undefined);
  const answered = ofHumans.filter(({ decision }) => decision.decision !== 'confirm');
  return {
    judged,
    counts,
    answered: answered.length,
    byHumans: ofHumans.length,
    contradictions: answered.filter(({ call, decision }) => decision.decision !== humansWord(call)),
    changes: judged.filter(({ call: { outcome }, decision: { decision } }) => {
      if (outcome.is === 'ran') return decision !== 'allow';
      return outcome.is === 'stopped' && decision !== 'deny';
    }),
    unjudged: asked.filter(({ isWhole }) => !isWhole),
    unasked: calls.length - asked.length,
  };
}

function none(): Record<PolicyWord, number> {
  return { allow: 0, confirm: 0, deny: 0 };
}
