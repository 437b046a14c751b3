import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import type { Fact } from '../../machines/fact.ts';
import type { ServerState } from '../server/server-state.ts';

/** What the log is told about servers: that one is connected, and that it is lost, each once. */
export class ServerFacts {
  readonly #known = new Map<string, 'connected' | 'lost'>();

  /** The fact that a new state is, if it is one. */
  of({ id, health, server, problem }: ServerState): Fact<'server.connected' | 'server.lost'> | undefined {
    const now =
      health === 'ready' ? 'connected' : health === 'down' || health === 'failed' ? 'lost' : undefined;
    if (now === undefined || this.#known.get(id) === now) return undefined;
    this.#known.set(id, now);
    if (now === 'lost') {
      const reason = (problem ?? 'it is gone').slice(0, MAX_TEXT_LENGTH);
      return { type: 'server.lost', data: { server: id, reason } };
    }
    const { name = '', version = '', protocol = '' } = server ?? {};
    return { type: 'server.connected', data: { server: id, name, version, protocol } };
  }
}
