import type { Candidate } from '../../machines/legality.ts';
import { addTokens, noTokens } from '../../machines/usage.ts';

/**
 * What an agent said that is not in the log yet, in order. Of what it says again before anybody listens, the sum
 * of its usage or its newest session is kept: it may say so a thousand times a second.
 */
export class UnrecordedFacts {
  #facts: Candidate[] = [];
  /** Those that are being recorded: they cannot be joined with any more. */
  #taken: readonly Candidate[] = [];

  get all(): readonly Candidate[] {
    return [...this.#taken, ...this.#facts];
  }

  /** Adds what was true before anything the agent said. */
  putFirst(facts: readonly Candidate[]): void {
    this.#facts.unshift(...facts);
  }

  add(fact: Candidate): void {
    const last = this.#facts.at(-1);
    const joined = last && joinedWith(last, fact);
    if (joined) this.#facts.pop();
    this.#facts.push(joined ?? fact);
  }

  /** Hands them out to be recorded, all that {@link noteRecorded} has not heard of. */
  take(): readonly Candidate[] {
    this.#taken = this.all;
    this.#facts = [];
    return this.#taken;
  }

  /** What was taken last is durable: it is forgotten. */
  noteRecorded(): void {
    this.#taken = [];
  }
}

/** One fact of one run that says as much as both. `undefined`: there is none. */
function joinedWith(last: Candidate, fact: Candidate): Candidate | undefined {
  if (last.type === 'agent.sessionopened' && fact.type === 'agent.sessionopened') return fact;
  if (last.type !== 'agent.usage' || fact.type !== 'agent.usage') return undefined;
  const costs = [last.data.costUsd, fact.data.costUsd].filter((cost) => cost !== undefined);
  const { runId } = fact.data;
  const tokens = addTokens(addTokens(noTokens, last.data), fact.data);
  const costUsd = costs.reduce((sum, cost) => sum + cost, 0);
  return { ...fact, data: { runId, tokens, ...(costs.length > 0 ? { costUsd } : {}) } };
}
