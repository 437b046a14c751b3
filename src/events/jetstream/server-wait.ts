import { CliffordError } from '../../errors.ts';
import { PATIENCE_MS, type Patience } from './connected.ts';

/** How long one request waits for its answer, in ms: one to a leader that is gone is never answered. */
export const REQUEST_MS = 2_500;

/** How long a server that does not answer is waited for. */
export class ServerWait {
  readonly #patience: Patience;
  readonly #closing: AbortSignal;
  /** Who waits without end was told so. */
  #isToldAway = false;
  /** It did not answer for {@link PATIENCE_MS}, and has not since: who asks next does not wait for so long again. */
  #isGivenUp = false;

  /** @param closing - Aborts when the log is closed: nothing is waited for without end any more. */
  constructor(patience: Patience, closing: AbortSignal) {
    this.#patience = patience;
    this.#closing = closing;
  }

  /**
   * Whether what has failed is tried again, since then, as `performance.now()` has it; if it is not, the server is given up until it
   * answers. Who waits without end is told so.
   */
  goesOn(since: number, failure: unknown): boolean {
    const waitedMs = performance.now() - since;
    const { onAway, awayUntil = Infinity } = this.#patience;
    const isOver = !onAway || this.#closing.aborted || performance.now() >= awayUntil;
    if (isOver) {
      const isWorthIt = waitedMs < (this.#isGivenUp ? REQUEST_MS : PATIENCE_MS);
      this.#isGivenUp ||= !isWorthIt;
      return isWorthIt;
    }
    if (waitedMs >= REQUEST_MS && !this.#isToldAway && failure instanceof CliffordError) {
      this.#isToldAway = true;
      onAway(failure);
    }
    return true;
  }

  /** The server is there again: it has answered, or is connected to. */
  noteThere(): void {
    this.#isGivenUp = false;
  }

  /** It did what it was asked: when it is away the next time, that is told. */
  noteDone(): void {
    this.#isToldAway = false;
  }
}
