import type { Candidate } from '../../machines/legality.ts';
import { addTokens, noTokens } from '../../machines/usage.ts';

/** Appends facts to the log. Resolves once they are durable. */
export type RecordFacts = (facts: readonly Candidate[]) => Promise<unknown>;

/**
 * What an agent said that is not in the log yet, in order. Of what it says again before anybody listens, the sum
 * of its usage or its newest session is kept: it may say so a thousand times a second.
 */
export class UnrecordedFacts {
  #facts: Candidate[] = [];
  /** Those that were handed out to be recorded: they are in the log, or are handed out again. */
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

  /** Whether some were handed out, and could not be recorded as far as anybody knows. */
  get areSomeUndecided(): boolean {
    return this.#taken.length > 0;
  }

  /**
   * Hands all of them out to be recorded. What `record` rejects is handed out again the next time, before the others and
   * as the same array: it may be in the log.
   */
  async recordWith(record: RecordFacts): Promise<void> {
    if (this.areSomeUndecided) await this.#handOut(record);
    this.#taken = this.#facts;
    this.#facts = [];
    await this.#handOut(record);
  }

  async #handOut(record: RecordFacts): Promise<void> {
    if (this.#taken.length > 0) await record(this.#taken);
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
