import { Throttle } from '../../lib/time/throttle.ts';
import { exposedUri, type ResourceOrigin } from './resource-uri.ts';

/** What has changed is told no more often than that, in ms: all that came meanwhile at once. */
const TOLD_EVERY_MS = 100;

/** So many resources one client may have watched, and so many are told of at once: a server could name any. */
const MOST = 1_000;

export type ResourceSubscriptionsDeps = {
  /** Tells the client that the resource of this URI has changed, by the URI that it knows. */
  readonly tell: (uri: string) => void;
  /** Whether the policy still lets the client hear of a resource. */
  readonly isAllowed: (origin: ResourceOrigin) => boolean;
  /** The server has to tell no longer. */
  readonly drop: (origin: ResourceOrigin) => void;
};

/** The resources of other servers of which one client wants to hear, and what is told of them. */
export class ResourceSubscriptions {
  readonly #deps: ResourceSubscriptionsDeps;
  /** By server, the URIs as it knows them. */
  readonly #held = new Map<string, Set<string>>();
  readonly #changed = new Map<string, ResourceOrigin>();
  readonly #throttle = new Throttle<void>(TOLD_EVERY_MS, () => this.#tell());

  constructor(deps: ResourceSubscriptionsDeps) {
    this.#deps = deps;
  }

  get isFull(): boolean {
    return [...this.#held.values()].reduce((sum, { size }) => sum + size, 0) >= MOST;
  }

  add({ serverId, uri }: ResourceOrigin): void {
    const held = this.#held.get(serverId) ?? new Set();
    this.#held.set(serverId, held.add(uri));
  }

  /** @returns whether the client had asked for it. */
  remove({ serverId, uri }: ResourceOrigin): boolean {
    return this.#held.get(serverId)?.delete(uri) ?? false;
  }

  /** What the client wants to hear of from a server. */
  of(serverId: string): readonly ResourceOrigin[] {
    return [...(this.#held.get(serverId) ?? [])].map((uri) => ({ serverId, uri }));
  }

  /** A server says that a resource has changed: one that was asked about, or that is part of one. */
  changed(origin: ResourceOrigin): void {
    const isHeld = this.of(origin.serverId).some(
      ({ uri }) => origin.uri === uri || origin.uri.startsWith(uri.endsWith('/') ? uri : `${uri}/`),
    );
    if (!isHeld || this.#changed.size >= MOST) return;
    this.#changed.set(exposedUri(origin), origin);
    this.#throttle.push();
  }

  end(): void {
    this.#throttle.drop();
    this.#held.clear();
  }

  #tell(): void {
    for (const [uri, origin] of this.#changed) {
      if (this.#deps.isAllowed(origin)) this.#deps.tell(uri);
      else if (this.remove(origin)) this.#deps.drop(origin);
    }
    this.#changed.clear();
  }
}
