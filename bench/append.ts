import { fdatasyncSync, openSync, closeSync, writeSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJsonlLog } from '../src/events/jsonl/jsonl-log.ts';
import { median, ratio, runInterleaved, timeMs, type Contender } from './support/measure.ts';
import { makeSqliteEvents } from './support/sqlite-events.ts';
import { runWriters } from './support/run-writers.ts';
import { sampleEvent } from './support/sample-events.ts';
import { printTable } from './support/table.ts';
import type { WriterTask } from './support/writer-protocol.ts';

/**
 * Durable append against its peers, interleaved in one run:
 * `npx node bench/append.ts [rounds]`
 */
const rounds = Number(process.argv[2] ?? 9);
const SINGLE_EVENTS = 2_000;
const GROUPED_EVENTS = 5_000;
const GROUP = 100;
const WRITERS = 8;
const EVENTS_PER_WRITER = 1_000;
/** About what an append of ours computes, in ms: a disk that has been idle for so long is slower again. */
const COMPUTING_MS = 0.02;

const folder = await mkdtemp(join(tmpdir(), 'clifford-bench-append-'));
let files = 0;
const freshPath = () => join(folder, String((files += 1)), 'events.jsonl');
let reached = true;
try {
  reached = (await oneWriter()) && reached;
  reached = (await eightWriters()) && reached;
} finally {
  await rm(folder, { recursive: true });
}
process.exitCode = reached ? 0 : 1;

async function oneWriter(): Promise<boolean> {
  const bytes = await lineBytes();
  const perEvent = (count: number) => (ms: number) => (ms * 1_000) / count;
  const log = async (count: number, group: number) => {
    const events = Array.from({ length: count }, (_, n) => sampleEvent('bench', n));
    const opened = await openJsonlLog(freshPath());
    await opened.append('bench', [sampleEvent('bench', 0)], { expectedVersion: 'any' });
    const ms = await timeMs(async () => {
      for (let n = 0; n < count; n += group) {
        await opened.append('bench', events.slice(n, n + group), { expectedVersion: 'any' });
      }
    });
    await opened.close();
    return ms;
  };
  const contenders = [
    { name: 'log', run: async () => perEvent(SINGLE_EVENTS)(await log(SINGLE_EVENTS, 1)) },
    { name: 'promises', run: async () => perEvent(SINGLE_EVENTS)(await appendWithPromises(bytes)) },
    { name: 'sync', run: async () => perEvent(SINGLE_EVENTS)(await appendSync(bytes)) },
    { name: 'computing', run: async () => perEvent(SINGLE_EVENTS)(await appendSync(bytes, COMPUTING_MS)) },
    { name: 'grouped', run: async () => perEvent(GROUPED_EVENTS)(await log(GROUPED_EVENTS, GROUP)) },
  ] as const satisfies Contender<string>[];
  const figures = await runInterleaved(rounds, contenders);
  const micros = (name: (typeof contenders)[number]['name']) =>
    `${median(figures.get(name) ?? []).toFixed(0)} µs`;
  return printTable(`Durable append, one writer, ${bytes.length} bytes an event, time per event`, [
    {
      what: 'against fs.promises appendFile + datasync',
      figure: `${micros('log')} : ${micros('promises')}`,
      ratio: ratio(figures, 'log', 'promises'),
      reach: { 'at-most': 1 },
    },
    {
      what: 'against sync write + fdatasync',
      figure: `${micros('log')} : ${micros('sync')}`,
      ratio: ratio(figures, 'log', 'sync'),
      reach: { 'at-most': 1.25 },
    },
    {
      what: `against the same with ${COMPUTING_MS * 1_000} µs of computing after each`,
      figure: `${micros('log')} : ${micros('computing')}`,
      ratio: ratio(figures, 'log', 'computing'),
      reach: { 'at-most': 1.25 },
    },
    {
      what: `groups of ${GROUP} against one by one`,
      figure: `${micros('grouped')} : ${micros('log')}`,
      ratio: ratio(figures, 'grouped', 'log'),
      reach: { 'at-most': 0.2 },
    },
  ]);
}

