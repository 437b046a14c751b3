import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessConfig } from '../src/events/jetstream/access-config.ts';
import { openJetStreamLog } from '../src/events/jetstream/jetstream-log.ts';
import { newUserKey } from '../src/events/jetstream/user-key.ts';
import { NatsProcess } from '../test/helpers/nats-process.ts';
import { median, ratio, runInterleaved, timeMs } from './support/measure.ts';
import { sampleEvent } from './support/sample-events.ts';
import { openSlowLink } from './support/slow-link.ts';
import { printTable } from './support/table.ts';

/** One sprint of a log far away, read by who may make a consumer and by who may only look: `npx node bench/far-log.ts [rounds]` */
const rounds = Number(process.argv[2] ?? 5);
const EVENTS = 500;
const OTHERS = 4;
const ONE_WAY_MS = 10;
const PROJECT = 'far';

const folder = await mkdtemp(join(tmpdir(), 'clifford-bench-far-'));
const users = await Promise.all(
  (['worker', 'auditor'] as const).map(async (role) => {
    const { seed, publicKey } = newUserKey();
    await writeFile(join(folder, role), seed);
    return { role, name: role, publicKey };
  }),
);
const server = new NatsProcess(`accounts {\n${accessConfig(PROJECT, users)}\n}`);
await server.start();
const link = await openSlowLink(server.port, ONE_WAY_MS);
const open = (role: 'worker' | 'auditor', address: string) =>
  openJetStreamLog({
    servers: [address],
    project: PROJECT,
    name: PROJECT,
    login: { nkeyFile: join(folder, role) },
  });
try {
  const writer = await open('worker', server.address);
  for (let n = 0; n < EVENTS * OTHERS; n += 1)
    await writer.append(`s-${n % OTHERS}`, [sampleEvent(`s-${n % OTHERS}`, n)], { expectedVersion: 'any' });
  await writer.close();
  const [worker, auditor] = [await open('worker', link.address), await open('auditor', link.address)];
  const read = (log: typeof worker) =>
    timeMs(async () => {
      let events = 0;
      for await (const batch of log.select({ stream: 's-1' })) events += batch.events.length;
      if (events !== EVENTS) throw new Error(`${events} events were read`);
    });
  const figures = await runInterleaved(rounds, [
    { name: 'auditor', run: () => read(auditor) },
    { name: 'worker', run: () => read(worker) },
    { name: 'one way and back', run: () => timeMs(async () => void (await auditor.head('s-1'))) },
  ] as const);
  await Promise.all([worker.close(), auditor.close()]);
  const ms = (name: Parameters<typeof figures.get>[0]) => `${median(figures.get(name) ?? []).toFixed(0)} ms`;
  const reached = printTable(`A sprint of ${EVENTS} events, ${2 * ONE_WAY_MS} ms away and back`, [
    {
      what: 'read by who may only look, against one question',
      figure: `${ms('auditor')} : ${ms('one way and back')}`,
      ratio: ratio(figures, 'auditor', 'one way and back'),
      reach: { 'at-most': 25 },
    },
    {
      what: 'against who may make a consumer',
      figure: `${ms('auditor')} : ${ms('worker')}`,
      ratio: ratio(figures, 'auditor', 'worker'),
      reach: { 'at-most': 2 },
    },
  ]);
  process.exitCode = reached ? 0 : 1;
} finally {
  link.close();
  await server.remove();
  await rm(folder, { recursive: true });
}
