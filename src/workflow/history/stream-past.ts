import type { StoredEvent } from '../../events/envelope.ts';
import type { EventLog } from '../../events/log/event-log.ts';
import { capYoungGeneration } from '../../lib/processes/young-generation.ts';
import { copyKept, copyState } from '../../machines/copy-state.ts';
import { applyEvent } from '../../machines/fold.ts';
import { nameOf } from '../../machines/status-words.ts';
import { createProjectState, type ProjectState } from '../../machines/project-state.ts';
import { HistoryIndex } from './history-index.ts';
import type { Moment } from './history-of.ts';
import { HistoryPages } from './history-pages.ts';
import { KeptStates } from './kept-states.ts';
import { TaskTracks, type MachineMove } from './task-tracks.ts';

/** A state to begin with, after a version. */
type Start = { readonly version: number; readonly state: ProjectState };

/** The past of one stream: read once, then known well enough that any moment of it is near. */
export class StreamPast {
  readonly index = new HistoryIndex();
  readonly tracks = new TaskTracks();
  /** The transitions of the sprint itself, in order. */
  readonly moves: MachineMove[] = [];
  readonly #stream: string;
  readonly #pages: HistoryPages;
  readonly #kept: KeptStates;
  /** The state after the newest event. Nobody else has it. */
  readonly #now: ProjectState = createProjectState();
  /** The moment that was asked for last. */
  #last: Moment | undefined;

  constructor(log: Pick<EventLog, 'select'>, stream: string, pageEvents?: number) {
    this.#stream = stream;
    this.#pages = new HistoryPages(log, stream, pageEvents);
    this.#kept = new KeptStates(stream);
  }

  /** How many states are kept on the way. */
  get keptStates(): number {
    return this.#kept.count;
  }

  /**
   * Takes what the log has of the stream by now. `onBatch` is called on the way; one at a time.
   *
   * @throws {CliffordError} why it cannot be read; what came before that is there. Whatever `onBatch` throws.
   */
  async readOn(onBatch: () => void = () => undefined): Promise<void> {
    for await (const batch of this.#pages.fresh()) {
      for (const event of batch.events) {
        const from = this.#standing();
        applyEvent(this.#now, event);
        this.#noteMove(from, event);
        this.index.add(event);
        this.tracks.take(event);
      }
      if (this.#pages.add(batch)) this.#kept.add(this.#pages.lastPage, this.#now);
      capYoungGeneration();
      onBatch();
    }
  }

  /**
   * The event of a version that is there, and the state right after it, which is never changed. One at a time.
   *
   * @throws as {@link HistoryPages.read}.
   */
  async moment(version: number): Promise<Moment> {
    if (this.#last?.event.streamversion === version) return this.#last;
    const page = this.#pages.pageOf(version);
    const { state, version: from } = this.#startFor(version, page);
    let event: StoredEvent | undefined;
    const first = Math.min(this.#pages.pageOf(from + 1), page);
    for (let at = first; at <= page; at += 1) {
      if (at > first) this.#kept.addNear(at, state);
      for (event of await this.#pages.read(at)) {
        if (event.streamversion > from) applyEvent(state, event);
        if (event.streamversion === version) break;
      }
    }
    capYoungGeneration();
    if (event?.streamversion !== version) throw new Error(`The log did not give version ${version} again`);
    this.#last = { event, state };
    return this.#last;
  }

  /** The events from a version to another, both included. */
  async events(from: number, to: number): Promise<readonly StoredEvent[]> {
    const [first, last] = [Math.max(1, from), Math.min(to, this.index.length)];
    const found: StoredEvent[] = [];
    for (let page = this.#pages.pageOf(first); first <= last && page <= this.#pages.pageOf(last); page += 1) {
      const events = await this.#pages.read(page);
      found.push(...events.filter(({ streamversion }) => streamversion >= first && streamversion <= last));
    }
    return found;
  }

  /** Where the sprint stands by now. */
  #standing(): string | undefined {
    const machine = this.#now.streams.get(this.#stream)?.machine;
    return machine && nameOf(machine.value);
  }

  /** Of a stream without events `absent` holds. */
  #noteMove(
    from: string | undefined,
    { streamversion: version, time, type: event, data }: StoredEvent,
  ): void {
    const to = this.#standing();
    if (to === undefined || from === to) return;
    const isOfCall = 'requestId' in data && this.#isCall(data.requestId);
    this.moves.push({ version, time, event, ...(isOfCall && { isOfCall }), from: from ?? 'absent', to });
  }

  #isCall(request: string | undefined): boolean {
    return this.#now.streams.get(this.#stream)?.requests.get(request ?? '')?.asked.approval !== undefined;
  }

  /** A copy of the latest state that is known before, or after, a version. */
  #startFor(version: number, page: number): Start {
    const { length } = this.index;
    if (version === length) return { version: length, state: copyState(this.#now) };
    const kept = this.#kept.before(page);
    const keptVersion = kept ? this.#pages.firstOf(kept.page) - 1 : 0;
    const last = this.#last?.event.streamversion ?? 0;
    if (this.#last && last <= version && last > keptVersion)
      return { version: last, state: copyState(this.#last.state) };
    return { version: keptVersion, state: kept ? copyKept(kept.kept) : createProjectState() };
  }
}
