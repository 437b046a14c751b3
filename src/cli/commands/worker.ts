import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { addMetricsOption, type MetricsOption } from '../input/metrics-option.ts';
import { labelList } from './queue.ts';

/** `clifford worker`: takes sprints from the queue and runs them. */
export function addWorker(program: Command, cli: Cli): void {
  const command = program
    .command('worker')
    .summary('run sprints of the queue, one after the other')
    .description(
      'Takes sprints from the queue and runs each as clifford run does, one at a time, on as many machines as you like. Who asks and who ' +
        'answers is as always, from any machine. What a worker that dies has begun another one goes on with.',
    )
    .option('--labels <labels>', 'what this machine has, for sprints that need it: gpu,macos', labelList)
    .option('--name <name>', 'what it is called in the log (default: the name of this machine)')
    .option('--once', 'leave after one sprint; where none waits, at once')
    .option('--folder <folder>', 'where it works (default: the project, or this folder)')
    .option('--fetch <command>', 'brings the files of a sprint into a folder of its own')
    .option('--push <command>', 'brings the commits of the sprint to where they are fetched from')
    .option('--accept-commands', 'run commands that fetched files name since last time without being asked')
    .addHelpText(
      'after',
      '\nThe first Ctrl+C or SIGTERM lets the tasks under way end, then hands the sprint to' +
        '\nthe next worker; the second ends the agents first; the third waits for nothing.' +
        '\nCommands get CLIFFORD_SPRINT, CLIFFORD_BRANCH and CLIFFORD_PROJECT. Without --fetch,' +
        '\nor repository.fetch of your own configuration, sprints are run in the folder itself.' +
        '\n\nExamples:\n  clifford worker --log nats://127.0.0.1:4222/my-project\n  clifford worker --labels gpu --fetch ./fetch.sh --push "git push origin HEAD"\n  clifford worker --once',
    )
    .action(async (options: WorkerWish) => (await import('../worker/run-worker.ts')).runWorker(cli, options));
  addMetricsOption(command);
}

/** What a person says about a worker. */
export type WorkerWish = MetricsOption & {
  readonly labels?: readonly string[];
  readonly name?: string;
  readonly once?: true;
  readonly folder?: string;
  readonly fetch?: string;
  readonly push?: string;
  readonly acceptCommands?: true;
};
