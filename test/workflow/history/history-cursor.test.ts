import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { StoredEvent } from '../../../src/events/envelope.ts';
import type { EventLog } from '../../../src/events/log/event-log.ts';
import { historyOf } from '../../../src/workflow/history/history-of.ts';
import { parseUntil } from '../../../src/workflow/history/until.ts';
import { History, on } from '../../helpers/history.ts';
import { build, histories } from '../../helpers/random-history.ts';
import { propertyRuns } from '../../helpers/property-runs.ts';
import { skipped } from '../../events/sample-events.ts';
import { foldedFrom, saidBy } from '../../helpers/said-by-state.ts';
import { cursorIn, memoryProject } from './cursor-project.ts';

/** Appends a history bit by bit, between events of another stream. */
async function appendAll(log: EventLog, events: readonly StoredEvent[]): Promise<void> {
  for (let n = 0; n < events.length; n += 3) {
    await log.append('demo', events.slice(n, n + 3), { expectedVersion: 'any' });
    if (n % 2 === 0) await log.append('other', [skipped('other', 'x')], { expectedVersion: 'any' });
  }
}

const call = (n: number) => ({
  type: 'tool.requested' as const,
  subject: 'demo/a',
  data: { callId: `c-${n}`, server: 's', tool: 't', args: {}, argsDigest: '' },
});

/** A long stream of a sprint: task `a` begins, and is worked on. */
async function longHistory(length: number, batch = 10) {
  const { project, log } = await memoryProject(batch);
  const tasks = [{ id: 'a', file: 'a.md' }];
  await project.dispatch('demo', () => [
    { type: 'sprint.created', subject: 'demo', data: { name: 'Demo', manifest: 'm', tasks } },
    { type: 'sprint.started', subject: 'demo', data: { runner: 'x', maxAttempts: 1 } },
    { type: 'task.started', subject: 'demo/a', data: { attempt: 1, by: 'x' } },
  ]);
  await project.record(
    'demo',
    Array.from({ length: length - 3 }, (_, n) => call(n)),
  );
  return { project, log };
}

