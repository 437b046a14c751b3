import { setImmediate as nextTurn } from 'node:timers/promises';
import { CliffordError } from '../../../src/errors.ts';
import { streamOf } from '../../../src/events/envelope.ts';
import type { NewEvent, StoredEvent } from '../../../src/events/envelope.ts';
import { ConflictError } from '../../../src/events/log/event-log.ts';
import type { Checkpoint, EventBatch, EventLog, StreamHead } from '../../../src/events/log/event-log.ts';
import { ChainReader, decodeLine } from '../../../src/events/line/chain-reader.ts';
import { EMPTY_HEAD, fillTemplate, hashLine } from '../../../src/events/line/line-codec.ts';
import { prepareEvents } from '../../../src/events/line/prepare-event.ts';
import type { Redactor } from '../../../src/events/secrets/redaction.ts';
import type { Upcasters } from '../../../src/events/upcasters.ts';

/** What the handles of one log share: its lines. */
export class MemoryStore {
  readonly lines: string[] = [];
  readonly heads = new Map<string, StreamHead>();
  #changed = Promise.withResolvers<void>();

  /** Resolves with the next change. */
  get changed(): Promise<void> {
    return this.#changed.promise;
  }

  /** Adds lines of a stream, the last of which leaves it at `head`. */
  add(stream: string, lines: readonly string[], head: StreamHead): void {
    this.lines.push(...lines);
    this.heads.set(stream, head);
    const changed = this.#changed;
    this.#changed = Promise.withResolvers();
    changed.resolve();
  }

  /** Every event, checked. */
  events(): StoredEvent[] {
    const chain = new ChainReader(undefined);
    return this.lines.map((line) => chain.read(line));
  }
}

/** How a log is opened. */
export type MemoryLogOptions = {
  readonly redact?: Redactor | undefined;
  readonly upcasters?: Upcasters | undefined;
  readonly batchEvents?: number;
};

/** Events a batch has at most, unless it is said. */
const BATCH_EVENTS = 100;

/** A log that is gone with its process: the second engine that the contract is held against. */
export async function openMemoryLog(
  store: MemoryStore,
  { redact, upcasters, batchEvents = BATCH_EVENTS }: MemoryLogOptions = {},
): Promise<EventLog> {
  const closing = new AbortController();
  const assertOpen = () => {
    if (closing.signal.aborted) throw closed();
  };
  const reader = (after: Checkpoint | undefined) => {
    const start = after ? countOf(store, after) : 0;
    return { chain: new ChainReader(after, upcasters), start };
  };

  function* batches({ chain, start }: ReturnType<typeof reader>): Generator<EventBatch> {
    for (let at = start; at < store.lines.length; at += batchEvents) {
      const lines = store.lines.slice(at, at + batchEvents);
      const events = lines.map((line) => chain.read(line));
      const token = `${at + lines.length}:${hashLine(lines.at(-1) ?? '')}`;
      const checkpoint = { token, events: chain.events, heads: chain.heads() };
      yield { events, checkpoint: () => checkpoint };
    }
  }

  async function* select(...[selection]: Parameters<EventLog['select']>) {
    assertOpen();
    const { stream, types, after, until } = selection;
    const start = after ? countOf(store, after) : 0;
    const end = until ? countOf(store, until) : store.lines.length;
    const isAsked = ({ subject, type }: StoredEvent) => streamOf(subject) === stream || types?.has(type);
    let heads = after?.heads ?? {};
    for (let at = start; at < end; at += batchEvents) {
      const lines = store.lines.slice(at, Math.min(at + batchEvents, end));
      const events = lines.map((line) => decodeLine(line, upcasters));
      const own = events.findLastIndex(({ subject }) => streamOf(subject) === stream);
      const version = events[own]?.streamversion;
      if (version !== undefined) heads = { [stream]: { version, hash: hashLine(lines[own] ?? '') } };
      const bookmark = { token: `${at + lines.length}:${hashLine(lines.at(-1) ?? '')}`, heads };
      yield { events: events.filter(isAsked), bookmark: () => bookmark };
    }
  }

  return {
    async append(stream, events, { expectedVersion, isRetry = false }) {
      assertOpen();
      const prepared = prepareEvents(stream, events, redact);
      // Another engine would wait for its store here.
      await nextTurn();
      // In the same turn as writing: the append that it repeats may be on its way.
      const known = isRetry ? storedIn(store, events) : [];
      if (known.length > 0 || prepared.length === 0) return known;
      let head = store.heads.get(stream) ?? EMPTY_HEAD;
      if (expectedVersion !== 'any' && expectedVersion !== head.version)
        throw new ConflictError({ stream, expected: expectedVersion, actual: head.version });
      const lines: string[] = [];
      const stored = prepared.map(({ event, template }): StoredEvent => {
        const line = fillTemplate(template, head);
        const placed = { ...event, streamversion: head.version + 1, prevhash: head.hash };
        head = { version: placed.streamversion, hash: hashLine(line) };
        lines.push(line);
        return placed;
      });
      store.add(stream, lines, head);
      return stored;
    },

    async *read({ after, stream, fromVersion = 1, toVersion = Infinity } = {}) {
      assertOpen();
      for (const batch of batches(reader(after))) {
        const isAsked = ({ subject, streamversion }: StoredEvent) =>
          streamOf(subject) === stream && streamversion >= fromVersion && streamversion <= toVersion;
        const events = stream === undefined ? batch.events : batch.events.filter(isAsked);
        if (events.length > 0) yield { ...batch, events };
        await nextTurn();
      }
    },

    select,

    async *follow({ after, signal }) {
      assertOpen();
      const ending = AbortSignal.any([signal, closing.signal]);
      const ended = new Promise<void>((resolve) => {
        ending.addEventListener('abort', () => resolve(), { once: true });
      });
      const { chain, start: from } = reader(after);
      let start = from;
      while (!ending.aborted) {
        const { changed } = store;
        for (const batch of batches({ chain, start })) {
          start += batch.events.length;
          yield batch;
          if (ending.aborted) return;
        }
        await Promise.race([changed, ended]);
      }
    },

    async changed({ signal }) {
      const ending = AbortSignal.any([signal, closing.signal]);
      if (ending.aborted) return;
      const ended = new Promise<void>((resolve) => {
        ending.addEventListener('abort', () => resolve(), { once: true });
      });
      await Promise.race([store.changed, ended]);
    },

    async head(stream) {
      assertOpen();
      return store.heads.get(stream)?.version ?? 0;
    },

    async close() {
      await nextTurn();
      closing.abort();
    },
  };
}

function storedIn({ lines }: MemoryStore, events: readonly NewEvent[]): StoredEvent[] {
  const ids = events.map(({ id }) => id);
  return lines.filter((line) => ids.some((id) => line.includes(id))).map((line) => decodeLine(line));
}

/** How many lines lie before a checkpoint. */
function countOf({ lines }: MemoryStore, { token }: Pick<Checkpoint, 'token'>): number {
  const [count = '', hash = ''] = token.split(':');
  const before = lines[Number(count) - 1];
  if (before !== undefined && hashLine(before) === hash) return Number(count);
  throw new CliffordError(`Cannot continue reading after ${token}: the log is another one`, {
    code: 'CHECKPOINT_STALE',
    fix: 'Read the log from the beginning',
    recovery: 'retry',
  });
}

function closed(): CliffordError {
  return new CliffordError('Cannot use the log: it was closed', {
    code: 'LOG_CLOSED',
    fix: 'Open the log again',
    recovery: 'reopen',
  });
}
