import type { Approval } from '../../events/approval.ts';
import { byRisk, riskOf } from '../calls/risk.ts';

type Waiting = {
  readonly approval: Approval | undefined;
  readonly askedAt: string;
  readonly isAwaited: boolean;
};

/**
 * Compares for the order in which requests are looked at, on every face: the greatest risk first, then what
 * somebody waits for, then the oldest.
 */
export function byUrgency(one: Waiting, other: Waiting): number {
  return (
    byRisk(riskOf(one.approval), riskOf(other.approval)) ||
    Number(other.isAwaited) - Number(one.isAwaited) ||
    byAge(one.askedAt, other.askedAt)
  );
}

function byAge(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
