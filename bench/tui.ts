import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { spawn, type IPty } from '@lydell/node-pty';
import { newEvent } from '../src/events/envelope.ts';
import { openJsonlLog } from '../src/events/jsonl/jsonl-log.ts';
import { openProject } from '../src/workflow/project/project.ts';
import { ask } from '../src/workflow/requests/ask.ts';
import { startTask } from '../src/workflow/task/start-task.ts';
import { bundleFixtures } from '../test/helpers/bundle-fixtures.ts';
import { median, quantile } from './support/measure.ts';
import { processorSeconds } from './support/processor-time.ts';
import { printTable } from './support/table.ts';

/**
 * What the screen costs at 120×40, as the processor time of its process, and how soon a key is seen:
 * `npx node bench/tui.ts [seconds per figure]` (Linux only: it reads `/proc`)
 */
const seconds = Number(process.argv[2] ?? 10);
const KEYS = 60;
const stream = 'sprint-13';

type Screen = { readonly pty: IPty; readonly see: (text: string) => Promise<void> };

const program = join(await bundleFixtures(), 'tui/sprint-screen.mjs');
const root = await mkdtemp(join(tmpdir(), 'clifford-bench-tui-'));
let reached = false;
try {
  await enterSprint();
  reached = await measure();
} finally {
  await rm(root, { recursive: true });
}
process.exitCode = reached ? 0 : 1;

async function measure(): Promise<boolean> {
  const screen = open();
  await screen.see('active');
  // The compiler is still at work in the first seconds.
  await pause(3_000);
  const ticking = await cpuShare(screen.pty);
  const stopEvents = appendEvents();
  await pause(2_000);
  const busy = await cpuShare(screen.pty);
  await askHuman();
  await screen.see('Type an answer');
  const keysBusy = await keyLatencies(screen);
  await stopEvents();
  const keysQuiet = await keyLatencies(screen);
  await cancelSprint();
  await screen.see('The sprint was cancelled');
  await pause(2_000);
  const still = await cpuShare(screen.pty);
  screen.pty.kill('SIGKILL');

  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  const ms = (times: number[]) =>
    `${median(times).toFixed(1)} ms (p95 ${quantile(times, 0.95).toFixed(0)} ms)`;
  return printTable('Screen, 120×40, share of one core and time until a key is seen', [
    {
      what: '1,000 events/s, against 20 %',
      figure: percent(busy),
      ratio: busy / 0.2,
      reach: { 'at-most': 1 },
    },
    {
      what: 'idle while a clock ticks, against 4 %',
      figure: percent(ticking),
      ratio: ticking / 0.04,
      reach: { 'at-most': 1 },
    },
    { what: 'idle, against 1 %', figure: percent(still), ratio: still / 0.01, reach: { 'at-most': 1 } },
    {
      what: 'key, median against 30 ms',
      figure: ms(keysQuiet),
      ratio: median(keysQuiet) / 30,
      reach: { 'at-most': 1 },
    },
    {
      what: 'key at 1,000 events/s, median against 30 ms',
      figure: ms(keysBusy),
      ratio: median(keysBusy) / 30,
      reach: { 'at-most': 1 },
    },
  ]);
}

function open(): Screen {
  const pty = spawn(process.execPath, [program, stream, 'attach'], {
    cwd: root,
    cols: 120,
    rows: 40,
    name: 'xterm-256color',
  });
  let seen = '';
  const waiting = new Set<() => void>();
  pty.onData((data) => {
    seen = (seen + data).slice(-100_000);
    for (const look of waiting) look();
  });
  const see = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!seen.includes(text)) return;
        waiting.delete(look);
        seen = '';
        resolve();
      };
      waiting.add(look);
      look();
    });
  return { pty, see };
}

/** The part of one core that the process used over the next seconds. */
async function cpuShare({ pid }: IPty): Promise<number> {
  const before = processorSeconds(pid);
  const start = performance.now();
  await pause(seconds * 1_000);
  return (processorSeconds(pid) - before) / ((performance.now() - start) / 1_000);
}

/** Time from a key's write to the frame that shows it, in ms. */
async function keyLatencies({ pty, see }: Screen): Promise<number[]> {
  const times: number[] = [];
  for (let key = 0; key < KEYS; key += 1) {
    // Keys meet the screen's timers at any phase.
    await pause(40 + Math.random() * 60);
    const letter = String.fromCharCode(0x4e00 + key);
    const start = performance.now();
    const shown = see(letter);
    pty.write(letter);
    await shown;
    times.push(performance.now() - start);
    pty.write('\u007F');
  }
  return times;
}

/** Appends 1,000 events a second, ten of them together, until it is stopped. */
function appendEvents(): () => Promise<void> {
  const stop = new AbortController();
  const run = async () => {
    const log = await openJsonlLog(join(root, '.clifford/events.jsonl'));
    const start = performance.now();
    let written = 0;
    while (!stop.signal.aborted) {
      const due = Math.floor(performance.now() - start) - written;
      const events = Array.from({ length: Math.max(0, due) }, () => toolReturned((written += 1)));
      await Promise.all(events.map((event) => log.append(stream, [event], { expectedVersion: 'any' })));
      await pause(10);
    }
    await log.close();
  };
  const done = run();
  return () => {
    stop.abort();
    return done;
  };
}

function toolReturned(number: number) {
  return newEvent('/clifford/mcp', {
    type: 'tool.returned',
    subject: `${stream}/task-1`,
    data: { callId: `call-${number}`, isError: false, durationMs: 12, bytes: 2_048 },
  });
}

async function enterSprint(): Promise<void> {
  const project = await openProject({ root, source: '/clifford/cli', env: {} });
  const tasks = Array.from({ length: 12 }, (_, at) => ({ id: `task-${at + 1}`, file: `task-${at + 1}.md` }));
  const data = { name: 'Checkout', manifest: 'sprints/13/manifest.json', tasks };
  await project.dispatch(stream, () => [{ type: 'sprint.created', subject: stream, data }]);
  await project.dispatch(stream, (state) => {
    const sprint = state.streams.get(stream);
    const task = sprint?.tasks.get('task-1');
    return sprint && task ? startTask(sprint, task, { by: 'runner' }) : [];
  });
  await project.close();
}

async function askHuman(): Promise<void> {
  const project = await openProject({ root, source: '/clifford/mcp', env: {} });
  const agent = { id: 'a1', client: 'demo-agent' };
  await ask(project, { stream, agent, kind: 'help', task: 'task-1', question: 'Which grammar?' });
  await project.close();
}

async function cancelSprint(): Promise<void> {
  const project = await openProject({ root, source: '/clifford/cli', env: {} });
  const by = { by: 'bench' };
  await project.dispatch(stream, () => [{ type: 'sprint.cancelled', subject: stream, data: by }]);
  await project.close();
}
