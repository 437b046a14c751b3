import type { RawObject } from '../server/manager-event.ts';
import type { GatewayDeps } from './gateway-deps.ts';

/** What a client can list, by the name that stands in the notification that it has changed. */
export type ClientList = 'tools' | 'resources' | 'prompts';

/** What the agent's client is told without having asked. */
export class ClientNews {
  readonly #deps: Pick<GatewayDeps, 'client' | 'background'>;
  readonly #listed = new Set<ClientList>();
  #isClosed = false;

  constructor(deps: Pick<GatewayDeps, 'client' | 'background'>) {
    this.#deps = deps;
  }

  /** Whether the client has left: it is told nothing more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The client has listed these: it is told when they change. */
  listed(kind: ClientList): void {
    this.#listed.add(kind);
  }

  /** Says that lists are others now, of those that the client has. */
  changed(kinds: readonly ClientList[]): void {
    for (const kind of kinds) if (this.#listed.has(kind)) this.tell(`notifications/${kind}/list_changed`);
  }

  /** Sends a notification. */
  tell(method: string, params?: RawObject): void {
    if (!this.#isClosed) this.#deps.background(this.#deps.client.notify(method, params));
  }

  close(): void {
    this.#isClosed = true;
  }
}
