import type { Caller } from '../caller.ts';
import type { LiveStream } from './live-stream.ts';

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

/** An event that was made ready once for all who get it. */
export type ReadyEvent = { readonly sprint: string; readonly version: number; readonly json: string };

/** One reader of the stream, and what it has been told. */
export class LiveClient {
  readonly stream: LiveStream;
  readonly caller: Caller;
  readonly follows: Follows;
  /** What was sent last of what replaces itself, by name. */
  readonly #sent = new Map<string, string>();
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

  /** Sends something that replaces what it was told before, unless it is that. */
  replace(
    name: 'state' | 'sprint' | 'question',
    json: string,
    around: (json: string) => string = (same) => same,
  ): void {
    if (this.stream.behindSince !== undefined || this.#sent.get(name) === json) return;
    this.#sent.set(name, json);
    this.stream.send(name, around(json));
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

/** Where an event stands, as the id of a message: `sprint-1@412`. */
function placeOf({ sprint, version }: Pick<ReadyEvent, 'sprint' | 'version'>): string {
  return `${sprint}@${version}`;
}

/** The place that an id names; `undefined`: it is none of ours. */
export function placeIn(
  id: string | undefined,
): { readonly sprint: string; readonly version: number } | undefined {
  const [, sprint, version] = /^([\w-]{1,128})@(\d{1,15})$/.exec(id ?? '') ?? [];
  return sprint === undefined ? undefined : { sprint, version: Number(version) };
}
