import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { manySprints } from './support/many-sprints.ts';
import { median, ratio, runInterleaved } from './support/measure.ts';
import { printTable, type Row } from './support/table.ts';
import { writeEvents } from './support/write-log.ts';

/**
 * Going anywhere in the past of a sprint, in a log of 200 sprints of 50 tasks, eight at a time, one of which goes on all along
 * and has a fifth of the events: `npx node bench/seek.ts [rounds] [events]`. Each in a process of its own. Takes about a
 * minute, and 1 GB below the temporary folder.
 */
const rounds = Number(process.argv[2] ?? 3);
const count = Number(process.argv[3] ?? 1_000_000);
const SEEKS = 1_000;

const run = promisify(execFile);
const reader = new URL('support/read-process.ts', import.meta.url).pathname;
const seeker = new URL('support/seek-process.ts', import.meta.url).pathname;
const readSchema = z.object({ ms: z.number() });
const seekSchema = z.object({
  openMs: z.number(),
  events: z.int(),
  processorMs: z.number(),
  anywhere: z.array(z.number()),
  back: z.array(z.number()),
  memory: z.tuple([z.number(), z.number()]),
});
type Seeks = z.infer<typeof seekSchema>;

const folder = await mkdtemp(join(tmpdir(), 'clifford-bench-seek-'));
try {
  const path = join(folder, 'events.jsonl');
  const written = writeEvents(path, manySprints(count));
  const seen = new Map<string, Seeks[]>();
  const cursor = <Name extends string>(name: Name, stream: string) => ({
    name,
    run: async () => {
      const { stdout } = await run(process.execPath, ['--expose-gc', seeker, path, stream, String(SEEKS)], {
        maxBuffer: 1e8,
      });
      const figures = seekSchema.parse(JSON.parse(stdout));
      seen.set(name, [...(seen.get(name) ?? []), figures]);
      return figures.openMs;
    },
  });
  const figures = await runInterleaved(rounds, [
    {
      name: 'read',
      run: async () => {
        const { stdout } = await run(process.execPath, [reader, 'read', path]);
        return readSchema.parse(JSON.parse(stdout)).ms;
      },
    },
    cursor('one of many', 'sprint-150'),
    cursor('the big one', 'sprint-0'),
  ] as const);
  const readMs = median(figures.get('read') ?? []);
  const rows = (['one of many', 'the big one'] as const).flatMap((name): Row[] => {
    const all = seen.get(name) ?? [];
    const [anywhere, back] = [all.flatMap((each) => each.anywhere), all.flatMap((each) => each.back)];
    const [middle, worst, step] = [median(anywhere), Math.max(...anywhere), median(back)];
    const processor = Math.max(...all.map(({ processorMs }) => processorMs));
    const [before, after] = [0, 1].map((n) => median(all.map(({ memory }) => memory[n] ?? 0)));
    const mib = (bytes = 0) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
    const openMs = median(figures.get(name) ?? []);
    return [
      {
        what: `${name}, ${all[0]?.events.toLocaleString('en') ?? ''} events: opening, against reading the log`,
        figure: `${openMs.toFixed(0)} ms : ${readMs.toFixed(0)} ms`,
        ratio: ratio(figures, name, 'read'),
        reach: { 'at-most': 1 },
      },
      {
        what: 'any seek, the median, against 50 ms',
        figure: `${middle.toFixed(1)} ms`,
        ratio: middle / 50,
        reach: { 'at-most': 1 },
      },
      {
        what: 'the worst, against 200 ms',
        figure: `${worst.toFixed(1)} ms (of a processor ${processor.toFixed(1)} ms)`,
        ratio: worst / 200,
        reach: { 'at-most': 1 },
      },
      {
        what: 'a step back, the median, against 10 ms',
        figure: `${step.toFixed(1)} ms`,
        ratio: step / 10,
        reach: { 'at-most': 1 },
      },
      {
        what: `memory after ${SEEKS} seeks, against half of them`,
        figure: `${mib(after)} : ${mib(before)}`,
        ratio: (after ?? 0) / (before ?? 1),
        reach: { 'at-most': 1.1 },
      },
    ];
  });
  const reached = printTable(`A cursor in a log of ${written.toLocaleString('en')} events`, rows);
  process.exitCode = reached ? 0 : 1;
} finally {
  await rm(folder, { recursive: true });
}
