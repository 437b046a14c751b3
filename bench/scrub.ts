import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { seededRandom } from '../test/helpers/random.ts';
import { median } from './support/measure.ts';
import { ptyScreen, type PtyScreen } from './support/pty-screen.ts';
import { printTable } from './support/table.ts';
import { writeProject } from './support/write-project.ts';

/**
 * What `clifford replay` holds in memory while a person scrubs through the large sprint of a log of 1,000,000 events, with held
 * arrow keys, over marks, tenths, and to any event, in each pane: the last third of the time against the first, after a collection.
 * `npx node bench/scrub.ts [--minutes 10] [--events 1000000]`. Needs a build, and 1 GB below the temporary folder.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    events: { type: 'string', default: '1000000' },
  },
});
const minutes = Number(values.minutes);

/** A key that is held comes so often, in ms. */
const HELD_MS = 33;
const HELD_KEYS = 60;
/** So long it is waited until a moment is seen, in ms: it may be the one that was seen before. */
const LONGEST_MS = 5_000;
const keys = { left: '\u001B[D', right: '\u001B[C', markBack: '\u001B[1;2D', mark: '\u001B[1;2C' };
const PANES = ['1', '2', '3', '4', '5', '6'];

const sampleSchema = z.object({ heapUsed: z.number(), arrayBuffers: z.number(), rss: z.number() });
type Sample = z.infer<typeof sampleSchema>;

const cli = join(import.meta.dirname, '../dist/cli.js');
const sampler = new URL('support/memory-sampler.ts', import.meta.url).pathname;
const root = await mkdtemp(join(tmpdir(), 'clifford-bench-scrub-'));
const samplesPath = join(root, 'memory.jsonl');
let reached = false;
try {
  const written = await writeProject(root, Number(values.events));
  reached = await measure(written);
} finally {
  await rm(root, { recursive: true });
}
process.exitCode = reached ? 0 : 1;

async function measure(written: number): Promise<boolean> {
  const argv = ['--expose-gc', '--import', sampler, cli, 'replay', 'sprint-0'];
  const screen = ptyScreen(argv, root, { BENCH_MEMORY: samplesPath });
  try {
    const [, length] = await screen.match(/event \d+ of (\d+)/);
    const { samples, pressed } = await scrub(screen, Number(length));
    const third = Math.ceil(samples.length / 3);
    const row = (what: string, of: keyof Sample, atMost: number) => {
      const [first, last] = [samples.slice(0, third), samples.slice(-third)].map((some) =>
        median(some.map((sample) => sample[of])),
      );
      const mib = (bytes = 0) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
      const ratio = (last ?? 0) / (first ?? 1);
      return { what, figure: `${mib(last)} : ${mib(first)}`, ratio, reach: { 'at-most': atMost } } as const;
    };
    const title = `${minutes} minutes of scrubbing in ${length} of ${written.toLocaleString('en')} events: ${pressed} keys, ${screen.frames()} frames, ${samples.length} samples`;
    return printTable(title, [
      row('heap in use, the last third against the first', 'heapUsed', 1.1),
      row('memory of the process, the same', 'rss', 1.1),
    ]);
  } finally {
    await screen.end('SIGTERM');
  }
}

/** Goes about until the time is over; after each round it is noted what is held. */
async function scrub(screen: PtyScreen, length: number): Promise<{ samples: Sample[]; pressed: number }> {
  const random = seededRandom(1);
  const samples: Sample[] = [];
  const end = performance.now() + minutes * 60_000;
  let pressed = 0;
  const press = (key: string) => {
    screen.press(key);
    pressed += 1;
    return pause(HELD_MS);
  };
  for (let round = 0; performance.now() < end; round += 1) {
    const version = 1 + Math.floor(random() * length);
    await press('t');
    for (const digit of String(version)) await press(digit);
    // Of a row only what is new is written, with all that stands behind it.
    const shown = screen.see(` of ${length}`);
    await press('\r');
    await Promise.race([shown, pause(LONGEST_MS)]);
    const held = Object.values(keys)[round % 4] ?? keys.left;
    for (let times = 0; times < HELD_KEYS; times += 1) await press(held);
    await press(random() < 0.5 ? '<' : '>');
    await press(PANES[round % PANES.length] ?? '1');
    samples.push(await sample(screen, samples.length));
  }
  return { samples, pressed };
}

async function sample(screen: PtyScreen, before: number): Promise<Sample> {
  screen.signal('SIGUSR2');
  for (;;) {
    const lines = existsSync(samplesPath) ? readFileSync(samplesPath, 'utf8').trimEnd().split('\n') : [];
    const line = lines.at(before);
    if (line) return sampleSchema.parse(JSON.parse(line));
    await pause(20);
  }
}
