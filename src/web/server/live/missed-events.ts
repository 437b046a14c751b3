import type { Serving } from '../serving.ts';
import type { LiveClient } from './live-client.ts';
import { placeIn, readyEvent, type ReadyEvent } from './ready-event.ts';

/** So many events of all sprints are kept, for those who come back. */
const KEPT_EVENTS = 1_000;

/** What readers have missed who come back: of a sprint from its log, of all sprints as far as it is kept. */
export class MissedEvents {
  readonly #serving: Pick<Serving, 'project' | 'histories'>;
  #kept: readonly ReadyEvent[] = [];

  constructor(serving: Pick<Serving, 'project' | 'histories'>) {
    this.#serving = serving;
  }

  keep(events: readonly ReadyEvent[]): void {
    this.#kept = [...this.#kept, ...events].slice(-KEPT_EVENTS);
  }

  /** What happens is not kept for a while: whoever comes back then is told that something is missing. */
  forget(): void {
    this.#kept = [];
  }

  /**
   * Puts in front what a reader has missed, or notes that it is missing.
   *
   * @param lastId - Of the last event that it has, as it came.
   */
  async catchUp(client: LiveClient, lastId: string): Promise<void> {
    const last = placeIn(lastId);
    const { sprint } = client.follows;
    if (sprint !== undefined && last?.sprint === sprint) return this.#fromLog(client, last);
    if (sprint !== undefined) return client.noteGap();
    const at = this.#kept.findLastIndex(
      (each) => each.sprint === last?.sprint && each.version === last.version,
    );
    if (at === -1) client.noteGap();
    else client.add(this.#kept.slice(at + 1));
  }

  async #fromLog(
    client: LiveClient,
    { sprint, version }: { readonly sprint: string; readonly version: number },
  ): Promise<void> {
    client.isCatchingUp = true;
    const { project, histories } = this.#serving;
    try {
      const events = await histories.recent(sprint).read();
      const missed = events.filter(({ streamversion }) => streamversion > version);
      const isWhole = missed.length === 0 || missed[0]?.streamversion === version + 1;
      if (!isWhole) client.noteGap();
      client.caughtUp(isWhole ? missed.map((event) => readyEvent(event, project.state)) : []);
    } catch {
      // Why the log cannot be read stands in the state.
      client.noteGap();
      client.caughtUp([]);
    }
  }
}