describe('a cursor in the past of a stream', () => {
  it('stands, wherever it is sent in whatever order, where a fold from nothing comes to', async () => {
    const where = fc.array(fc.nat(), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        histories,
        where,
        fc.integer({ min: 1, max: 9 }),
        async (steps, places, pageEvents) => {
          const { events } = build(steps);
          const { project, log } = await memoryProject();
          await appendAll(log, events);
          await project.refresh();
          const cursor = await cursorIn(project, { pageEvents });
          const seen: { version: number; state: unknown; said: unknown }[] = [];
          for (const place of places) {
            const version = (place % events.length) + 1;
            const { event, state } = await cursor.seek(version);
            expect(event).toMatchObject({ id: events[version - 1]?.id, streamversion: version });
            const said = saidBy(state);
            expect(said).toEqual(foldedFrom(events.slice(0, version)));
            seen.push({ version, state, said });
            expect(cursor.position).toEqual({ event, state });
          }
          // Nothing that came later has changed what was handed out.
          const { state } = await cursor.seek(cursor.length);
          for (const one of [...seen, { state, said: foldedFrom(events) }])
            expect(saidBy(one.state as typeof state)).toEqual(one.said);
        },
      ),
      { numRuns: propertyRuns(100) },
    );
  });

  it('goes to the nearest version that there is', async () => {
    const { project } = await longHistory(10);
    const cursor = await cursorIn(project);
    expect(cursor.position.event.streamversion).toBe(10);
    expect((await cursor.seek(0)).event.streamversion).toBe(1);
    expect((await cursor.seek(99)).event.streamversion).toBe(10);
  });

  it('ends where it was sent last, and everybody who waits is told that', async () => {
    const { project } = await longHistory(500);
    const cursor = await cursorIn(project, { pageEvents: 5 });
    const all = await Promise.all([400, 3, 77].map((version) => cursor.seek(version)));
    expect(all.map(({ event }) => event.streamversion)).toEqual([77, 77, 77]);
    expect((await cursor.seek(78)).event.streamversion).toBe(78);
  });

  it('follows what is appended, and stays where it is', async () => {
    const { project, log } = await longHistory(20);
    const cursor = await cursorIn(project, { pageEvents: 4 });
    const { state } = await cursor.seek(20);
    const before = saidBy(state);
    const told = vi.fn<() => void>();
    cursor.subscribe(told);
    for (let n = 0; n < 30; n += 1)
      await log.append('demo', [skipped('demo', String(n))], { expectedVersion: 'any' });
    await vi.waitFor(() => expect(cursor.length).toBe(50));
    expect(told).toHaveBeenCalled();
    expect(cursor.position.event.streamversion).toBe(20);
    expect(saidBy(state)).toEqual(before);
    const events = await cursor.events(1, 50);
    for (const version of [50, 21, 35, 20])
      expect(saidBy((await cursor.seek(version)).state)).toEqual(foldedFrom(events.slice(0, version)));
  });

  it('tells nobody any more once it is closed', async () => {
    const { project, log } = await longHistory(5);
    const cursor = await cursorIn(project);
    const told = vi.fn<() => void>();
    cursor.subscribe(told);
    await cursor.close();
    await log.append('demo', [skipped('demo', 'late')], { expectedVersion: 'any' });
    await project.refresh();
    expect([cursor.length, told.mock.calls.length]).toEqual([5, 0]);
  });

  it('keeps a fixed number of states, and reads of the log only where it is sent', async () => {
    const { project } = await longHistory(6_015, 5);
    let read = 0;
    const select: EventLog['select'] = async function* (selection) {
      for await (const batch of project.log.select(selection)) {
        read += batch.events.length;
        yield batch;
      }
    };
    const cursor = await cursorIn({ ...project, log: { ...project.log, select } }, { pageEvents: 5 });
    const events = await cursor.events(1, 4_000);
    const versions = Array.from({ length: 60 }, (_, n) => ((n * 1_777) % 4_000) + 1);
    read = 0;
    for (const version of versions) await cursor.seek(version);
    // Two pages lie between two states, and a page has five events.
    expect(read / versions.length).toBeLessThanOrEqual(10);
    expect(cursor.keptStates).toBe(601 + 16);
    for (const version of versions.slice(0, 20))
      expect(saidBy((await cursor.seek(version)).state)).toEqual(foldedFrom(events.slice(0, version)));
    const steps = versions.flatMap((version) => [
      version,
      version + 7,
      version - 2,
      version - 11,
      version - 25,
    ]);
    const counted = steps.filter((version) => version > 3 && version <= 4_000);
    for (const version of counted) {
      const { state } = await cursor.seek(version);
      expect(state.streams.get('demo')).toMatchObject({ version, toolCalls: version - 3 });
    }
    // The last page is not full, and no state is kept at its beginning.
    await cursor.seek(6_015);
    await project.record(
      'demo',
      Array.from({ length: 3 }, (_, n) => call(6_015 + n)),
    );
    await vi.waitFor(() => expect(cursor.length).toBe(6_018));
    for (const version of [6_017, 6_012]) {
      const { state } = await cursor.seek(version);
      expect(state.streams.get('demo')).toMatchObject({ version, toolCalls: version - 3 });
    }
  });

  it('passes over long parts of the log in which its stream has nothing', async () => {
    const { project, log } = await memoryProject(1);
    for (let n = 0; n < 3; n += 1) {
      await log.append('demo', [skipped('demo', String(n))], { expectedVersion: n });
      const others = Array.from({ length: 300 }, () => skipped('other', 'x'));
      if (n < 2) await log.append('other', others, { expectedVersion: 'any' });
    }
    let batches = 0;
    const select: EventLog['select'] = async function* (selection) {
      for await (const batch of project.log.select(selection)) {
        batches += 1;
        yield batch;
      }
    };
    const cursor = await cursorIn({ ...project, log: { ...project.log, select } });
    expect(batches).toBe(603);
    // Two pages are full, of one event each: they end 64 batches after they began.
    expect(cursor.keptStates).toBe(2);
    batches = 0;
    expect(await cursor.events(1, 3)).toHaveLength(3);
    expect(batches).toBeLessThanOrEqual(128);
  });

  it('knows of what was appended while it was opened', async () => {
    const { project } = await longHistory(10);
    const unfollow = project.subscribe(() => undefined);
    let isFirst = true;
    const select: EventLog['select'] = async function* (selection) {
      yield* project.log.select(selection);
      if (isFirst)
        await project.record('demo', [
          { type: 'task.noted', subject: 'demo/a', data: { by: 'x', text: 'late' } },
        ]);
      isFirst = false;
    };
    const cursor = await cursorIn({ ...project, log: { ...project.log, select } });
    await vi.waitFor(() => expect(cursor.length).toBe(11));
    unfollow();
  });

  it('takes a version or a time as the print-out does', async () => {
    const { events } = new History(
      on('demo', 'sprint.created'),
      ...Array.from({ length: 9 }, (_, n) => on('demo/a', 'task.noted', { text: String(n) })),
    );
    const { project, log } = await memoryProject();
    await log.append('demo', events, { expectedVersion: 0 });
    await project.refresh();
    const cursor = await cursorIn(project);
    const time = events[3]?.time ?? '';
    for (const [text, version] of [
      ['3', 3],
      ['99', 10],
      [time, 4],
      [time.slice(11, 23), 4],
      ['-4s', 6],
      ['-1h', 0],
      ['-0s', 10],
    ] as const) {
      const until = parseUntil(text);
      expect([text, cursor.versionOf(until)]).toEqual([text, version]);
      const printed: number[] = [];
      for await (const { event } of historyOf(project, 'demo', until)) printed.push(event.streamversion);
      expect([text, printed.at(-1) ?? 0]).toEqual([text, version]);
    }
  });

  it('finds events in either direction', async () => {
    const { project } = await longHistory(700);
    const cursor = await cursorIn(project);
    const is = (callId: string) => (event: StoredEvent) =>
      'callId' in event.data && event.data.callId === callId;
    expect(await cursor.find(is('c-600'), { from: 1, step: 1 })).toBe(604);
    expect(await cursor.find(is('c-2'), { from: 700, step: -1 })).toBe(6);
    expect(await cursor.find(is('c-2'), { from: 6, step: 1 })).toBeUndefined();
    expect(await cursor.find(() => true, { from: 700, step: 1 })).toBeUndefined();
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(cursor.find(is('c-2'), { from: 700, step: -1, signal })).rejects.toThrow('enough');
  });

  it('says how far it has read, and can be stopped on the way', async () => {
    const { project } = await longHistory(400);
    const onProgress = vi.fn<(events: number) => void>();
    await cursorIn(project, { onProgress });
    expect(onProgress).toHaveBeenLastCalledWith(400);
    expect(onProgress.mock.calls.length).toBeGreaterThan(2);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(cursorIn(project, { signal })).rejects.toThrow('enough');
  });

  it('is not there for a stream without events', async () => {
    const { project } = await longHistory(5);
    await expect(cursorIn(project, { stream: 'nobody' })).rejects.toMatchObject({
      code: 'NO_HISTORY',
      message: 'Cannot find a history: the log has no events of nobody',
    });
  });
});
