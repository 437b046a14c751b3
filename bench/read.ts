import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJsonlLog } from '../src/events/jsonl/jsonl-log.ts';
import { median, ratio, runInterleaved, timeMs } from './support/measure.ts';
import { sampleEvent } from './support/sample-events.ts';
import { printTable } from './support/table.ts';

/**
 * Reading a log (schemas, chain) against reading and parsing its lines only:
 * `npx node bench/read.ts [events] [rounds]`
 */
const count = Number(process.argv[2] ?? 200_000);
const rounds = Number(process.argv[3] ?? 7);
const STREAMS = 20;
const GROUP = 1_000;

const folder = await mkdtemp(join(tmpdir(), 'clifford-bench-read-'));
try {
  const path = join(folder, 'events.jsonl');
  await fill(path);
  const figures = await runInterleaved(rounds, [
    { name: 'read', run: () => perEvent(() => readLog(path)) },
    { name: 'parse', run: () => perEvent(() => parseLines(path)) },
  ] as const);
  const micros = (name: 'read' | 'parse') => `${median(figures.get(name) ?? []).toFixed(2)} µs`;
  const reached = printTable(`Reading ${count} events, time per event`, [
    {
      what: 'schemas and chain checked, against read + JSON.parse',
      figure: `${micros('read')} : ${micros('parse')}`,
      ratio: ratio(figures, 'read', 'parse'),
      reach: { 'at-most': 2.3 },
    },
  ]);
  process.exitCode = reached ? 0 : 1;
} finally {
  await rm(folder, { recursive: true });
}

async function fill(path: string): Promise<void> {
  const log = await openJsonlLog(path);
  for (let n = 0; n < count; n += GROUP) {
    const stream = `sprint-${(n / GROUP) % STREAMS}`;
    const events = Array.from({ length: Math.min(GROUP, count - n) }, (_, index) =>
      sampleEvent(stream, n + index),
    );
    await log.append(stream, events, { expectedVersion: 'any' });
  }
  await log.close();
}

async function perEvent(work: () => Promise<number>): Promise<number> {
  let seen = 0;
  const ms = await timeMs(async () => {
    seen = await work();
  });
  if (seen !== count) throw new Error(`Read ${seen} of ${count} events`);
  return (ms * 1_000) / count;
}

async function readLog(path: string): Promise<number> {
  const log = await openJsonlLog(path);
  let seen = 0;
  for await (const { events } of log.read()) seen += events.length;
  await log.close();
  return seen;
}

/** The peer at its best: one read, one split. */
async function parseLines(path: string): Promise<number> {
  let seen = 0;
  for (const line of (await readFile(path, 'utf8')).split('\n')) {
    if (line === '') continue;
    JSON.parse(line);
    seen += 1;
  }
  return seen;
}
