import type { Caller } from '../callers/caller.ts';
import type { Patch } from '../../api/patch.ts';
import type { LiveStream } from './live-stream.ts';
import { placeOf, type ReadyEvent } from './ready-event.ts';
import { lengthOf, patchJson, wholeJson, type Snapshot } from './snapshot.ts';

/** What a reader of the stream follows beside the state of all. */
export type Follows = {
  readonly sprint?: string | undefined;
  /** Of that sprint. */
  readonly task?: string | undefined;
  readonly question?: string | undefined;
};

/** So many events and pieces of output wait for a reader that takes nothing. */
const MOST_WAITING = 2_000;
const MOST_OUTPUT = 1_048_576;

/** One reader of the stream, and what it has been told. */
export class LiveClient {
  readonly stream: LiveStream;
  readonly caller: Caller;
  readonly follows: Follows;
  /** What it was told last, by name. */
  readonly #told = new Map<Patch['of'], Snapshot>();
  #events: ReadyEvent[] = [];
  #output: string[] = [];
  #outputLength = 0;
  #hasGap = false;
  /** It has been told what was written until now, and gets what comes. */
  isListening = false;
  /** Its past is being read: what happens meanwhile comes after that. */
  isCatchingUp = false;

  constructor(of: { readonly stream: LiveStream; readonly caller: Caller; readonly follows: Follows }) {
    this.stream = of.stream;
    this.caller = of.caller;
    this.follows = of.follows;
  }

  /**
   * Tells how something is: whole the first time, then what of it is not as it was told.
   *
   * @param also - Keys that go with it, and are no reason to tell it.
   */
  tell(name: Patch['of'], now: Snapshot, also?: Snapshot): void {
    if (this.stream.behindSince !== undefined) return;
    const before = this.#told.get(name);
    const patch = before && patchJson(name, { before, now, also });
    if (before && patch === undefined) return;
    this.#told.set(name, now);
    if (patch !== undefined && patch.length <= lengthOf(now)) this.stream.send('patch', patch);
    else this.stream.send(name, wholeJson(new Map([...(also ?? []), ...now])));
  }

  /** Events that it gets with the next {@link flush}. */
  add(events: readonly ReadyEvent[]): void {
    this.#events.push(...events);
    if (this.#events.length <= MOST_WAITING) return;
    this.#events = [];
    this.#hasGap = true;
  }

  /** Output that it gets with the next {@link flush}, a piece as JSON. */
  addOutput(json: string): void {
    this.#output.push(json);
    this.#outputLength += json.length;
    if (this.#outputLength <= MOST_OUTPUT) return;
    this.dropOutput();
    this.#hasGap = true;
  }

  /** What comes is not all: some of it is gone. */
  noteGap(): void {
    this.#hasGap = true;
  }

  /** Puts the past in front of what came meanwhile, each event once. */
  caughtUp(past: readonly ReadyEvent[]): void {
    const seen = new Set(past.map(placeOf));
    this.#events = [...past, ...this.#events.filter((event) => !seen.has(placeOf(event)))];
    this.isCatchingUp = false;
  }

  /** Sends what waits, unless it takes nothing now. */
  flush(): void {
    if (this.stream.behindSince !== undefined || this.isCatchingUp) return;
    const { sprint } = this.follows;
    if (this.#hasGap) this.stream.send('gap', JSON.stringify(sprint === undefined ? {} : { sprint }));
    this.#hasGap = false;
    const last = this.#events.at(-1);
    if (last)
      this.stream.send('events', `[${this.#events.map(({ json }) => json).join(',')}]`, placeOf(last));
    this.#events = [];
    if (this.#output.length > 0) this.stream.send('output', `[${this.#output.join(',')}]`);
    this.dropOutput();
  }

  /** Output that waits is a part of what it is told now. */
  dropOutput(): void {
    this.#output = [];
    this.#outputLength = 0;
  }
}
