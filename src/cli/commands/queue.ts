import type { Command } from 'commander';
import type { Cli } from '../cli.ts';

/** `clifford queue …`: the sprints that wait for workers. */
export function addQueue(program: Command, cli: Cli): void {
  const queue = program
    .command('queue')
    .summary('sprints that wait for workers')
    .description(
      'The sprints that workers take, on whichever machine: it is beside a log on a server, see --log. A sprint is in it once, until ' +
        'its run is over.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  clifford queue add sprint-7 --needs gpu\n  clifford queue list\n  clifford queue move sprint-7 first\n  clifford queue cancel sprint-7',
    );
  queue
    .command('add')
    .summary('have a worker run a sprint')
    .description(
      'Adds a sprint behind the others. A worker takes it that has all labels it needs, those of "needs" in its manifest included. ' +
        'What is in the queue already is refused.',
    )
    .argument('[sprint]', 'id or folder name (default: the only unfinished one)')
    .option('--needs <labels>', 'what a worker has to have: gpu,macos', labelList)
    .option('--first', 'before all that are not')
    .option('--last', 'when there is nothing else')
    .option('--from-base', 'have tasks done again whose work was lost with its machine')
    .option('--json', 'for programs: one line')
    .addHelpText('after', '\nExample:\n  clifford queue add sprint-7 --needs gpu,macos')
    .action(
      async (
        sprint: string | undefined,
        options: {
          needs?: readonly string[];
          first?: true;
          last?: true;
          fromBase?: true;
          json?: true;
        },
      ) => (await import('../queue/add-to-queue.ts')).addToQueue(cli, { sprint, ...options }),
    );
  queue
    .command('list')
    .summary('what is in it')
    .description(
      'Lists the sprints in the queue in the order in which they are taken, those first that a worker has, with the worker, and of the others whether no worker is there that has what they need. Below them those ' +
        'that left it within a week before their run was over, and why, or who took them out.',
    )
    .option(
      '--json',
      'for programs: { jobs: [{ sprint, needs, lane, by, at, worker, since, lastEvent, lacksWorker }], left: [{ sprint, outcome, worker, reason, at }] }, or `by` for worker and reason',
    )
    .addHelpText('after', '\nExample:\n  clifford queue list')
    .action(async ({ json }: { json?: true }) =>
      (await import('../queue/list-queue.ts')).listQueue(cli, json),
    );
  queue
    .command('move')
    .summary('put a sprint before or behind others')
    .description('Changes when a sprint is taken that no worker has yet.')
    .argument('<sprint>', 'its id')
    .argument('<where>', 'first: before the others; next: as those that were only added; last: after them')
    .option('--json', 'for programs: one line')
    .addHelpText('after', '\nExample:\n  clifford queue move sprint-7 first')
    .action(async (sprint: string, where: string, { json }: { json?: true }) =>
      (await import('../queue/change-queue.ts')).moveInQueue(cli, { sprint, where, json }),
    );
  queue
    .command('cancel')
    .summary('take a sprint out')
    .description(
      'Takes a sprint out of the queue. A worker that has it ends its agents and leaves it; the sprint itself stays as it is, and can ' +
        'be added again. To end the sprint for good: clifford cancel.',
    )
    .argument('<sprint>', 'its id')
    .option('--json', 'for programs: one line')
    .addHelpText('after', '\nExample:\n  clifford queue cancel sprint-7')
    .action(async (sprint: string, { json }: { json?: true }) =>
      (await import('../queue/change-queue.ts')).cancelInQueue(cli, { sprint, json }),
    );
}

/** Labels as they are typed, with commas between them. */
export function labelList(text: string): string[] {
  return text
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '');
}
