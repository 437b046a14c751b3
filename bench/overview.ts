import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { spawn, type IPty } from '@lydell/node-pty';
import { openProject } from '../src/workflow/project/project.ts';
import { ask } from '../src/workflow/requests/ask.ts';
import { startTask } from '../src/workflow/task/start-task.ts';
import { median } from './support/measure.ts';
import { printTable } from './support/table.ts';

/**
 * How soon `clifford` alone shows 200 sprints with 10,000 tasks, against `clifford status --json`, and what it costs while
 * nothing happens: `npx node bench/overview.ts [rounds]` (Linux only: it reads `/proc`). Needs a build.
 */
const rounds = Number(process.argv[2] ?? 9);
const SPRINTS = 200;
const TASKS = 50;
const IDLE_MS = 10_000;
const TICKS_PER_SECOND = 100;

const cli = join(import.meta.dirname, '../dist/cli.js');
const root = await mkdtemp(join(tmpdir(), 'clifford-bench-overview-'));
let reached = false;
let writtenAt = 0;
try {
  await writeProject();
  writtenAt = performance.now();
  reached = await measure();
} finally {
  await rm(root, { recursive: true });
}
process.exitCode = reached ? 0 : 1;

async function measure(): Promise<boolean> {
  const opens: number[] = [];
  const asJson: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const json = await timeOf(() =>
      promisify(execFile)(process.execPath, [cli, 'status', '--json'], { cwd: root, maxBuffer: 1e9 }),
    );
    const { ms, pty } = await open();
    pty.kill('SIGKILL');
    // The first ones fill the caches.
    if (round === 0) continue;
    asJson.push(json);
    opens.push(ms);
  }
  const { idle, bytes } = await rest();
  const ratios = opens.map((ms, at) => ms / (asJson[at] ?? ms));
  return printTable(`Overview of ${SPRINTS} sprints, ${SPRINTS * TASKS} tasks, 120×40`, [
    {
      what: 'opens, against status --json',
      figure: `${median(opens).toFixed(0)} ms, ${median(asJson).toFixed(0)} ms`,
      ratio: median(ratios),
      reach: { 'at-most': 1.5 },
    },
    {
      what: 'idle, against 1 % of a core',
      // Ages of minutes change meanwhile, no more than once.
      figure: `${(idle * 100).toFixed(1)} %, ${bytes} bytes written`,
      ratio: idle / 0.01,
      reach: { 'at-most': 1 },
    },
  ]);
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Time until the lists are to be seen, in ms. */
async function open(): Promise<{ ms: number; pty: IPty; written: () => number }> {
  const start = performance.now();
  const pty = spawn(process.execPath, [cli], {
    cwd: root,
    cols: 120,
    rows: 40,
    name: 'xterm-256color',
    env: { ...process.env, CI: '' },
  });
  let seen = '';
  const { promise, resolve } = Promise.withResolvers<number>();
  pty.onData((data) => {
    seen += data;
    if (seen.includes('Waits for you')) resolve(performance.now() - start);
  });
  return { ms: await promise, pty, written: () => seen.length };
}

/** The part of one core that it uses while nothing happens, and what it writes. */
async function rest(): Promise<{ idle: number; bytes: number }> {
  const { pty, written } = await open();
  // The compiler is still at work in the first seconds, and ages below a minute change each second.
  await pause(Math.max(5_000, writtenAt + 65_000 - performance.now()));
  const [ticks, before] = [cpuTicks(pty), written()];
  await pause(IDLE_MS);
  const idle = (cpuTicks(pty) - ticks) / TICKS_PER_SECOND / (IDLE_MS / 1_000);
  const bytes = written() - before;
  pty.kill('SIGKILL');
  return { idle, bytes };
}

/** Fields 14 and 15 of proc(5) stat, counted behind the command, which may hold blanks. */
function cpuTicks({ pid }: IPty): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

/** Of four sprints one is over, one waits for a human, two are pending. */
async function writeProject(): Promise<void> {
  const project = await openProject({ root, source: '/clifford/cli', env: {} });
  for (let number = 0; number < SPRINTS; number += 1) {
    const stream = `sprint-${number}`;
    const name = `Sprint number ${number}`;
    const tasks = Array.from({ length: TASKS }, (_, at) => ({ id: `task-${at}`, file: `task-${at}.md` }));
    const manifest = `sprints/${stream}/manifest.json`;
    await mkdir(join(root, 'sprints', stream), { recursive: true });
    await writeFile(join(root, manifest), JSON.stringify({ id: stream, name, status: 'pending', tasks }));
    await project.dispatch(stream, () => [
      { type: 'sprint.created', subject: stream, data: { name, manifest, tasks } },
    ]);
    if (number % 4 === 0)
      await project.dispatch(stream, () => [
        { type: 'sprint.cancelled', subject: stream, data: { by: 'bench' } },
      ]);
    if (number % 4 !== 1) continue;
    await project.dispatch(stream, (state) => {
      const sprint = state.streams.get(stream);
      const task = sprint?.tasks.get('task-0');
      return sprint && task ? startTask(sprint, task, { by: 'runner' }) : [];
    });
    const agent = { id: `agent-${number}`, client: 'codex' };
    await ask(project, { stream, agent, kind: 'help', task: 'task-0', question: `Question ${number}?` });
  }
  await project.close();
}
