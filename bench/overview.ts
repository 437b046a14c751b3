import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { spawn, type IPty } from '@lydell/node-pty';
import { SPRINTS, TASKS } from './support/many-sprints.ts';
import { median } from './support/measure.ts';
import { childrenSeconds, processorSeconds } from './support/processor-time.ts';
import { printTable } from './support/table.ts';
import { writeProject } from './support/write-project.ts';

/**
 * How soon `clifford` alone shows 200 sprints with 10,000 tasks in a log of 1,000,000 events, against
 * `clifford status --json`, and what it costs while nothing happens: `npx node bench/overview.ts [rounds] [events]` (Linux
 * only: it reads `/proc`). Needs a build, and 1 GB below the temporary folder.
 */
const rounds = Number(process.argv[2] ?? 9);
const count = Number(process.argv[3] ?? 1_000_000);
const IDLE_MS = 10_000;

const cli = join(import.meta.dirname, '../dist/cli.js');
const root = await mkdtemp(join(tmpdir(), 'clifford-bench-overview-'));
let reached = false;
try {
  const written = await writeProject(root, count);
  reached = await measure(written);
} finally {
  await rm(root, { recursive: true });
}
process.exitCode = reached ? 0 : 1;

async function measure(written: number): Promise<boolean> {
  const opens: Took[] = [];
  const asJson: Took[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const json = await status();
    const { took, end } = await open();
    await end();
    // The first ones fill the caches.
    if (round === 0) continue;
    asJson.push(json);
    opens.push(took);
  }
  const { idle, bytes } = await rest();
  const row = (what: string, of: 'ms' | 'processorMs') => {
    const [mine, theirs] = [opens, asJson].map((all) => all.map((each) => each[of]));
    return {
      what: `opens, against status --json${what}`,
      figure: `${median(mine ?? []).toFixed(0)} ms : ${median(theirs ?? []).toFixed(0)} ms`,
      ratio: median((mine ?? []).map((ms, at) => ms / (theirs?.[at] ?? ms))),
      reach: { 'at-most': 1.5 },
    } as const;
  };
  const title = `Overview of ${SPRINTS} sprints, ${SPRINTS * TASKS} tasks, ${written.toLocaleString('en')} events, 120×40`;
  return printTable(title, [
    row('', 'ms'),
    row(', of a processor', 'processorMs'),
    {
      what: 'idle, against 1 % of a core',
      // Ages of minutes change meanwhile, no more than once.
      figure: `${(idle * 100).toFixed(1)} %, ${bytes} bytes written`,
      ratio: idle / 0.01,
      reach: { 'at-most': 1 },
    },
  ]);
}

type Took = { readonly ms: number; readonly processorMs: number };

async function status(): Promise<Took> {
  const [start, used] = [performance.now(), childrenSeconds()];
  await promisify(execFile)(process.execPath, [cli, 'status', '--json'], { cwd: root, maxBuffer: 1e9 });
  return { ms: performance.now() - start, processorMs: (childrenSeconds() - used) * 1_000 };
}

/** What it takes until the lists are to be seen. */
async function open(): Promise<{
  took: Took;
  pty: IPty;
  written: () => number;
  end: () => Promise<unknown>;
}> {
  const start = performance.now();
  const pty = spawn(process.execPath, [cli], {
    cwd: root,
    cols: 120,
    rows: 40,
    name: 'xterm-256color',
    env: { ...process.env, CI: '' },
  });
  let seen = '';
  const exited = new Promise((resolve) => pty.onExit(resolve));
  const { promise, resolve } = Promise.withResolvers<Took>();
  pty.onData((data) => {
    seen += data;
    if (seen.includes('Waits for you'))
      resolve({ ms: performance.now() - start, processorMs: processorSeconds(pty.pid) * 1_000 });
  });
  const end = () => {
    pty.kill('SIGKILL');
    return exited;
  };
  return { took: await promise, pty, written: () => seen.length, end };
}

/** The part of one core that it uses while nothing happens, and what it writes. */
async function rest(): Promise<{ idle: number; bytes: number }> {
  const { pty, written, end } = await open();
  // The compiler is still at work in the first seconds.
  await pause(15_000);
  const [used, before] = [processorSeconds(pty.pid), written()];
  await pause(IDLE_MS);
  const idle = (processorSeconds(pty.pid) - used) / (IDLE_MS / 1_000);
  const bytes = written() - before;
  await end();
  return { idle, bytes };
}
