import type { Hono } from 'hono';
import { CliffordError } from '../../../errors.ts';
import { messageOf } from '../../../lib/message-of.ts';
import type { KnownProject } from '../../../workflow/projects/known-projects.ts';
import type { AppEnv } from '../guards/gate.ts';
import type { ServedProject } from '../served-project.ts';
import type { FoundProject } from './everywhere-app.ts';

/** So often the list is read again, and what could not be opened is tried again, while somebody looks, in ms. */
const AGAIN_MS = 5_000;

/** A project that is open, and answered about. */
export type OpenPlace = {
  readonly served: ServedProject;
  readonly app: Hono<AppEnv>;
  readonly close: () => Promise<void>;
};

/** Why a project cannot be looked at now. */
type Closed = { readonly whyNot: string };

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
  readonly #opening = new Map<string, Promise<void>>();
  #lookedAt = -Infinity;
  #problem: string | undefined;
  #isClosed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Why the list cannot be read. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** All of them, in the order of the list. */
  places(): readonly ListedPlace[] {
    return [...this.#places.values()];
  }

  find(name: string): FoundProject | undefined {
    const found = this.places().find((each) => each.name === name);
    if (found && 'whyNot' in found.is) void this.look();
    return found?.is;
  }

  /** Reads the list, where it was not read just now, and begins to open what is not open. */
  async look(): Promise<void> {
    const now = performance.now();
    if (this.#isClosed || now - this.#lookedAt < AGAIN_MS) return;
    this.#lookedAt = now;
    try {
      await this.#follow(await this.#deps.known());
      this.#problem = undefined;
    } catch (error) {
      this.#problem = this.#reasonOf(error);
    }
  }

  /** Resolves once all that can be opened now is open. */
  async opened(): Promise<void> {
    await Promise.all(this.#opening.values());
  }

  /** Ends all streams. */
  end(): void {
    this.#isClosed = true;
    for (const { is } of this.places()) if ('app' in is) is.served.end();
  }

  /** Once nothing is answered any more. */
  async close(): Promise<void> {
    this.end();
    await this.opened();
    await Promise.all([...this.#places.keys()].map((root) => this.#drop(root)));
  }

  async #follow(known: readonly KnownProject[]): Promise<void> {
    const before = new Map(this.#places);
    this.#places.clear();
    for (const each of known) {
      const old = before.get(each.root);
      // Its address has its name in it.
      const isSame = old?.name === each.name;
      this.#places.set(each.root, { ...each, is: isSame ? old.is : { whyNot: 'it is being opened' } });
      if (isSame) before.delete(each.root);
    }
    await Promise.all([...before.values()].map(async ({ is }) => 'app' in is && is.close()));
    for (const { is, ...each } of this.places())
      if ('whyNot' in is && !this.#opening.has(each.root))
        this.#opening.set(
          each.root,
          this.#open(each).finally(() => this.#opening.delete(each.root)),
        );
  }

  async #open(known: KnownProject): Promise<void> {
    const { root } = known;
    let opened: OpenPlace | undefined;
    const fail = (error: unknown) => {
      if (!opened || this.#places.get(root)?.is !== opened) return;
      this.#set(root, { whyNot: this.#reasonOf(error) });
      opened.close().catch(this.#deps.report);
    };
    try {
      const came = await this.#deps.open(known, fail);
      if ('whyNot' in came) return this.#set(root, came);
      opened = came;
    } catch (error) {
      return this.#set(root, { whyNot: this.#reasonOf(error) });
    }
    // It was taken out of the list meanwhile, or nobody is served any more.
    if (this.#isClosed || !this.#places.has(root)) return opened.close();
    this.#set(root, opened);
  }

  #set(root: string, is: ListedPlace['is']): void {
    const place = this.#places.get(root);
    if (place) this.#places.set(root, { ...place, is });
  }

  async #drop(root: string): Promise<void> {
    const place = this.#places.get(root);
    this.#places.delete(root);
    if (place && 'app' in place.is) await place.is.close();
  }

  #reasonOf(error: unknown): string {
    if (error instanceof CliffordError) return error.inOneLine;
    this.#deps.report(error);
    return messageOf(error);
  }
}
