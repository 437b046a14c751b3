import { homeStream } from '../../workflow/sprint/home-stream.ts';
import type { ManagerEvent } from '../server/manager-event.ts';
import { rememberTools } from './known-tools.ts';
import type { Caller } from './place-of-call.ts';
import { ServerFacts } from './server-facts.ts';

type Seen<K extends ManagerEvent['kind']> = ManagerEvent & { readonly kind: K };

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
