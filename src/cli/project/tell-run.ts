import { detailOf, wordOf } from '../../machines/status-words.ts';
import { runLineOf } from '../../views/sprints/run-line.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import type { Project } from '../../workflow/project/project.ts';
import { missingManifest } from '../../workflow/sprint/missing-manifest.ts';
import { isRunWithoutUs } from '../../workflow/queue/worker-of.ts';
import type { Cli } from '../cli.ts';

type Place = Pick<Cli, 'warn' | 'called'>;

/** Says how a sprint goes on after a decision about it, where no runner is at work that does it by itself. */
export function tellRun(cli: Place, project: Project, stream: string): void {
  const sprint = project.state.streams.get(stream);
  if (!sprint || wordOf(sprint.machine.value) === 'done' || isRunWithoutUs(project, stream)) return;
  const id = visibleLine(stream);
  const missing = missingManifest(project.root, sprint);
  if (missing !== undefined) {
    cli.warn(visibleLine(`note: sprint ${stream} cannot be run: ${missing}`));
    return;
  }
  const before = detailOf(sprint.machine.value) === 'paused' ? `${cli.called} resume ${id}, then ` : '';
  const { ended } = sprint.tally;
  cli.warn(
    `next: ${before}${runLineOf(sprint, cli.called)}${ended === sprint.tasks.size ? ', which completes the sprint' : ''}`,
  );
}

/** The same where the decision has left nothing to do: to complete the sprint is a runner's. */
export function tellRunWhenFinished(cli: Place, project: Project, stream: string): void {
  const sprint = project.state.streams.get(stream);
  if (sprint && sprint.tally.ended === sprint.tasks.size) tellRun(cli, project, stream);
}
