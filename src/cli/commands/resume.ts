import type { Command } from 'commander';
import { resumeSprint } from '../../workflow/sprint/control.ts';
import { enterChosenSprint } from '../../workflow/sprint/choose-sprint.ts';
import type { Cli } from '../cli.ts';
import { requireHuman } from '../../workflow/project/require-human.ts';
import { tellRun } from '../project/tell-run.ts';
import { tellDecided } from '../text/decided-json.ts';
import { withProject } from '../project/with-project.ts';

/** `clifford resume`: the end of a pause. */
export function addResume(program: Command, cli: Cli): void {
  program
    .command('resume')
    .summary('go on after a pause')
    .description('Ends the pause of a sprint. Where no clifford run is at work on it, start one.')
    .argument('[sprint]', 'id or folder name (default: the only unfinished one)')
    .option('--json', 'for programs: one line')
    .addHelpText('after', '\nExample:\n  clifford resume sprint-1')
    .action((name: string | undefined, { json }: { json?: true }) =>
      withProject(cli, async (project) => {
        requireHuman(cli, 'resume a sprint', project);
        const stream = await enterChosenSprint(project, name);
        await resumeSprint(project, { stream, by: cli.by });
        tellDecided(cli, json, { done: 'resumed', sprint: stream, tasks: [] }, () =>
          cli.print(`resumed ${stream}`),
        );
        tellRun(cli, project, stream);
      }),
    );
}
