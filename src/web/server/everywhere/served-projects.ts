import type { Hono } from 'hono';
import { CliffordError } from '../../../errors.ts';
import { messageOf } from '../../../lib/message-of.ts';
import type { KnownProject } from '../../../workflow/projects/known-projects.ts';
import type { AppEnv } from '../guards/gate.ts';
import type { ServedProject } from '../served-project.ts';
import type { FoundProject } from './everywhere-app.ts';

/** So often the list is read again, and what could not be opened is tried again, while somebody looks, in ms. */
const AGAIN_MS = 5_000;
/** And so often, in ms, while nobody does: people are called for what waits in a project that can be opened only by then. */
const UNSEEN_MS = 30_000;

/** A project that is open, and answered about. */
export type OpenPlace = {
  readonly served: ServedProject;
  readonly app: Hono<AppEnv>;
  /** Told when it cannot go on, by whoever finds that. */
  readonly fail: (error: unknown) => void;
  readonly close: () => Promise<void>;
};

/** Why a project cannot be looked at now. */
type Closed = { readonly whyNot: string; readonly isOpening?: true };

/** One of the list. */
export type ListedPlace = KnownProject & { readonly is: OpenPlace | Closed };

type Deps = {
  /** The list, as it is now. */
  readonly known: () => Promise<readonly KnownProject[]>;
  /**
   * Opens one of them, or says why that cannot be.
   *
   * @param fail - Told when it cannot go on: its log is another one.
   */
  readonly open: (known: KnownProject, fail: (error: unknown) => void) => Promise<OpenPlace | Closed>;
  /** Told of bugs. */
  readonly report: (problem: unknown) => void;
};

/** The projects of the user's list, as far as they can be opened: each is open once, and one that cannot be keeps no other from it. */
export class ServedProjects {
  readonly #deps: Deps;
  /** By their roots. */
  readonly #places = new Map<string, ListedPlace>();
  /** By its root what a project is opened or closed with: one thing after the other. Never rejects. */
  readonly #working = new Map<string, Promise<void>>();
  /** The roots of those that are being opened. */
  readonly #opening = new Set<string>();
  readonly #looking: NodeJS.Timeout;
  #lookedAt = -Infinity;
  /** Whether the list was ever read: none can be said to be missing before. */
  #isRead = false;
  #problem: string | undefined;
  #isClosed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#looking = setInterval(() => void this.look(), UNSEEN_MS).unref();
  }

  /** Why the list cannot be read. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** All of them, in the order of the list. */
  places(): readonly ListedPlace[] {
    return [...this.#places.values()];
  }

  /** The project of that name, or why nothing can answer about it; `undefined`: there is none in the list. */
  async find(name: string): Promise<FoundProject | undefined> {
    const looking = this.look();
    const find = () => this.places().find((each) => each.name === name)?.is;
    const found = find();
    if (found) return found;
    // It may have been listed just now.
    await looking;
    return find() ?? (this.#isRead ? undefined : { whyNot: this.#problem ?? 'the list is being read' });
  }

  /** Reads the list, where it was not read just now, and begins to open what is not open. */
  async look(): Promise<void> {
    const now = performance.now();
    if (this.#isClosed || now - this.#lookedAt < AGAIN_MS) return;
    this.#lookedAt = now;
    try {
      const known = await this.#deps.known();
      this.#problem = undefined;
      this.#isRead = true;
      if (!this.#isClosed) this.#follow(known);
    } catch (error) {
      this.#problem = this.#reasonOf(error);
    }
  }

  /** Resolves once all that can be opened now is open. */
  async opened(): Promise<void> {
    await Promise.all(this.#working.values());
  }

  /** Ends all streams. */
  end(): void {
    this.#isClosed = true;
    clearInterval(this.#looking);
    for (const { is } of this.places()) if ('app' in is) is.served.end();
  }

  /** Once nothing is answered any more. All are closed, whichever cannot be: the first of these is thrown. */
  async close(): Promise<void> {
    this.end();
    await this.opened();
    const places = this.places();
    this.#places.clear();
    const closed = await Promise.allSettled(places.map(async ({ is }) => 'app' in is && is.close()));
    for (const each of closed) if (each.status === 'rejected') throw each.reason;
  }

  #follow(known: readonly KnownProject[]): void {
    const before = new Map(this.#places);
    this.#places.clear();
    for (const each of known) {
      const old = before.get(each.root);
      // Its address has its name in it.
      const isSame = old?.name === each.name;
      this.#places.set(each.root, {
        ...each,
        is: isSame ? old.is : { whyNot: 'it is being opened', isOpening: true },
      });
      if (isSame) before.delete(each.root);
    }
    for (const [root, { is }] of before) if ('app' in is) this.#then(root, () => is.close());
    for (const { is, ...each } of this.places()) if ('whyNot' in is) this.#begin(each);
  }

  #begin(known: KnownProject): void {
    const { root } = known;
    if (this.#opening.has(root)) return;
    this.#opening.add(root);
    this.#then(root, () => this.#open(known).finally(() => this.#opening.delete(root)));
  }

  /** Does something once what is being done with a project is done. */
  #then(root: string, work: () => Promise<void>): void {
    const done = (this.#working.get(root) ?? Promise.resolve())
      .then(work)
      .catch(this.#deps.report)
      .finally(() => this.#working.get(root) === done && this.#working.delete(root));
    this.#working.set(root, done);
  }

  async #open(known: KnownProject): Promise<void> {
    const { root } = known;
    let opened: OpenPlace | undefined;
    const fail = (error: unknown) => {
      if (!opened || this.#places.get(root)?.is !== opened) return;
      this.#set(root, { whyNot: this.#reasonOf(error) });
      this.#then(root, opened.close);
    };
    try {
      const came = await this.#deps.open(known, fail);
      if ('whyNot' in came) return this.#set(root, came);
      opened = came;
    } catch (error) {
      return this.#set(root, { whyNot: this.#reasonOf(error) });
    }
    const place = this.#places.get(root);
    if (!this.#isClosed && place?.name === known.name) return this.#set(root, opened);
    // It was taken out of the list meanwhile or has another name in it, or nobody is served any more.
    await opened.close();
    if (!this.#isClosed && place) await this.#open(place);
  }

  #set(root: string, is: ListedPlace['is']): void {
    const place = this.#places.get(root);
    if (place) this.#places.set(root, { ...place, is });
  }

  #reasonOf(error: unknown): string {
    if (error instanceof CliffordError) return error.inOneLine;
    this.#deps.report(error);
    return messageOf(error);
  }
}
