import { CliffordError } from '../errors.ts';
import type { Candidate, Verdict } from '../machines/legality.ts';

/** A decision the machines refuse. Nothing was appended. */
export class IllegalDecision extends CliffordError {
  override readonly name = 'IllegalDecision';
  readonly verdict: Extract<Verdict, { legal: false }>;

  constructor(event: Candidate, verdict: Extract<Verdict, { legal: false }>) {
    const { who, state, possible } = verdict;
    super(`Cannot record ${event.type}: ${who} is ${state}`, {
      code: 'ILLEGAL',
      fix:
        possible.length === 0
          ? 'Nothing can be decided in that state'
          : `Possible there: ${possible.join(', ')}`,
      recovery: 'give-up',
    });
    this.verdict = verdict;
  }
}
