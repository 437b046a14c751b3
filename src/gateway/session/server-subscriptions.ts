import { messageOf } from '../../lib/message-of.ts';
import type { Project } from '../../workflow/project/project.ts';
import { methodTarget, type Target } from '../call/target.ts';
import type { CallPlace } from '../call/tool.ts';
import { ResourceSubscriptions } from '../lists/resource-subscriptions.ts';
import type { ResourceOrigin } from '../lists/resource-uri.ts';
import type { McpManager } from '../server/mcp-manager.ts';
import type { CallPolicy } from './policy-in-force.ts';
import type { ServerSet } from './server-set.ts';

/** Whose subscriptions they are, and what they are about: what is told by them is judged as that. */
type Subscriber = { readonly project: Project; readonly place: CallPlace };

export type ServerSubscriptionsDeps = {
  readonly manager: Pick<McpManager, 'request'>;
  readonly servers: Pick<ServerSet, 'configOf'>;
  readonly policy: CallPolicy;
  readonly isReady: (serverId: string) => boolean;
  /** Tells the client that the resource of this URI has changed, by the URI that it knows. */
  readonly tell: (uri: string) => void;
  readonly report: (problem: string) => void;
  readonly background: (work: Promise<unknown>) => void;
};

/** The resources of other servers of which one client hears: asked of their servers, and judged for as long as it lasts. */
export class ServerSubscriptions {
  readonly #deps: ServerSubscriptionsDeps;
  readonly #held: ResourceSubscriptions;
  #subscriber: Subscriber | undefined;
  #isClosed = false;

  constructor(deps: ServerSubscriptionsDeps) {
    this.#deps = deps;
    this.#held = new ResourceSubscriptions({
      tell: deps.tell,
      isAllowed: (origin) => this.#isAllowed(origin),
      drop: (origin) => this.#tellServer('resources/unsubscribe', origin),
    });
  }

  get isFull(): boolean {
    return this.#held.isFull;
  }

  /** From now on they are judged as of this. */
  judgeAs(subscriber: Subscriber): void {
    this.#subscriber = subscriber;
  }

  /** Asks a server to tell of changes of a resource. @throws as `McpManager.request`. */
  async begin(
    origin: ResourceOrigin,
    ...[params, options]: Parameters<Target['run']>
  ): ReturnType<Target['run']> {
    await this.#deps.manager.request(origin.serverId, 'resources/subscribe', params, options);
    this.#held.add(origin);
    return {};
  }

  /** Ends what {@link begin} began. The policy has nothing against that. */
  end(origin: ResourceOrigin): void {
    if (this.#held.remove(origin)) this.#tellServer('resources/unsubscribe', origin);
  }

  /** A server that was started anew has forgotten of what it was to tell, and what has changed meanwhile nobody knows. */
  again(serverId: string): void {
    for (const origin of this.#held.of(serverId)) {
      if (this.#isAllowed(origin)) this.#tellServer('resources/subscribe', origin);
      this.#held.changed(origin);
    }
  }

  /** A server says that a resource has changed. */
  changed(origin: ResourceOrigin): void {
    this.#held.changed(origin);
  }

  close(): void {
    this.#isClosed = true;
    this.#held.end();
  }

  #isAllowed({ serverId, uri }: ResourceOrigin): boolean {
    if (this.#subscriber === undefined || this.#deps.servers.configOf(serverId) === undefined) return false;
    const { project, place } = this.#subscriber;
    const target = methodTarget(serverId, 'resources/subscribe', async () => ({}));
    return this.#deps.policy.decide(project, target, { uri }, place).decision !== 'deny';
  }

  /** Of a server that is gone, or refuses, nothing is heard anyhow. */
  #tellServer(
    method: 'resources/subscribe' | 'resources/unsubscribe',
    { serverId, uri }: ResourceOrigin,
  ): void {
    const { manager, isReady, report, background } = this.#deps;
    if (this.#isClosed || !isReady(serverId)) return;
    const told = manager
      .request(serverId, method, { uri })
      .catch((error: unknown) => report(messageOf(error)));
    background(told);
  }
}
