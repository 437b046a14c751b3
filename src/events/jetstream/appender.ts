import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../../lib/time/backoff.ts';
import type { StoredEvent } from '../envelope.ts';
import type { PendingAppend } from '../line/pending-append.ts';
import { ConflictError } from '../log/event-log.ts';
import { isReplaced, isStale, logReplaced } from '../log/log-replaced.ts';
import type { Upcasters } from '../upcasters.ts';
import { hasEventsStream, makeEventsStream } from './events-stream.ts';
import { assertPlace, lastMessage } from './fetch-messages.ts';
import {
  appendTooLong,
  appendUnknown,
  asLogError,
  isPassing,
  logClosed,
  troubleOf,
  type Trouble,
} from './jetstream-errors.ts';
import type { LogServer } from './log-server.ts';
import { placeAppends } from './place-appends.ts';
import { needJobsStream } from './queue/need-jobs-stream.ts';
import { headOf, newsOf, type SubjectHead } from './stream-heads.ts';

/** An append that waits for its end. `isRetry`: it may be in the log already. */
type Waiting = PendingAppend & {
  isRetry: boolean;
  readonly bytes: number;
  readonly resolve: (stored: readonly StoredEvent[]) => void;
  readonly reject: (error: unknown) => void;
};

/** Pauses between the tries of an append. */
const PAUSE = { firstMs: 20, longestMs: 500 };
/** Room for the headers of a message, in bytes: two ids and two names. */
const HEADER_BYTES = 1_024;
/** Nothing of a stream is known. */
const START: SubjectHead = { version: 0, hash: '', seq: 0 };

/** What an appender needs. */
type AppenderDeps = {
  readonly server: LogServer;
  /** On how many servers of a cluster the stream is kept, if this makes it. */
  readonly replicas: number;
  readonly upcasters: Upcasters | undefined;
};

/**
 * Appends. What arrives for a stream while a message is on its way forms the next one. Every message says which one it
 * follows in its subject, so that the server takes it once, whatever was lost on the way and sent again: which message
 * came to that place is read from the log.
 */
export class Appender {
  readonly #deps: AppenderDeps;
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #heads = new Map<string, SubjectHead>();
  #hasStream = false;
  #isClosed = false;

  constructor(deps: AppenderDeps) {
    this.#deps = deps;
  }

  /** Resolves when the server has the events. @throws as `EventLog.append` does. */
  append(append: PendingAppend & { readonly isRetry: boolean }): Promise<readonly StoredEvent[]> {
    const { server } = this.#deps;
    const { stream } = append;
    if (this.#isClosed) return Promise.reject(logClosed(server.name));
    const bytes = bytesOf(append);
    const maxBytes = server.maxBytes - HEADER_BYTES;
    if (bytes > maxBytes) return Promise.reject(appendTooLong(server.name, { stream, bytes }, maxBytes));
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(stream) ?? [];
      this.#waiting.set(stream, [...waiting, { ...append, bytes, resolve, reject }]);
      if (!this.#running.has(stream)) this.#running.set(stream, this.#run(stream));
    });
  }

