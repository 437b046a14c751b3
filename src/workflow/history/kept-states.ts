import { keepState, ownItems, type KeptState } from '../../machines/copy-state.ts';
import type { ProjectState } from '../../machines/project-state.ts';

/** So many are kept over the whole history, evenly, and so many more where somebody has just been. */
const MAX_SPREAD = 1_024;
const MAX_NEAR = 16;
/** Fewer, where much changes between them: so many tasks and requests all of them together have each for itself. */
const MAX_OWN = 1_000_000;

/** States at the beginnings of pages: however long the history is, no more than a fixed number. */
export class KeptStates {
  readonly #stream: string;
  /** At every page that is a multiple of {@link #stride}. */
  readonly #spread = new Map<number, KeptState>();
  #stride = 1;
  #own = 0;
  #latest: KeptState | undefined;
  /** The latest last. */
  readonly #near = new Map<number, KeptState>();

  constructor(stream: string) {
    this.#stream = stream;
  }

  /** How many there are. */
  get count(): number {
    return this.#spread.size + this.#near.size;
  }

  /** Keeps the state at the beginning of a page, of one after the other. */
  add(page: number, state: ProjectState): void {
    if (page % this.#stride !== 0) return;
    const kept = keepState(state, this.#stream, this.#latest);
    if (!kept) return;
    const earlier = this.#latest;
    this.#latest = kept;
    this.#spread.set(page, kept);
    this.#own += ownItems(kept, earlier);
    while (this.#spread.size > MAX_SPREAD || (this.#own > MAX_OWN && this.#spread.size > 1)) this.#thin();
  }

  /** Keeps every second one. */
  #thin(): void {
    this.#stride *= 2;
    this.#own = 0;
    let earlier: KeptState | undefined;
    for (const [page, kept] of this.#spread) {
      if (page % this.#stride !== 0) this.#spread.delete(page);
      else {
        this.#own += ownItems(kept, earlier);
        earlier = kept;
      }
    }
  }

  /** Keeps the state at the beginning of a page that somebody passes. */
  addNear(page: number, state: ProjectState): void {
    if (this.#spread.has(page) || this.#near.has(page)) return;
    const kept = keepState(state, this.#stream, this.before(page)?.kept);
    if (!kept) return;
    this.#near.set(page, kept);
    const [oldest] = this.#near.keys();
    if (this.#near.size > MAX_NEAR && oldest !== undefined) this.#near.delete(oldest);
  }

  /** The nearest one at the beginning of a page, or before it. */
  before(page: number): { readonly page: number; readonly kept: KeptState } | undefined {
    for (let at = page; at > 0; at -= 1) {
      const kept = this.#near.get(at) ?? this.#spread.get(at);
      if (kept) return { page: at, kept };
    }
    return undefined;
  }
}
