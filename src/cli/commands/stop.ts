import type { Command } from 'commander';
import { requireHuman } from '../../workflow/project/require-human.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { runElsewhere } from '../../workflow/project/run-elsewhere.ts';
import { enterChosenSprint } from '../../workflow/sprint/choose-sprint.ts';
import { runLineOf } from '../../views/sprints/run-line.ts';
import { isQueued } from '../../workflow/queue/worker-of.ts';
import { stopRun } from '../../workflow/sprint/stop-run.ts';
import type { Cli } from '../cli.ts';
import { endAndNote } from '../project/end-left-agents.ts';
import { tellDecided } from '../text/decided-json.ts';
import { withProject } from '../project/with-project.ts';

type Options = { readonly json?: true };

/** `clifford stop`: the runner of a sprint ends its agents and leaves. */
export function addStop(program: Command, cli: Cli): void {
  program
    .command('stop')
    .summary('end the run of a sprint')
    .description(
      'Tells the runner of a sprint to end its agents and leave, wherever it runs. Nothing is lost: a later run goes on.',
    )
    .argument('[sprint]', 'id or folder name (default: the only unfinished one)')
    .option('--json', 'for programs: one line')
    .addHelpText('after', '\nExample:\n  clifford stop sprint-1')
    .action((name: string | undefined, { json }: Options) =>
      withProject(cli, async (project) => {
        requireHuman(cli, 'stop a run', project);
        const stream = await enterChosenSprint(project, name);
        const elsewhere = runElsewhere(project, project.state.streams.get(stream));
        const left = await endAndNote(cli, project, { stream, by: 'clifford stop' });
        const isSaidToRun = project.state.streams.get(stream)?.runner?.run !== undefined;
        if (left === 0 || isSaidToRun) await stopRun(project, { stream, by: cli.by });
        const sprint = project.state.streams.get(stream);
        const run = sprint ? runLineOf(sprint, cli.called) : `${cli.called} run ${stream}`;
        const next = isQueued(project.state, stream)
          ? 'The worker that takes it from the queue goes on'
          : `To go on with it later: ${run}`;
        tellDecided(cli, json, { done: 'stopping', sprint: stream, tasks: [] }, () =>
          cli.print(
            elsewhere
              ? `told the run of ${stream} to leave that is on another machine, or in another folder (${visibleLine(elsewhere.name)}): its agents end where it is at work. ${next}`
              : `stopping ${stream}: its agents end. ${next}`,
          ),
        );
      }),
    );
}
