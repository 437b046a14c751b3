import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { median, ratio, runInterleaved } from './support/measure.ts';
import { printTable } from './support/table.ts';
import { writeLog } from './support/write-log.ts';

/**
 * Reading a log of 1,000,000 events back, each reading in a process of its own, interleaved:
 * `npx node bench/fold.ts [rounds]`. Takes about a minute a round, and 1 GB below the temporary folder.
 */
const rounds = Number(process.argv[2] ?? 5);
const SMALL = 200_000;
const LARGE = 1_000_000;

const run = promisify(execFile);
const program = new URL('support/read-process.ts', import.meta.url).pathname;
const outputSchema = z.strictObject({ ms: z.number(), rssBytes: z.number() });

const folder = await mkdtemp(join(tmpdir(), 'clifford-bench-fold-'));
const logOf = (name: string) => join(folder, name, '.clifford', 'events.jsonl');
const memory = new Map<string, number[]>();

/** Reads in a fresh process and returns its ms. Keeps its peak memory. */
const reading = <Name extends string>(name: Name, mode: string, path: string) => ({
  name,
  run: async () => {
    const { stdout } = await run(process.execPath, [program, mode, path]);
    const { ms, rssBytes } = outputSchema.parse(JSON.parse(stdout));
    memory.set(name, [...(memory.get(name) ?? []), rssBytes]);
    return ms;
  },
});

try {
  for (const [name, count] of [
    ['small', SMALL],
    ['large', LARGE],
    ['empty', 0],
  ] as const) {
    mkdirSync(dirname(logOf(name)), { recursive: true });
    writeLog(logOf(name), count);
  }
  // The first opening of the large log makes the snapshot that the measured ones use.
  await reading('first', 'open', logOf('large')).run();
  const figures = await runInterleaved(rounds, [
    reading('parse', 'parse', logOf('large')),
    reading('read', 'read', logOf('large')),
    reading('fold', 'fold', logOf('large')),
    reading('fold small', 'fold', logOf('small')),
    reading('open large', 'open', logOf('large')),
    reading('open empty', 'open', logOf('empty')),
  ]);
  const ms = (name: 'parse' | 'read' | 'fold' | 'open large' | 'open empty') =>
    median(figures.get(name) ?? []);
  const mib = (name: string) => median(memory.get(name) ?? []) / 2 ** 20;
  const opening = ms('open large') - ms('open empty');
  const reached = printTable(`Reading ${LARGE.toLocaleString('en')} events`, [
    {
      what: 'fold against read + JSON.parse',
      figure: `${ms('fold').toFixed(0)} ms : ${ms('parse').toFixed(0)} ms`,
      ratio: ratio(figures, 'fold', 'parse'),
      reach: { 'at-most': 4.5 },
    },
    {
      what: 'of which reading, schema and chain',
      figure: `${ms('read').toFixed(0)} ms : ${ms('parse').toFixed(0)} ms`,
      ratio: ratio(figures, 'read', 'parse'),
      reach: { 'at-most': 4.5 },
    },
    {
      what: `peak memory of the fold against ${SMALL.toLocaleString('en')} events`,
      figure: `${mib('fold').toFixed(0)} MiB : ${mib('fold small').toFixed(0)} MiB`,
      ratio: mib('fold') / mib('fold small'),
      reach: { 'at-most': 1.25 },
    },
    {
      what: 'opening with a snapshot, more than an empty log, against 25 ms',
      figure: `${opening.toFixed(1)} ms (${ms('open large').toFixed(1)} : ${ms('open empty').toFixed(1)})`,
      ratio: opening / 25,
      reach: { 'at-most': 1 },
    },
  ]);
  process.exitCode = reached ? 0 : 1;
} finally {
  await rm(folder, { recursive: true });
}
