import type { Command } from 'commander';
import { pauseSprint } from '../../workflow/sprint/control.ts';
import { enterChosenSprint } from '../../workflow/sprint/choose-sprint.ts';
import type { Cli } from '../cli.ts';
import { decider } from '../../workflow/project/require-human.ts';
import { tellDecided } from '../text/decided-json.ts';
import { withProject } from '../project/with-project.ts';

/** `clifford pause`: no further attempt starts. */
export function addPause(program: Command, cli: Cli): void {
  program
    .command('pause')
    .summary('let no further attempt start')
    .description('Pauses a sprint: agents that work go on, no further attempt starts until it is resumed.')
    .argument('[sprint]', 'id or folder name (default: the only unfinished one)')
    .option('--json', 'for programs: one line')
    .addHelpText('after', '\nExample:\n  clifford pause sprint-1')
    .action((name: string | undefined, { json }: { json?: true }) =>
      withProject(cli, async (project) => {
        const stream = await enterChosenSprint(project, name);
        await pauseSprint(project, { stream, by: decider(cli, project) });
        tellDecided(cli, json, { done: 'paused', sprint: stream, tasks: [] }, () =>
          cli.print(`paused ${stream}`),
        );
      }),
    );
}
