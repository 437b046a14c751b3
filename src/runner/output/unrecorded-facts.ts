import { count } from '../../lib/text/count.ts';
import type { Candidate } from '../../machines/legality.ts';
import { addTokens, noTokens } from '../../machines/usage.ts';

/** Appends facts to the log. Resolves once they are durable. */
export type RecordFacts = (facts: readonly Candidate[]) => Promise<unknown>;

/** So many facts become one append at most: one on a server has to fit into a message, and a call takes up to 4 KiB. */
const AT_ONCE = 100;
/** So many are kept while the log cannot be written. */
const MAX_KEPT = 2_000;

/**
 * What an agent said that is not in the log yet, in order. While the log is away for long, the oldest calls are given up, and how many is
 * said in their place: an agent may go on for hours.
 * Of what it says again before anybody listens, the sum
 * of its usage or its newest session is kept: it may say so a thousand times a second.
 */
export class UnrecordedFacts {
  #facts: Candidate[] = [];
  /** Those that were handed out to be recorded: they are in the log, or are handed out again. */
  #taken: readonly Candidate[] = [];
  /** Calls that were given up. */
  #missing = 0;

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
    if (this.#facts.length > MAX_KEPT) this.#makeRoom();
  }

  /** More than one append takes. */
  get areMany(): boolean {
    return this.#facts.length > AT_ONCE;
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
    // What is said meanwhile is recorded the next time.
    for (let left = this.#facts.length; left > 0; left -= AT_ONCE) {
      this.#taken = this.#facts.splice(0, Math.min(left, AT_ONCE));
      await this.#handOut(record);
    }
  }

  #makeRoom(): void {
    const at = this.#facts.findIndex(({ type }) => type === 'tool.requested' || type === 'tool.returned');
    const oldest = this.#facts[at];
    if (!oldest) return;
    this.#missing += 1;
    const text = `${count(this.#missing, 'report')} of calls of the agent ${this.#missing === 1 ? 'is' : 'are'} missing here: the log could not be written for so long`;
    const gap: Candidate = { type: 'task.noted', subject: oldest.subject, data: { by: 'clifford', text } };
    const before = this.#facts[at - 1];
    const isGap = before?.type === 'task.noted' && before.data.by === 'clifford';
    this.#facts.splice(isGap ? at - 1 : at, isGap ? 2 : 1, gap);
    if (!isGap) this.#makeRoom();
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
