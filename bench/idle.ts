import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import { processorSeconds } from './support/processor-time.ts';
import { printTable, type Row } from './support/table.ts';

/**
 * What `clifford run` costs on a terminal while nothing happens: its agent prints nothing, or waits for an answer.
 * `npx node bench/idle.ts [seconds]` (Linux only: it reads `/proc`). Needs a build.
 */
const seconds = Number(process.argv[2] ?? 60);
/** The compiler is at work in the first seconds. */
const WARM_UP_MS = 10_000;
/** Ages are told in seconds until they are of a minute. */
const MINUTE_MS = 60_000;
const COUNTING_MS = 40_000;

const cli = join(import.meta.dirname, '../dist/cli.js');
const scenes = [
  { what: 'a task runs that prints nothing', agent: 'sleep 100000', seen: /active|working/ },
  {
    what: 'a question waits',
    agent: `${process.execPath} ${cli} ask "Which port?"`,
    seen: /Which port\?/,
  },
];

const rows = await Promise.all(scenes.map(measure));
process.exitCode = printTable(`clifford run with one idle agent, 120×40, over ${seconds} s`, rows.flat())
  ? 0
  : 1;

async function measure({ what, agent, seen }: (typeof scenes)[number]): Promise<Row[]> {
  const root = await mkdtemp(join(tmpdir(), 'clifford-bench-idle-'));
  const sprint = join(root, 'sprints/idle');
  await mkdir(sprint, { recursive: true });
  await mkdir(join(root, '.clifford'));
  const tasks = [{ id: 'wait', file: 'wait.md' }];
  await writeFile(join(sprint, 'manifest.json'), JSON.stringify({ id: 'idle', name: 'Idle', tasks }));
  await writeFile(join(sprint, 'wait.md'), '# Wait\n');
  const pty = spawn(process.execPath, [cli, 'run', 'idle', '--agent-cmd', agent], {
    cwd: root,
    cols: 120,
    rows: 40,
    name: 'xterm-256color',
    env: { ...process.env, CI: '' },
  });
  const exited = new Promise((resolve) => pty.onExit(resolve));
  let written = '';
  pty.onData((data) => (written += data));
  try {
    while (!seen.test(written)) await pause(50);
    await pause(WARM_UP_MS);
    const spend = async (ms: number) => {
      const [used, bytes] = [processorSeconds(pty.pid), written.length];
      await pause(ms);
      return { share: (processorSeconds(pty.pid) - used) / (ms / 1_000), bytes: written.length - bytes };
    };
    const counting = await spend(COUNTING_MS);
    await pause(MINUTE_MS - COUNTING_MS);
    const still = await spend(seconds * 1_000);
    const row = (when: string, { share, bytes }: typeof still): Row => ({
      what: `${what}, ${when}, against 1 % of a core`,
      figure: `${(share * 100).toFixed(2)} %, ${bytes} bytes written`,
      ratio: share / 0.01,
      reach: { 'at-most': 1 },
    });
    return [row('while seconds are counted', counting), row('after a minute', still)];
  } finally {
    pty.kill('SIGTERM');
    await exited;
    await rm(root, { recursive: true });
  }
}
