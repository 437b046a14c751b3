import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newEvent } from '../../../src/events/envelope.ts';
import type { NewEvent, StoredEvent } from '../../../src/events/envelope.ts';
import { ConflictError } from '../../../src/events/log/event-log.ts';
import type {
  Bookmark,
  Checkpoint,
  EventBatch,
  EventLog,
  Selection,
} from '../../../src/events/log/event-log.ts';
import type { Redactor } from '../../../src/events/secrets/redaction.ts';
import type { Upcasters } from '../../../src/events/upcasters.ts';
import { collect, numbered, reasonOf, reasonsIn, skipped } from '../sample-events.ts';

/** How a log is opened: what takes secrets out of events, and other versions of them. */
export type LogOptions = { redact?: Redactor; upcasters?: Upcasters };

/** A place for a log. Each `open` is another writer or reader of the same log. */
export type LogPlace = { readonly open: (options?: LogOptions) => Promise<EventLog> };

/**
 * What every implementation of `EventLog` has to do. `makePlace` gives an empty place of its own to
 * each test and clears it away afterwards. `appendsFail`: some writes do, and are tried again after others.
 */
export function describeEventLog(
  name: string,
  makePlace: () => Promise<LogPlace>,
  { appendsFail = false }: { appendsFail?: boolean } = {},
): void {
  const opened = async (): Promise<{ log: EventLog; place: LogPlace }> => {
    const place = await makePlace();
    return { place, log: await openIn(place) };
  };
  const openIn = async (place: LogPlace, options?: LogOptions): Promise<EventLog> => {
    const log = await place.open(options);
    onTestFinished(() => log.close());
    return log;
  };

  describe(`${name}: append`, () => {
    it('gives each event its place in its stream and returns it as it reads', async () => {
      const { log } = await opened();
      const stored = await log.append('s', numbered('s', 3), { expectedVersion: 0 });
      expect(stored.map(({ streamversion }) => streamversion)).toEqual([1, 2, 3]);
      expect(await collect(log.read())).toEqual(stored);
    });

    it('counts each stream by itself and keeps the order of all', async () => {
      const { log } = await opened();
      await log.append('a', [skipped('a', 'first')], { expectedVersion: 0 });
      await log.append('b', [skipped('b', 'second')], { expectedVersion: 0 });
      await log.append('a', [skipped('a', 'third')], { expectedVersion: 1 });
      expect(await reasonsIn(log)).toEqual(['first', 'second', 'third']);
      expect([await log.head('a'), await log.head('b'), await log.head('c')]).toEqual([2, 1, 0]);
    });

    it('takes streams whose names are those of built-in properties', async () => {
      const { log } = await opened();
      for (const stream of ['constructor', '__proto__', 'toString']) {
        await log.append(stream, numbered(stream, 2), { expectedVersion: 0 });
        expect(await log.head(stream)).toBe(2);
      }
      expect(await collect(log.read())).toHaveLength(6);
    });

    it('refuses an unexpected version, says both, and writes nothing', async () => {
      const { log } = await opened();
      await log.append('s', numbered('s', 2), { expectedVersion: 'any' });
      const late = log.append('s', [skipped('s', 'late')], { expectedVersion: 1 });
      await expect(late).rejects.toThrow('Cannot append to stream s: expected version 1, it is at 2');
      await expect(late).rejects.toBeInstanceOf(ConflictError);
      await expect(late).rejects.toMatchObject({ stream: 's', expected: 1, actual: 2, recovery: 'retry' });
      expect(await reasonsIn(log)).toEqual(['0', '1']);
    });

    it('lets one of two writers with the same expectation win', async () => {
      const { log, place } = await opened();
      const other = await openIn(place);
      const outcomes = await Promise.allSettled([
        log.append('s', [skipped('s', 'one')], { expectedVersion: 0 }),
        other.append('s', [skipped('s', 'two')], { expectedVersion: 0 }),
      ]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(await collect(log.read())).toHaveLength(1);
    });

    it.skipIf(appendsFail)(
      'decides each of several appends made at once by itself, in their order',
      async () => {
        const { log } = await opened();
        const outcomes = await Promise.allSettled([
          log.append('s', [skipped('s', 'a')], { expectedVersion: 0 }),
          log.append('s', [skipped('s', 'b')], { expectedVersion: 0 }),
          log.append('s', [skipped('s', 'c')], { expectedVersion: 1 }),
          log.append('t', [skipped('t', 'd')], { expectedVersion: 'any' }),
        ]);
        expect(outcomes.map(({ status }) => status)).toEqual([
          'fulfilled',
          'rejected',
          'fulfilled',
          'fulfilled',
        ]);
        expect(new Set(await reasonsIn(log))).toEqual(new Set(['a', 'c', 'd']));
      },
    );

    it('goes on after what another writer appended', async () => {
      const { log, place } = await opened();
      const other = await openIn(place);
      for (let n = 0; n < 6; n += 1) {
        const writer = n % 2 === 0 ? log : other;
        await writer.append('s', [skipped('s', String(n))], { expectedVersion: n });
      }
      expect(await reasonsIn(log)).toEqual(['0', '1', '2', '3', '4', '5']);
    });

    it('appends nothing for no events', async () => {
      const { log } = await opened();
      expect(await log.append('s', [], { expectedVersion: 'any' })).toEqual([]);
      expect(await collect(log.read())).toEqual([]);
    });

    it.each<[string, Partial<NewEvent>, string]>([
      ['another stream', { subject: 't/task-1' }, 'its subject is t/task-1'],
      ['an unknown type', { type: 'task.vanished' } as never, 'its type is unknown'],
      ['data that does not fit', { data: { by: '' } } as never, 'data.by'],
      ['a key that is not in the schema', { data: { by: 'ann', extra: 1 } } as never, 'extra'],
      ['a time without a zone', { time: '2026-01-01T00:00:00.000' }, 'time'],
      ['an id that is no UUIDv7', { id: 'x' }, 'id'],
    ])('refuses an event of %s and writes nothing of the append', async (_, change, reason) => {
      const { log } = await opened();
      const events = [skipped('s', 'good'), { ...skipped('s', 'bad'), ...change } as NewEvent];
      const refused = log.append('s', events, { expectedVersion: 'any' });
      await expect(refused).rejects.toThrow(reason);
      await expect(refused).rejects.toMatchObject({ code: 'EVENT_INVALID', recovery: 'fix-input' });
      expect(await collect(log.read())).toEqual([]);
    });

    it('keeps every character of a text', async () => {
      const { log } = await opened();
      const texts = ['ä€𝄞', '\u2028\n\r\t\u0000"\\', '\uD800 alone', '"subject":"s/task-1"', ''];
      const events = texts.map((text) => skipped('s', text));
      const stored = await log.append('s', events, { expectedVersion: 'any' });
      expect(stored.map(reasonOf)).toEqual(texts);
      expect(await reasonsIn(log)).toEqual(texts);
      expect(await log.append('s', [skipped('s', 'next')], { expectedVersion: texts.length })).toHaveLength(
        1,
      );
    });

    it('is not misled by data that looks like another stream’s subject', async () => {
      const { log } = await opened();
      await log.append('s', numbered('s', 2), { expectedVersion: 0 });
      const call = newEvent('/clifford/mcp', {
        type: 'tool.requested',
        subject: 't',
        data: {
          callId: 'c',
          server: 'x',
          tool: 'y',
          args: { subject: 's/task-1', streamversion: 99 },
          argsDigest: 'd',
        },
      });
      await log.append('t', [call], { expectedVersion: 0 });
      expect(await log.head('s')).toBe(2);
      await log.append('s', numbered('s', 1, 2), { expectedVersion: 2 });
      expect(await collect(log.read())).toHaveLength(4);
    });
  });

  describe(`${name}: an append tried again, since nobody knows what became of it`, () => {
    it('is returned as it is there, once, whatever happened since', async () => {
      const { log, place } = await opened();
      const events = numbered('s', 2);
      const stored = await log.append('s', events, { expectedVersion: 0 });
      const other = await openIn(place);
      await other.append('s', [skipped('s', 'since')], { expectedVersion: 2 });
      for (const expectedVersion of [0, 'any'] as const) {
        const again = other.append('s', events, { expectedVersion, isRetry: true });
        expect(await again).toEqual(stored);
      }
      expect(await reasonsIn(log)).toEqual(['0', '1', 'since']);
    });

    it('is appended if it is not there, under its condition', async () => {
      const { log } = await opened();
      const events = numbered('s', 2);
      expect(await log.append('s', events, { expectedVersion: 0, isRetry: true })).toHaveLength(2);
      const late = log.append('s', [skipped('s', 'late')], { expectedVersion: 0, isRetry: true });
      await expect(late).rejects.toBeInstanceOf(ConflictError);
      expect(await reasonsIn(log)).toEqual(['0', '1']);
    });

    it('is appended once where it is tried again twice at once', async () => {
      const { log } = await opened();
      const events = numbered('s', 2);
      const again = () => log.append('s', events, { expectedVersion: 'any', isRetry: true });
      const other = log.append('s', [skipped('s', 'other')], { expectedVersion: 'any' });
      const [first, second] = await Promise.all([again(), again(), other]);
      expect(second).toEqual(first);
      const reasons = await reasonsIn(log);
      expect(reasons).toHaveLength(3);
      expect(new Set(reasons)).toEqual(new Set(['0', '1', 'other']));
    });

    it('is appended once where several handles try it again at once, and each is told where it is', async () => {
      const { log, place } = await opened();
      const handles = [log, await openIn(place), await openIn(place), await openIn(place)];
      const rounds = Array.from({ length: 8 }, (_, round) => numbered('s', 2, 2 * round));
      for (const events of rounds) {
        const again = handles.map((handle) =>
          handle.append('s', events, { expectedVersion: 'any', isRetry: true }),
        );
        const [first, ...others] = await Promise.all(again);
        expect(first?.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
        for (const other of others) expect(other).toEqual(first);
      }
      expect(await reasonsIn(log)).toEqual(Array.from({ length: 16 }, (_, n) => String(n)));
    });
  });

  describe(`${name}: above the store`, () => {
    it('secrets are taken out before an event is written, and returned as written', async () => {
      const { place } = await opened();
      const log = await openIn(place, { redact: (_type, data) => ({ ...Object(data), reason: 'redacted' }) });
      const stored = await log.append('s', [skipped('s', 'secret')], { expectedVersion: 0 });
      expect(stored.map(reasonOf)).toEqual(['redacted']);
      expect(await reasonsIn(await openIn(place))).toEqual(['redacted']);
    });

    it('old data is brought to the current version when it is read, whichever way', async () => {
      const { log, place } = await opened();
      await log.append('s', [skipped('s', 'old')], { expectedVersion: 0 });
      const upcasters = { 'task.skipped': [(data: unknown) => ({ ...Object(data), reason: 'upcast' })] };
      const newer = await openIn(place, { upcasters });
      expect(await reasonsIn(newer)).toEqual(['upcast']);
      expect((await selected(newer, { stream: 's' })).map(reasonOf)).toEqual(['upcast']);
      expect((await followUntil(newer, 1)).map(reasonOf)).toEqual(['upcast']);
      expect(await reasonsIn(log)).toEqual(['old']);
    });
  });

  describe(`${name}: select`, () => {
    const paused = (stream: string) =>
      newEvent('/clifford/cli', { type: 'sprint.paused', subject: stream, data: { by: 'ann' } });
    const types = new Set(['sprint.paused'] as const);

    it('gives the events of a stream, and those of some types in any stream, in order', async () => {
      const { log } = await opened();
      await log.append('a', [skipped('a', 'one')], { expectedVersion: 0 });
      await log.append('b', [skipped('b', 'two'), paused('b')], { expectedVersion: 0 });
      await log.append('a', [skipped('a', 'three')], { expectedVersion: 1 });
      expect((await selected(log, { stream: 'a' })).map(reasonOf)).toEqual(['one', 'three']);
      const both = await selected(log, { stream: 'a', types });
      expect(both.map(({ type, subject }) => `${subject} ${type}`)).toEqual([
        'a/task-1 task.skipped',
        'b sprint.paused',
        'a/task-1 task.skipped',
      ]);
      expect(await selected(log, { stream: 'c' })).toEqual([]);
    });

    it('reads between two checkpoints', async () => {
      const { log } = await opened();
      expect(await selected(log, { stream: 's' })).toEqual([]);
      await log.append('s', numbered('s', 2), { expectedVersion: 0 });
      const first = await lastCheckpoint(log);
      await log.append('s', [skipped('s', '2'), paused('s')], { expectedVersion: 2 });
      await log.append('t', [paused('t')], { expectedVersion: 0 });
      const second = await lastCheckpoint(log);
      await log.append('s', numbered('s', 1, 4), { expectedVersion: 4 });
      const versions = async (range: Partial<Selection>) =>
        (await selected(log, { stream: 's', ...range })).map(({ streamversion }) => streamversion);
      expect(await versions({ until: first })).toEqual([1, 2]);
      expect(await versions({ after: first, until: second })).toEqual([3, 4]);
      expect(await versions({ after: second })).toEqual([5]);
      expect(await versions({ types, after: first, until: second })).toEqual([3, 4, 1]);
    });

    it('goes on after a bookmark, and ends at one, as JSON carried elsewhere', async () => {
      const { log, place } = await opened();
      for (let n = 0; n < 300; n += 3) {
        await log.append('a', numbered('a', 2, n), { expectedVersion: 'any' });
        await log.append('b', numbered('b', 1, n + 2), { expectedVersion: 'any' });
      }
      const all = await selected(log, { stream: 'a', types });
      const batches: { events: readonly StoredEvent[]; bookmark: Bookmark }[] = [];
      for await (const { events, bookmark } of log.select({ stream: 'a', types }))
        batches.push({ events, bookmark: JSON.parse(JSON.stringify(bookmark())) as Bookmark });
      expect(batches.flatMap(({ events }) => events)).toEqual(all);
      const other = await openIn(place);
      let [seen, after] = [0, undefined as Bookmark | undefined];
      for (const { events, bookmark } of batches) {
        expect(await selected(other, { stream: 'a', types, after, until: bookmark })).toEqual(events);
        seen += events.length;
        after = bookmark;
        expect(await selected(other, { stream: 'a', types, after })).toEqual(all.slice(seen));
      }
      await log.append('a', numbered('a', 1, 300), { expectedVersion: 'any' });
      expect((await selected(other, { stream: 'a', after })).map(reasonOf)).toEqual(['300']);
    });

    it('refuses a checkpoint of another log', async () => {
      const { log } = await opened();
      const { log: other } = await opened();
      await log.append('s', numbered('s', 3), { expectedVersion: 0 });
      await other.append('s', numbered('s', 3, 5), { expectedVersion: 0 });
      const foreign = await lastCheckpoint(other);
      for (const range of [{ after: foreign }, { until: foreign }])
        await expect(selected(log, { stream: 's', ...range })).rejects.toMatchObject({
          code: 'CHECKPOINT_STALE',
        });
    });
  });

  describe(`${name}: read`, () => {
    it('is empty where nothing was appended', async () => {
      const { log } = await opened();
      expect(await collect(log.read())).toEqual([]);
    });

    it('selects a stream and a range of its versions', async () => {
      const { log } = await opened();
      await log.append('a', numbered('a', 5), { expectedVersion: 0 });
      await log.append('b', numbered('b', 5, 10), { expectedVersion: 0 });
      expect((await collect(log.read({ stream: 'b' }))).map(reasonOf)).toEqual([
        '10',
        '11',
        '12',
        '13',
        '14',
      ]);
      const some = await collect(log.read({ stream: 'a', fromVersion: 2, toVersion: 4 }));
      expect(some.map(reasonOf)).toEqual(['1', '2', '3']);
    });

    it('goes on after a checkpoint, as JSON carried elsewhere, and checks the chain across it', async () => {
      const { log, place } = await opened();
      await log.append('a', numbered('a', 3), { expectedVersion: 0 });
      const checkpoint = await lastCheckpoint(log);
      await log.append('a', numbered('a', 2, 3), { expectedVersion: 3 });
      await log.append('b', numbered('b', 1, 5), { expectedVersion: 0 });

      const carried = JSON.parse(JSON.stringify(checkpoint)) as Checkpoint;
      const rest = await collect((await openIn(place)).read({ after: carried }));
      expect(rest.map(reasonOf)).toEqual(['3', '4', '5']);
    });

    it('reads the same however it is divided', async () => {
      const { log } = await opened();
      for (let n = 0; n < 6; n += 1)
        await log.append('s', numbered('s', 200, n * 200), { expectedVersion: 'any' });
      const all = await collect(log.read());
      expect(all.map(reasonOf)).toEqual(Array.from({ length: 1_200 }, (_, n) => String(n)));
      let seen = 0;
      for await (const batch of log.read()) {
        seen += batch.events.length;
        expect(await collect(log.read({ after: batch.checkpoint() }))).toEqual(all.slice(seen));
      }
      expect(seen).toBe(all.length);
    });

    it('counts in a checkpoint how many events lie before it, in all and in each stream', async () => {
      const { log } = await opened();
      await log.append('a', numbered('a', 3), { expectedVersion: 0 });
      await log.append('b', numbered('b', 2), { expectedVersion: 0 });
      const heads = { a: { version: 3 }, b: { version: 2 } };
      const checkpoint = await lastCheckpoint(log);
      expect(checkpoint).toMatchObject({ events: 5, heads });
      await log.append('b', numbered('b', 1, 2), { expectedVersion: 2 });
      const further = await lastCheckpoint(log, checkpoint);
      expect(further).toMatchObject({ events: 6, heads: { b: { version: 3 } } });
      expect(await lastCheckpoint(log)).toEqual(further);
    });

    it('refuses a checkpoint of another log', async () => {
      const { log } = await opened();
      const { log: other } = await opened();
      await log.append('s', numbered('s', 3), { expectedVersion: 0 });
      await other.append('s', numbered('s', 3, 5), { expectedVersion: 0 });
      const after = await lastCheckpoint(other);
      await expect(collect(log.read({ after }))).rejects.toMatchObject({ code: 'CHECKPOINT_STALE' });
    });
  });

  describe(`${name}: follow`, () => {
    it('gives what is there, then what comes, each once and in order', async () => {
      const { log, place } = await opened();
      await log.append('s', numbered('s', 3), { expectedVersion: 0 });
      const follower = followUntil(await openIn(place), 60);
      const writers = [log, await openIn(place)];
      for (let n = 3; n < 60; n += 3) {
        await writers[n % 2]?.append('s', numbered('s', 3, n), { expectedVersion: 'any' });
      }
      expect((await follower).map(reasonOf)).toEqual(Array.from({ length: 60 }, (_, n) => String(n)));
    });

    it('begins after a checkpoint', async () => {
      const { log } = await opened();
      await log.append('s', numbered('s', 3), { expectedVersion: 0 });
      const follower = followUntil(log, 2, await lastCheckpoint(log));
      await log.append('s', numbered('s', 2, 3), { expectedVersion: 3 });
      expect((await follower).map(reasonOf)).toEqual(['3', '4']);
    });

    it('gives several followers the same', async () => {
      const { log } = await opened();
      const followers = [followUntil(log, 5), followUntil(log, 5), followUntil(log, 5)];
      for (let n = 0; n < 5; n += 1) await log.append('s', numbered('s', 1, n), { expectedVersion: n });
      const [first, ...others] = await Promise.all(followers);
      expect(first?.map(reasonOf)).toEqual(['0', '1', '2', '3', '4']);
      for (const other of others) expect(other).toEqual(first);
    });

    it('tells of a change, and ends the wait for one when its signal aborts', async () => {
      const { log } = await opened();
      await log.changed({ signal: AbortSignal.abort() });
      const waiting = log.changed({ signal: new AbortController().signal });
      await log.append('s', numbered('s', 1), { expectedVersion: 0 });
      await expect(waiting).resolves.toBeUndefined();
    });

    it('ends when its signal aborts, before or while it waits', async () => {
      const { log } = await opened();
      expect(await collect(log.follow({ signal: AbortSignal.abort() }))).toEqual([]);
      const stop = new AbortController();
      const following = collect(log.follow({ signal: stop.signal }));
      // The wait has begun when a turn of the event loop brought nothing.
      await sleep(0);
      stop.abort();
      expect(await following).toEqual([]);
    });
  });

  describe(`${name}: close`, () => {
    it('waits for appends under way, refuses later ones, and is safe to call twice', async () => {
      const { log, place } = await opened();
      const underWay = log.append('s', numbered('s', 1), { expectedVersion: 0 });
      await log.close();
      expect(await underWay).toHaveLength(1);
      await expect(log.append('s', numbered('s', 1), { expectedVersion: 1 })).rejects.toMatchObject({
        code: 'LOG_CLOSED',
      });
      await log.close();
      expect(await reasonsIn(await openIn(place))).toEqual(['0']);
    });

    it.each<[string, (log: EventLog) => Promise<unknown>]>([
      ['read', (log) => collect(log.read())],
      ['follow', (log) => collect(log.follow({ signal: new AbortController().signal }))],
      ['select', (log) => selected(log, { stream: 's' })],
      ['head', (log) => log.head('s')],
    ])('lets nobody %s any more', async (_, use) => {
      const { log } = await opened();
      await log.append('s', numbered('s', 1), { expectedVersion: 0 });
      await log.close();
      await expect(use(log)).rejects.toMatchObject({ code: 'LOG_CLOSED', recovery: 'reopen' });
    });

    it('ends a wait for a change', async () => {
      const { log } = await opened();
      const waiting = log.changed({ signal: new AbortController().signal });
      await log.close();
      await expect(waiting).resolves.toBeUndefined();
      await expect(log.changed({ signal: new AbortController().signal })).resolves.toBeUndefined();
    });

    it('ends its followers', async () => {
      const { log } = await opened();
      const following = collect(log.follow({ signal: new AbortController().signal }));
      await sleep(0);
      await log.close();
      expect(await following).toEqual([]);
    });
  });
}

async function selected(log: EventLog, selection: Selection): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  for await (const { events } of log.select(selection)) found.push(...events);
  return found;
}

async function lastCheckpoint(log: EventLog, after?: Checkpoint): Promise<Checkpoint> {
  let last: EventBatch | undefined;
  for await (const batch of log.read(after && { after })) last = batch;
  if (!last) throw new Error('The log is empty');
  return last.checkpoint();
}

/** Follows until `count` events have come, and one turn longer. */
async function followUntil(log: EventLog, count: number, after?: Checkpoint) {
  const stop = new AbortController();
  const events = [];
  for await (const batch of log.follow({ signal: stop.signal, ...(after && { after }) })) {
    events.push(...batch.events);
    if (events.length >= count) stop.abort();
  }
  return events;
}
