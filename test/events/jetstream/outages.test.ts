import { hasSubscribers } from 'node:diagnostics_channel';
import { createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { openJetStreamLines } from '../../../src/events/jetstream/jetstream-lines.ts';
import { openJetStreamLog } from '../../../src/events/jetstream/jetstream-log.ts';
import { LogServer } from '../../../src/events/jetstream/log-server.ts';
import { logNames } from '../../../src/events/jetstream/names.ts';
import { chosenProjectLog } from '../../../src/workflow/project/chosen-project-log.ts';
import type { EventLog } from '../../../src/events/log/event-log.ts';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { openTcpProxy } from '../../helpers/tcp-proxy.ts';
import { collect, numbered, reasonOf, reasonsIn, skipped } from '../sample-events.ts';
import { natsPlace, openNatsLog } from './temp-log.ts';

/** What a follower has seen, until the test is finished. */
function follow(log: EventLog): { readonly reasons: (string | undefined)[]; readonly end: Promise<void> } {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const reasons: (string | undefined)[] = [];
  const end = (async () => {
    for await (const { events } of log.follow({ signal: stop.signal })) reasons.push(...events.map(reasonOf));
  })();
  return { reasons, end };
}

const names = (count: number) => Array.from({ length: count }, (_, n) => String(n));

describeWithNats('JetStream log, when something fails', (server) => {
  it('the server keeps nothing of who follows, once they leave, and of who died for a few minutes only', async () => {
    const place = natsPlace(server);
    const log = await openNatsLog(place);
    await log.append('s', numbered('s', 1), { expectedVersion: 0 });
    const stop = new AbortController();
    const following = Array.fromAsync(log.follow({ signal: stop.signal }));
    const consumers = () => server.consumers(logNames(place.options.project).stream);
    await expect.poll(consumers).toHaveLength(1);
    const [{ inactiveMs } = { inactiveMs: 0 }] = await consumers();
    expect(inactiveMs).toBeGreaterThan(0);
    expect(inactiveMs).toBeLessThanOrEqual(300_000);
    stop.abort();
    await following;
    await expect.poll(consumers).toEqual([]);
  });

  it('who leaves is gone, however far it is with asking the server', async () => {
    const place = natsPlace(server);
    const log = await openNatsLog(place);
    await log.append('s', numbered('s', 1), { expectedVersion: 0 });
    const lines = await openJetStreamLines({ ...place.options, replicas: 1 });
    onTestFinished(() => lines.close());
    const after = await lines.end();
    for (let nth = 0; nth < 80; nth += 1) {
      const stop = new AbortController();
      const following = Array.fromAsync(lines.follow({ after, signal: stop.signal }));
      // Within the two or three requests that it takes.
      const from = performance.now();
      while (performance.now() - from < nth / 20) await new Promise(setImmediate);
      stop.abort();
      expect(await following).toEqual([]);
    }
  });

  it('an append whose acknowledgement is lost is found, and there once', async () => {
    const place = natsPlace(server);
    const proxy = await openTcpProxy(server.port);
    const log = await openJetStreamLog({ ...place.options, servers: [proxy.address] });
    onTestFinished(() => log.close());
    await log.append('s', numbered('s', 2), { expectedVersion: 0 });
    proxy.dropAnswers();
    const unheard = log.append('s', numbered('s', 2, 2), { expectedVersion: 2 });
    const other = await openNatsLog(place);
    await expect.poll(() => other.head('s')).toBe(4);
    // Somebody else goes on from there before the one who appended hears of it.
    await other.append('s', [skipped('s', '4')], { expectedVersion: 4 });
    proxy.cut();
    const cutAt = performance.now();
    expect((await unheard).map(({ streamversion }) => streamversion)).toEqual([3, 4]);
    // As soon as there is another connection, and not when the time for an answer is over.
    expect(performance.now() - cutAt).toBeLessThan(4_000);
    expect(await reasonsIn(other)).toEqual(names(5));
    await log.append('s', [skipped('s', '5')], { expectedVersion: 5 });
    expect(await reasonsIn(log)).toEqual(names(6));
  });

  it('an append that somebody sends again without a word of it is there once', async () => {
    const place = natsPlace(server);
    const [log, other] = [await openNatsLog(place), await openNatsLog(place)];
    const events = numbered('s', 2);
    const stored = await log.append('s', events, { expectedVersion: 'any' });
    await log.append('s', numbered('s', 1, 2), { expectedVersion: 2 });
    // Nothing of a writer that has not read the log stands in the way but the ids of the events.
    expect(await other.append('s', events, { expectedVersion: 'any' })).toEqual(stored);
    expect(await reasonsIn(log)).toEqual(names(3));
  });

  it('an append that got lost on its way is refused when another writer came first meanwhile', async () => {
    const place = natsPlace(server);
    const proxy = await openTcpProxy(server.port);
    const log = await openJetStreamLog({ ...place.options, servers: [proxy.address] });
    onTestFinished(() => log.close());
    const other = await openNatsLog(place);
    await log.append('s', numbered('s', 1), { expectedVersion: 0 });
    proxy.dropRequests();
    const lost = log.append('s', [skipped('s', 'lost')], { expectedVersion: 1 });
    const lostToo = log.append('s', [skipped('s', '2')], { expectedVersion: 'any' });
    await other.append('s', numbered('s', 1, 1), { expectedVersion: 1 });
    proxy.cut();
    await expect(lost).rejects.toMatchObject({ code: 'LOG_CONFLICT', expected: 1, actual: 2 });
    expect(await lostToo).toMatchObject([{ streamversion: 3 }]);
    expect(await reasonsIn(other)).toEqual(names(3));
  });

  it('a log that is removed while it is read says so, in one line', async () => {
    const place = natsPlace(server);
    const log = await openNatsLog(place);
    // More messages than a reader asks for at once.
    for (let n = 0; n < 600; n += 1) await log.append('s', numbered('s', 1, n), { expectedVersion: n });
    const batches = log.read()[Symbol.asyncIterator]();
    await batches.next();
    await server.removeStream(logNames(place.options.project).stream);
    const rest = async () => {
      while (!(await batches.next()).done);
    };
    await expect(rest()).rejects.toMatchObject({
      code: 'LOG_UNREACHABLE',
      message: expect.stringMatching(/^Cannot read nats:.*: its stream is not there$/),
    });
  });

  it('writers that race for every place of a stream leave each event once', async () => {
    const place = natsPlace(server);
    const writers = await Promise.all([openNatsLog(place), openNatsLog(place), openNatsLog(place)]);
    const rounds = 20;
    const won = await Promise.all(
      writers.map(async (log, index) => {
        let count = 0;
        for (let n = 0; n < rounds; n += 1) {
          const expectedVersion = await log.head('s');
          const event = skipped('s', `${index}:${n}`);
          count += await log.append('s', [event], { expectedVersion }).then(
            () => 1,
            () => 0,
          );
          await log.append('s', [skipped('s', `any ${index}:${n}`)], { expectedVersion: 'any' });
        }
        return count;
      }),
    );
    const total = won.reduce((sum, count) => sum + count, 0) + writers.length * rounds;
    const reasons = await reasonsIn(await openNatsLog(place));
    expect(reasons).toHaveLength(total);
    expect(new Set(reasons).size).toBe(total);
  });

  it('a follower goes on where it was when the server was killed and started again', async () => {
    const place = natsPlace(server);
    const [log, reader] = [await openNatsLog(place), await openNatsLog(place)];
    const seen = follow(reader);
    await log.append('s', numbered('s', 3), { expectedVersion: 0 });
    await expect.poll(() => seen.reasons).toEqual(names(3));
    await server.kill();
    // It is on its way while nobody takes it.
    const appending = log.append('s', numbered('s', 3, 3), { expectedVersion: 3 });
    await pause(300);
    await server.start();
    expect(await appending).toHaveLength(3);
    await log.append('t', numbered('t', 2, 6), { expectedVersion: 0 });
    await expect.poll(() => seen.reasons).toEqual(names(8));
    expect((await collect(reader.read())).map(reasonOf)).toEqual(names(8));
  });

  it('what an agent starts while the server is away waits for it, and nobody else does', async () => {
    const { options } = natsPlace(server);
    const openedBy = async (env: Record<string, string>) => {
      const root = await tempRoot();
      const log = await chosenProjectLog({ root, env: { CLIFFORD_LOG: options.name, ...env } });
      return log.open({ dir: root, redact: (_type, data) => data });
    };
    await server.kill();
    await expect(openedBy({})).rejects.toMatchObject({ code: 'LOG_UNREACHABLE' });
    let isOpen = false;
    const opening = openedBy({ CLIFFORD_RUN_ID: 'run-1' }).finally(() => (isOpen = true));
    await pause(300);
    expect(isOpen).toBe(false);
    await server.start();
    const log = await opening;
    onTestFinished(() => log.close());
    expect(await log.append('s', numbered('s', 1), { expectedVersion: 0 })).toHaveLength(1);
  });

  it('a server that has not answered for twenty seconds is not waited for so long again, until it answers', async () => {
    const { options } = natsPlace(server);
    const asked = await LogServer.connect(options);
    onTestFinished(() => asked.close());
    const waits = (ms: number) => asked.wait.goesOn(performance.now() - ms, undefined);
    expect([waits(15_000), waits(20_000), waits(15_000), waits(3_000), waits(1_000)]).toEqual([
      true,
      false,
      false,
      false,
      true,
    ]);
    await expect(asked.ask('read', () => asked.streamInfo())).rejects.toThrow('stream not found');
    expect(waits(15_000)).toBe(true);
    expect(waits(20_000)).toBe(false);
    await asked.ask('read', () => Promise.resolve());
    expect(waits(15_000)).toBe(true);
    expect(waits(20_000)).toBe(false);
    await server.kill();
    await server.start();
    await expect.poll(() => waits(15_000)).toBe(true);
  });

  it('whoever closes a log leaves no connection to a server that takes them and says nothing', async () => {
    const asked = await LogServer.connect(natsPlace(server).options);
    await server.kill();
    const taken = new Set<Socket>();
    const silent = createServer((socket) => {
      taken.add(socket.resume());
      socket.on('close', () => taken.delete(socket));
    });
    silent.listen(server.port, '127.0.0.1');
    await expect.poll(() => taken.size).toBe(1);
    await asked.close();
    await expect.poll(() => taken.size).toBe(0);
    silent.close();
    await server.start();
  });

  it('whoever has closed a log looks at the sockets of nobody any more', async () => {
    const asked = await LogServer.connect(natsPlace(server).options);
    expect(hasSubscribers('net.client.socket')).toBe(true);
    await asked.close();
    expect(hasSubscribers('net.client.socket')).toBe(false);
  });

  it('a follower of a log that is gone, and so one who appends, learn that it is another one', async () => {
    const place = natsPlace(server);
    const log = await openNatsLog(place);
    const seen = follow(log);
    await log.append('s', numbered('s', 3), { expectedVersion: 0 });
    await expect.poll(() => seen.reasons).toEqual(names(3));
    const followed = seen.end.then(
      () => undefined,
      (error: unknown) => error,
    );
    await server.removeStream(`clifford-events-${place.options.project}`);
    const append = (stream: string) => log.append(stream, numbered(stream, 1), { expectedVersion: 'any' });
    await expect(append('s')).rejects.toMatchObject({ code: 'LOG_REPLACED' });
    await expect(append('t')).rejects.toMatchObject({ code: 'LOG_REPLACED' });
    expect(await server.hasStream(`clifford-events-${place.options.project}`)).toBe(false);
    // Nor is what somebody else has begun there the log it was.
    await (await openNatsLog(place)).append('s', numbered('s', 3), { expectedVersion: 0 });
    await expect(append('s')).rejects.toMatchObject({ code: 'LOG_REPLACED' });
    await expect(append('t')).rejects.toMatchObject({ code: 'LOG_REPLACED' });
    expect(await followed).toMatchObject({ code: 'CHECKPOINT_STALE' });
  });
});
