import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ptyScreen } from './support/pty-screen.ts';
import { printTable, type Row } from './support/table.ts';
import { writeProject } from './support/write-project.ts';

/**
 * What each screen costs on a terminal while nothing happens: `clifford run` whose agent prints nothing or waits for an answer,
 * replay, and the overview. `npx node bench/idle.ts [seconds]` (Linux only: it reads `/proc`). Needs a build.
 */
const seconds = Number(process.argv[2] ?? 60);
/** The compiler is at work in the first seconds. */
const WARM_UP_MS = 10_000;
/** Ages are told in seconds until they are of a minute. */
const MINUTE_MS = 60_000;
const COUNTING_MS = 40_000;
const EVENTS = 100_000;

type Scene = {
  readonly what: string;
  readonly argv: readonly string[];
  readonly seen: string;
  readonly fill: (root: string) => Promise<unknown>;
  /** Something began just now, whose seconds are counted at first. */
  readonly counts?: boolean;
};

const cli = join(import.meta.dirname, '../dist/cli.js');
const runOf = (agent: string) => ['run', 'idle', '--agent-cmd', agent];
const fillLarge = (root: string) => writeProject(root, EVENTS);
const scenes: readonly Scene[] = [
  {
    what: 'run: a task runs that prints nothing',
    argv: runOf('sleep 100000'),
    seen: 'active',
    fill: writeSprint,
    counts: true,
  },
  {
    what: 'run: a question waits',
    argv: runOf(`${process.execPath} ${cli} ask "Which port?"`),
    seen: 'Which port?',
    fill: writeSprint,
    counts: true,
  },
  {
    what: 'replay',
    argv: ['replay', 'sprint-0', '--at', '1000'],
    seen: 'event 1000 of',
    fill: fillLarge,
  },
  { what: 'overview of 200 sprints', argv: [], seen: 'Waits for you', fill: fillLarge },
];

const rows = await Promise.all(scenes.map(measure));
process.exitCode = printTable(`Idle screens, 120×40, over ${seconds} s`, rows.flat()) ? 0 : 1;

async function measure({ what, argv, seen, fill, counts = false }: Scene): Promise<Row[]> {
  const root = await mkdtemp(join(tmpdir(), 'clifford-bench-idle-'));
  await fill(root);
  const screen = ptyScreen([cli, ...argv], root);
  try {
    await screen.see(seen);
    await pause(WARM_UP_MS);
    const spend = async (when: string, ms: number, percent: number): Promise<Row> => {
      const [bytes, frames] = [screen.written(), screen.frames()];
      const share = await screen.cpuShare(ms);
      return {
        what: `${what}${when}, against ${percent} % of a core`,
        figure: `${(share * 100).toFixed(2)} %, ${screen.frames() - frames} frames, ${screen.written() - bytes} characters`,
        ratio: (share * 100) / percent,
        reach: { 'at-most': 1 },
      };
    };
    const first = counts ? [await spend(', while seconds are counted', COUNTING_MS, 4)] : [];
    await pause(MINUTE_MS - COUNTING_MS);
    return [...first, await spend(counts ? ', after a minute' : '', seconds * 1_000, 1)];
  } finally {
    await screen.end('SIGTERM');
    await rm(root, { recursive: true });
  }
}

async function writeSprint(root: string): Promise<void> {
  const sprint = join(root, 'sprints/idle');
  await mkdir(sprint, { recursive: true });
  await mkdir(join(root, '.clifford'));
  const tasks = [{ id: 'wait', file: 'wait.md' }];
  await writeFile(join(sprint, 'manifest.json'), JSON.stringify({ id: 'idle', name: 'Idle', tasks }));
  await writeFile(join(sprint, 'wait.md'), '# Wait\n');
}
