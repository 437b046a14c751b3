import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { workerName } from '../../machines/worker-name.ts';
import type { RepositoryCommands } from '../../runner/worker/checkout.ts';
import { gauge } from '../../metrics/metric.ts';
import { Worker } from '../../runner/worker/worker.ts';
import type { SprintLeft } from '../../runner/worker/worker-events.ts';
import { readConfig, type ConfigReading } from '../../workflow/config/load-config.ts';
import { logEnvironment } from '../../workflow/log/log-environment.ts';
import { findProjectRoot } from '../../workflow/project/project-root.ts';
import { openProject } from '../../workflow/project/project.ts';
import { requireHuman } from '../../workflow/project/require-human.ts';
import { parseLabels } from '../../workflow/queue/label.ts';
import { machineId } from '../../workflow/queue/machine-id.ts';
import { namesakeOf } from '../../workflow/queue/worker-of.ts';
import { openQueue, requireServedLog } from '../../workflow/queue/open-queue.ts';
import type { Cli } from '../cli.ts';
import type { WorkerWish } from '../commands/worker.ts';
import { exitCodes } from '../exit-codes.ts';
import { printRun } from '../run/print-run.ts';
import { withMetrics } from '../metrics/with-metrics.ts';
import { onLeaveSignals } from './on-leave-signals.ts';

/** Bytes of what tells a worker from the last one of its machine. */
const START_BYTES = 3;

const START_ELSEWHERE =
  'Start it at a terminal, or once no agent of the project is at work on this machine: a service that is restarted until it succeeds does. ' +
  'Start the workers of a machine together';

/** `clifford worker`: works until it is told to leave, and prints what happens. */
export async function runWorker(cli: Cli, wish: WorkerWish): Promise<void> {
  const { name = hostname(), once = false, acceptCommands: accepts = false, folder } = wish;
  const labels = parseLabels('--labels', wish.labels ?? []);
  const root = folder === undefined ? findProjectRoot(cli) : resolve(cli.cwd, folder);
  if (!existsSync(root)) throw noFolder(root);
  const place = { root, env: cli.env };
  const log = await requireServedLog(place);
  const reading = await readConfig({ ...place, configMemory: cli.configMemory, report: cli.note });
  const commands = repositoryOf(cli, reading, wish);
  const machine = await machineId(cli.env);
  if (machine.problem !== undefined)
    cli.note(
      `this machine counts as another one once it was started anew, as its id cannot be kept: ${visibleLine(machine.problem)}`,
    );
  const start = randomBytes(START_BYTES).toString('hex');
  const worker = workerName(name, { machine: machine.id, start });
  const env = { ...cli.env, ...logEnvironment(log) };
  const home = await openProject({ root, source: '/clifford/runner', env });
  try {
    requireHuman(cli, 'start a worker', home, START_ELSEWHERE);
    const namesake = namesakeOf(home.state, worker);
    if (namesake !== undefined)
      cli.note(`another machine has a worker that is called ${name}, ${namesake}: give each its own --name`);
    const queue = await openQueue(log, place);
    try {
      const { losses } = reading.config.queue;
      const { configMemory } = cli;
      // As with `run`, an empty variable says nothing.
      const agentCmd = cli.env['CLIFFORD_AGENT_CMD'] || undefined;
      const options = { labels, once, commands, accepts };
      const own = new Worker({
        ...options,
        home,
        queue,
        worker,
        project: log.project,
        env,
        configMemory,
        agentCmd,
        losses,
      });
      tell(cli, own, once);
      const what = labels.length === 0 ? '' : ` with ${labels.join(', ')}`;
      cli.print(`worker ${visibleLine(worker)}${what} takes sprints from ${visibleLine(queue.name)}`);
      const release = onLeaveSignals(own, cli.note);
      try {
        await withMetrics(
          cli,
          home,
          wish.metrics,
          () => own.run(),
          () => [
            gauge(
              'clifford_worker_unfit',
              'How many times in a row this worker could not begin what it took.',
              own.unfit,
            ),
          ],
        );
      } finally {
        release();
      }
    } finally {
      await queue.close();
    }
  } finally {
    await home.close();
  }
}

/** Flags, else one's own configuration: a project's file may come from somebody else, and these run before it is even fetched. */
function repositoryOf(
  cli: Pick<Cli, 'note'>,
  { config, origins }: ConfigReading,
  wish: Pick<WorkerWish, 'fetch' | 'push'>,
): RepositoryCommands {
  const read = (key: 'fetch' | 'push') => {
    if (wish[key] !== undefined) return wish[key];
    const origin = origins.get(`repository.${key}`);
    if (origin?.rank !== 0) return config.repository[key];
    cli.note(
      `repository.${key} of clifford.json is not used: it counts in your own configuration, or as --${key}`,
    );
    return undefined;
  };
  return { fetch: read('fetch'), push: read('push') };
}

/** Prints what a worker says. `isOnce`: the command ends as its sprint does. */
function tell(cli: Cli, worker: Worker, isOnce: boolean): void {
  let printing: ReturnType<typeof printRun> | undefined;
  worker.on('idle', () => cli.print('waits for a sprint'));
  worker.on('problem', cli.note);
  worker.on('take', ({ sprint, folder }) =>
    cli.print(`${cli.style('bold', visibleLine(sprint))} taken, in ${visibleLine(folder)}`),
  );
  worker.on('run', ({ project, stream, runner }) => {
    printing = printRun(cli, { project, stream, runner });
  });
  worker.on('leave', (left) => {
    printing?.stop();
    printing = undefined;
    cli.print(leftText(cli, left));
    const isFine = ['over', 'returned', 'taken over'].includes(left.how);
    if (isOnce && !(isFine && (left.outcome ?? 'completed') === 'completed')) cli.endWith(exitCodes.failed);
  });
}

function leftText({ style }: Cli, { sprint, how, reason }: SprintLeft): string {
  const colour =
    how === 'over' ? 'green' : ['returned', 'taken over', 'unfit'].includes(how) ? 'yellow' : 'red';
  return `${style('bold', visibleLine(sprint))} ${style(colour, how)}: ${visibleLine(reason)}`;
}

function noFolder(root: string): CliffordError {
  return new CliffordError(`Cannot work in ${root}: there is no such folder`, {
    code: 'FOLDER_MISSING',
    fix: 'Make it, or name another one with --folder',
  });
}
