import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openProject } from '../src/workflow/project/project.ts';
import { ask } from '../src/workflow/requests/ask.ts';
import { appendSteadily } from './support/append-steadily.ts';
import { median, quantile } from './support/measure.ts';
import { keyLatencies, ptyScreen } from './support/pty-screen.ts';
import { printTable } from './support/table.ts';

/**
 * What `clifford run` costs on a terminal of 120×40, and how soon a key is seen, while its agent prints 1 MB/s, which is drawn
 * and kept, and 1,000 events/s come from elsewhere: `npx node bench/busy-run.ts [seconds per figure]` (Linux only: it reads
 * `/proc`). Needs a build.
 */
const seconds = Number(process.argv[2] ?? 10);
const BYTES_PER_SECOND = 1_000_000;

const cli = join(import.meta.dirname, '../dist/cli.js');
const agent = `${process.execPath} ${new URL('support/talking-agent.ts', import.meta.url).pathname} ${BYTES_PER_SECOND}`;
const root = await mkdtemp(join(tmpdir(), 'clifford-bench-busy-'));
let reached = false;
try {
  await mkdir(join(root, '.clifford'));
  await writeSprint('busy');
  await writeSprint('quiet');
  reached = await measure();
} finally {
  await rm(root, { recursive: true });
}
process.exitCode = reached ? 0 : 1;

async function measure(): Promise<boolean> {
  const screen = ptyScreen([cli, 'run', 'busy', '--agent-cmd', agent], root);
  // What keys have to wait for on a busy machine where nothing is drawn but they.
  const quiet = ptyScreen([cli, 'run', 'quiet', '--agent-cmd', 'sleep 100000'], root);
  const bothKeys = () => Promise.all([keyLatencies(screen), keyLatencies(quiet)]);
  try {
    await quiet.see('active');
    await screen.see('nothing is left to do');
    // The compiler is still at work in the first seconds.
    await pause(5_000);
    const printing = await screen.cpuShare(seconds * 1_000);
    await Promise.all([askHuman('busy'), askHuman('quiet')]);
    await Promise.all([screen.see('Type an answer'), quiet.see('Type an answer')]);
    const keysPrinting = await bothKeys();
    const stopEvents = appendSteadily(join(root, '.clifford/events.jsonl'), 'busy', 'talk');
    await pause(2_000);
    const both = await screen.cpuShare(seconds * 1_000);
    const attached = await attachedShare();
    const keysBoth = await bothKeys();
    const perSecond = await stopEvents();

    const share = (what: string, figure: number) =>
      ({
        what: `${what}, against 20 % of a core`,
        figure: `${(figure * 100).toFixed(1)} %`,
        ratio: figure / 0.2,
        reach: { 'at-most': 1 },
      }) as const;
    const text = (times: number[]) =>
      `${median(times).toFixed(1)} ms (p95 ${quantile(times, 0.95).toFixed(0)} ms)`;
    const keys = (what: string, [times, silent]: [number[], number[]]) =>
      ({
        what: `a key meanwhile${what}, median against 30 ms`,
        figure: `${text(times)}; with a silent agent ${text(silent)}`,
        ratio: median(times) / 30,
        reach: { 'at-most': 1 },
      }) as const;
    return printTable('clifford run, 120×40, while its agent prints 1 MB/s', [
      share('its process', printing),
      keys('', keysPrinting),
      share(`with ${perSecond.toFixed(0)} events/s`, both),
      share('`attach` meanwhile: the screen by itself', attached),
      keys(' with both', keysBoth),
    ]);
  } finally {
    await Promise.all([screen.end('SIGTERM'), quiet.end('SIGTERM')]);
  }
}

/** What a screen takes that shows the same and runs nothing, of a core. */
async function attachedShare(): Promise<number> {
  const screen = ptyScreen([cli, 'attach', 'busy'], root);
  try {
    await screen.see('nothing is left to do');
    await pause(5_000);
    return await screen.cpuShare(seconds * 1_000);
  } finally {
    await screen.end('SIGTERM');
  }
}

async function writeSprint(id: string): Promise<void> {
  const sprint = join(root, 'sprints', id);
  await mkdir(sprint, { recursive: true });
  const tasks = [{ id: 'talk', file: 'talk.md' }];
  await writeFile(join(sprint, 'manifest.json'), JSON.stringify({ id, name: id, tasks }));
  await writeFile(join(sprint, 'talk.md'), '# Talk\n');
}

async function askHuman(stream: string): Promise<void> {
  const project = await openProject({ root, source: '/clifford/mcp', env: {} });
  const asking = { id: 'a1', client: 'demo-agent' };
  await ask(project, { stream, agent: asking, kind: 'help', task: 'talk', question: 'Which port?' });
  await project.close();
}