  /** Waits for the appends under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#running.values());
  }

  async #run(stream: string): Promise<void> {
    // One turn of the microtask queue: appends made together get into the first group.
    await Promise.resolve();
    for (let group = this.#nextGroup(stream); group.length > 0; group = this.#nextGroup(stream)) {
      try {
        await this.#commit(stream, group);
      } catch (error) {
        // What is known of the stream may be wrong.
        this.#heads.delete(stream);
        for (const { reject } of group) reject(error);
      }
    }
    this.#running.delete(stream);
  }

  /**
   * As many of those that wait as one message holds. Of two tries of one append the second is left for a later group,
   * which finds that its events are in the stream already.
   */
  #nextGroup(stream: string): Waiting[] {
    const waiting = this.#waiting.get(stream) ?? [];
    const maxBytes = this.#deps.server.maxBytes - HEADER_BYTES;
    let bytes = 0;
    const full = waiting.findIndex((append, index) => {
      bytes += append.bytes;
      if (index > 0 && bytes > maxBytes) return true;
      return append.isRetry && waiting.slice(0, index).some((other) => isSameAppend(append, other));
    });
    const group = full === -1 ? waiting : waiting.slice(0, full);
    if (group.length === waiting.length) this.#waiting.delete(stream);
    else this.#waiting.set(stream, waiting.slice(group.length));
    return group;
  }

  /** Settles each append of the group, or throws what fails all that are not settled yet. */
  async #commit(stream: string, group: readonly Waiting[]): Promise<void> {
    const since = performance.now();
    let rest = group;
    let unanswered: unknown;
    /** Whether more may be in the stream than is known. */
    let isBehind = false;
    let duplicates = 0;
    for (let tries = 0; ; tries += 1) {
      try {
        await this.#needStream();
        if (rest.some(({ isRetry }) => isRetry)) this.#heads.set(stream, START);
        let head = this.#heads.get(stream) ?? (await this.#lookUp(stream));
        isBehind ||= rest.some(({ isRetry, expectedVersion }) => isRetry || isAhead(expectedVersion, head));
        if (isBehind) {
          ({ head, rest } = await this.#catchUp(stream, head, rest));
          isBehind = false;
        }
        rest = await this.#publish(stream, head, rest);
        if (rest.length === 0) return;
        isBehind = true;
        duplicates += 1;
        // It is not among what came since: it was appended before, or this is no log of ours.
        if (duplicates > 1) for (const append of rest) append.isRetry = true;
        if (duplicates > 2) throw appendUnknown(this.#deps.server.name, stream, undefined);
      } catch (error) {
        const trouble = troubleOf(error);
        if (trouble === 'unanswered') unanswered = error;
        if (trouble === 'no-stream' || trouble === 'unavailable') this.#hasStream = false;
        isBehind = true;
        const failure = this.#failure(stream, error, unanswered);
        if (!mayGoOn(trouble) || !this.#deps.server.wait.goesOn(since, failure)) throw failure;
        if (trouble !== 'outrun') await pause(backoffMs(PAUSE, tries));
      }
    }
  }

  /** What the callers are told: that nothing was written only where that is known. */
  #failure(stream: string, error: unknown, unanswered: unknown): unknown {
    const { name } = this.#deps.server;
    if (unanswered === undefined || isReplaced(error)) return asLogError(name, 'append to', error);
    return appendUnknown(name, stream, unanswered);
  }

  /** Makes the stream of the log, unless it is there. */
  async #needStream(): Promise<void> {
    if (this.#hasStream) return;
    const { server, replicas } = this.#deps;
    const isThere = await hasEventsStream(server);
    if (!isThere && server.seen) await this.#assertSame();
    await needJobsStream(server, replicas);
    if (!isThere) await makeEventsStream(server, replicas);
    this.#hasStream = true;
  }

  async #lookUp(stream: string): Promise<SubjectHead> {
    const { server } = this.#deps;
    if (server.seen) await this.#assertSame();
    const head = await headOf(server, stream);
    this.#heads.set(stream, head);
    return head;
  }

  /** @throws {CliffordError} `LOG_REPLACED` when what was read or written here is not in the log. */
  async #assertSame(): Promise<void> {
    const { server } = this.#deps;
    const { seen } = server;
    try {
      if (seen) await assertPlace(server, seen, await lastMessage(server, server.names.all));
    } catch (error) {
      throw isStale(error) ? logReplaced(error) : error;
    }
  }

  /** Reads what came to a stream, and settles those of the group that are there. */
  async #catchUp(
    stream: string,
    since: SubjectHead,
    group: readonly Waiting[],
  ): Promise<{ head: SubjectHead; rest: readonly Waiting[] }> {
    const { server, upcasters } = this.#deps;
    const ids = new Set(group.flatMap(({ events }) => events.map(({ event }) => event.id)));
    const { head, known } = await newsOf(server, { stream, since, ids }, upcasters);
    this.#heads.set(stream, head);
    const rest = group.filter(({ events, resolve }) => {
      const stored = events.map(({ event }) => known.get(event.id)).filter((event) => event !== undefined);
      if (stored.length > 0) resolve(stored);
      return stored.length === 0;
    });
    for (const append of rest) append.isRetry = false;
    return { head, rest };
  }

  /** Publishes a group and settles it. What the server has had before is left: it is in the log. */
  async #publish(
    stream: string,
    before: SubjectHead,
    group: readonly Waiting[],
  ): Promise<readonly Waiting[]> {
    const { server } = this.#deps;
    const { outcomes, lines, head } = placeAppends(group, before);
    const stored = outcomes.find((outcome) => 'stored' in outcome);
    if (stored) {
      const ack = await server.answerTo(
        server.jetstream.publish(server.names.subjectOf(stream), lines.join('\n'), {
          ...(stored.stored[0] && { msgID: stored.stored[0].id }),
          expect: { streamName: server.names.stream, lastSubjectSequence: before.seq },
        }),
      );
      if (ack.duplicate) return group;
      this.#heads.set(stream, { ...head, seq: ack.seq });
      server.note({ seq: ack.seq, proof: head.hash });
    }
    for (const [index, { resolve, reject }] of group.entries()) {
      const outcome = outcomes[index];
      if (!outcome) continue;
      if ('stored' in outcome) resolve(outcome.stored);
      else reject(new ConflictError(outcome.conflict));
    }
    return [];
  }
}

/** Whether two appends are of the same events: all of them are in the log, or none. */
function isSameAppend(one: PendingAppend, other: PendingAppend): boolean {
  return one.events[0]?.event.id === other.events[0]?.event.id;
}

/** Whether an append expects events that are not known here. */
function isAhead(expected: PendingAppend['expectedVersion'], head: SubjectHead): boolean {
  return expected !== 'any' && expected > head.version;
}

function bytesOf({ events }: PendingAppend): number {
  return events.reduce(
    (sum, { template: { before, after } }) =>
      sum + Buffer.byteLength(before) + Buffer.byteLength(after) + PLACE_BYTES,
    0,
  );
}

/** Room for the place of an event in its line, and a newline. */
const PLACE_BYTES = 101;

function mayGoOn(trouble: Trouble | undefined): boolean {
  return isPassing(trouble) || trouble === 'outrun' || trouble === 'no-stream';
}