/** The bytes of one event as the log writes them. */
async function lineBytes(): Promise<Buffer> {
  const path = freshPath();
  const log = await openJsonlLog(path);
  await log.append('bench', [sampleEvent('bench', 1), sampleEvent('bench', 2)], { expectedVersion: 0 });
  await log.close();
  const file = await open(path);
  const text = await file.readFile('utf8');
  await file.close();
  return Buffer.from(`${text.split('\n')[1]}\n`);
}

async function appendWithPromises(bytes: Buffer): Promise<number> {
  const file = await open(join(folder, `promises-${(files += 1)}`), 'a');
  await file.appendFile(bytes);
  await file.datasync();
  const ms = await timeMs(async () => {
    for (let n = 0; n < SINGLE_EVENTS; n += 1) {
      await file.appendFile(bytes);
      await file.datasync();
    }
  });
  await file.close();
  return ms;
}

/** `computingMs`: how long the processor is kept busy after each. */
async function appendSync(bytes: Buffer, computingMs = 0): Promise<number> {
  const fd = openSync(join(folder, `sync-${(files += 1)}`), 'a');
  writeSync(fd, bytes);
  fdatasyncSync(fd);
  const ms = await timeMs(() => {
    for (let n = 0; n < SINGLE_EVENTS; n += 1) {
      writeSync(fd, bytes);
      fdatasyncSync(fd);
      if (computingMs > 0) compute(computingMs);
    }
  });
  closeSync(fd);
  return ms;
}

function compute(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

async function eightWriters(): Promise<boolean> {
  const worst = { log: 0, sqlite: 0, bare: 0 };
  const programs = {
    log: new URL('support/append-writer.ts', import.meta.url),
    sqlite: new URL('support/sqlite-writer.ts', import.meta.url),
    bare: new URL('support/bare-writer.ts', import.meta.url),
  };
  const contender = <Name extends string>(
    name: Name,
    who: keyof typeof programs,
    task: Partial<WriterTask>,
  ) => ({
    name,
    run: async () => {
      const path = join(folder, `shared-${(files += 1)}`);
      if (who === 'sqlite') makeSqliteEvents(path);
      const tasks = Array.from({ length: WRITERS }, (_, index) => ({
        path,
        stream: `sprint-${index}`,
        mode: 'any' as const,
        count: EVENTS_PER_WRITER,
        ...task,
      }));
      const { eventsPerSecond, worstMs } = await runWriters(programs[who], tasks);
      worst[who] = Math.max(worst[who], worstMs);
      return eventsPerSecond;
    },
  });
  const one = { stream: 'sprint' };
  const conditional = { ...one, mode: 'conditional' } as const;
  const contenders = [
    contender('log own', 'log', {}),
    contender('sqlite own', 'sqlite', {}),
    contender('bare', 'bare', {}),
    contender('log one', 'log', one),
    contender('sqlite one', 'sqlite', one),
    contender('log conditional', 'log', conditional),
    contender('sqlite conditional', 'sqlite', conditional),
  ];
  const figures = await runInterleaved(rounds, contenders);
  const rate = (name: (typeof contenders)[number]['name']) =>
    `${median(figures.get(name) ?? []).toFixed(0)}/s`;
  const row = (what: string, name: 'own' | 'one' | 'conditional', atLeast: number) => ({
    what,
    figure: `${rate(`log ${name}`)} : ${rate(`sqlite ${name}`)}`,
    ratio: ratio(figures, `log ${name}`, `sqlite ${name}`),
    reach: { 'at-least': atLeast },
  });
  return printTable(`Durable append, ${WRITERS} processes, against node:sqlite WAL FULL, events per second`, [
    row('own streams', 'own', 1.6),
    row('one stream', 'one', 1.3),
    row('one stream, conditional with retries', 'conditional', 1),
    {
      what: 'worst wait of a single append, against 50 ms',
      figure: `${worst.log.toFixed(0)} ms (SQLite ${worst.sqlite.toFixed(0)} ms)`,
      ratio: worst.log / 50,
      reach: { 'at-most': 1 },
    },
    {
      what: 'worst wait, against lock, write, unlock and sync alone',
      figure: `${worst.log.toFixed(0)} ms : ${worst.bare.toFixed(0)} ms`,
      ratio: worst.log / worst.bare,
      reach: { 'at-most': 1.5 },
    },
  ]);
}
