import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openProject } from '../src/workflow/project/project.ts';
import { ask } from '../src/workflow/requests/ask.ts';
import { startTask } from '../src/workflow/task/start-task.ts';
import { bundleFixtures } from '../test/helpers/bundle-fixtures.ts';
import { appendSteadily } from './support/append-steadily.ts';
import { median, quantile } from './support/measure.ts';
import { keyLatencies, ptyScreen } from './support/pty-screen.ts';
import { printTable } from './support/table.ts';

/**
 * What the screen costs at 120×40, as the processor time of its process, and how soon a key is seen:
 * `npx node bench/tui.ts [seconds per figure]` (Linux only: it reads `/proc`)
 */
const seconds = Number(process.argv[2] ?? 10);
const stream = 'sprint-13';

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
  const screen = ptyScreen([program, stream, 'attach'], root);
  const cost = () => screen.cpuShare(seconds * 1_000);
  await screen.see('active');
  // The compiler is still at work in the first seconds.
  await pause(3_000);
  const ticking = await cost();
  const stopEvents = appendSteadily(join(root, '.clifford/events.jsonl'), stream, 'task-1');
  await pause(2_000);
  const busy = await cost();
  await askHuman();
  await screen.see('Type an answer');
  const keysBusy = await keyLatencies(screen);
  await stopEvents();
  const keysQuiet = await keyLatencies(screen);
  await cancelSprint();
  await screen.see('The sprint was cancelled');
  await pause(2_000);
  const still = await cost();
  await screen.end('SIGKILL');

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
