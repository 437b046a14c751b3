import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import type { Fact } from '../../machines/fact.ts';
import { homeStream } from '../../workflow/sprint/home-stream.ts';
import type { ManagerEvent } from '../server/manager-event.ts';
import type { ServerState } from '../server/server-state.ts';
import { rememberTools } from '../lists/known-tools.ts';
import type { Caller } from '../call/place-of-call.ts';

type Seen<K extends ManagerEvent['kind']> = ManagerEvent & { readonly kind: K };

/** What the log is told about servers: that one is connected, and that it is lost, each once. */
class ServerFacts {
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

/** Records what is seen of servers, where the agent's words go that name no sprint: their states, and their tools. */
export class ServerRecord {
  readonly #caller: () => Promise<Caller>;
  readonly #report: (problem: unknown) => void;
  readonly #facts = new ServerFacts();
  /** Until the lists of tools that came so far are kept. */
  #remembered: Promise<void> = Promise.resolve();

  constructor(caller: () => Promise<Caller>, report: (problem: unknown) => void) {
    this.#caller = caller;
    this.#report = report;
  }

  /** Resolves when the tools that were seen so far are kept, as far as they could be. */
  get remembered(): Promise<void> {
    return this.#remembered;
  }

  tools({ serverId, tools }: Seen<'tools'>): Promise<void> {
    // One after the other: what was seen first is what is known.
    this.#remembered = this.#remembered
      .then(async () => {
        const { project, stream } = await this.#place();
        await rememberTools(project, { stream, serverId, tools });
      })
      // Whoever sits there has to know: a change of these tools would go unnoticed.
      .catch((error: unknown) => this.#report(error));
    return this.#remembered;
  }

  async state({ state }: Seen<'state'>): Promise<void> {
    const fact = this.#facts.of(state);
    if (!fact) return;
    const { project, stream } = await this.#place();
    await project.record(stream, [{ ...fact, subject: stream }]);
  }

  async #place() {
    const { project, agent, session } = await this.#caller();
    return { project, stream: await homeStream(project, agent, session) };
  }
}
