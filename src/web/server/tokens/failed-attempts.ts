/** So many requests with a wrong token may come from one address in so long, in ms. */
const MOST = 20;
const WINDOW_MS = 60_000;
/** Addresses that are remembered. */
const MOST_ADDRESSES = 1_000;

type Count = { since: number; count: number };

/** Counts the requests with a wrong token, by the address that they come from. */
export class FailedAttempts {
  /** Those that failed last at the end. */
  readonly #counts = new Map<string, Count>();

  /** Notes one more. Returns after how many seconds the next is worth a try, once there were too many. */
  note(address: string, now = Date.now()): number | undefined {
    const known = this.#counts.get(address);
    const isOver = known === undefined || now - known.since >= WINDOW_MS;
    const entry = isOver ? { since: now, count: 0 } : known;
    entry.count += 1;
    this.#counts.delete(address);
    this.#counts.set(address, entry);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > MOST_ADDRESSES && oldest !== undefined) this.#counts.delete(oldest);
    return entry.count > MOST ? Math.ceil((entry.since + WINDOW_MS - now) / 1_000) : undefined;
  }
}
