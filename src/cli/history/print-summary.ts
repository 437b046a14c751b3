import { createSprintState, type SprintState } from '../../machines/project-state.ts';
import { summaryRows } from '../../tui/text/summary-rows.ts';
import { describeSprint, type SprintView } from '../../views/sprints/describe-sprint.ts';
import { progressText } from '../../views/sprints/progress.ts';
import { summarise, WorkMeter, type SprintSummary } from '../../views/sprints/sprint-summary.ts';
import { isRunByLog, sprintWord } from '../../views/sprints/standing.ts';
import { uncommittedChanges } from '../../workflow/commit/uncommitted-changes.ts';
import { historyOf } from '../../workflow/history/history-of.ts';
import type { Until } from '../../workflow/history/until.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import { colourOfState } from '../text/colours.ts';
import { lineWidth } from '../text/paragraph.ts';

const INDENT = '  ';

/** Prints what a sprint took until a moment: what its screen shows at its end. */
export async function printSummary(
  cli: Cli,
  project: Project,
  {
    stream,
    until,
    json,
  }: { readonly stream: string; readonly until: Until | undefined; readonly json: boolean },
): Promise<void> {
  const { sprint, summary } = await summaryUntil(project, stream, until);
  if (json) return cli.printJson({ sprint: stream, ...summary });
  const view = describeSprint(sprint);
  const { tasks } = view;
  const word = sprintWord(view, isRunByLog(view));
  const progress = tasks.length === 0 ? '' : `, ${progressText(tasks)}`;
  cli.print(`${cli.style('bold', stream)}: ${cli.style(colourOfState(word), word)}${progress}`);
  printRows(cli, view, summary);
}

/** Prints the same of now, without how it stands. */
export async function printSummaryRows(cli: Cli, project: Project, stream: string): Promise<void> {
  const { sprint, summary } = await summaryUntil(project, stream, undefined);
  printRows(cli, describeSprint(sprint), summary);
}

async function summaryUntil(
  project: Project,
  stream: string,
  until: Until | undefined,
): Promise<{ readonly sprint: SprintState; readonly summary: SprintSummary }> {
  const meter = new WorkMeter();
  let sprint = createSprintState(stream);
  for await (const { event, state } of historyOf(project, stream, until)) {
    meter.take([event]);
    sprint = state.streams.get(stream) ?? sprint;
  }
  // What files had in them then, no log has.
  const isNow = until === undefined && meter.commits.commits === 0;
  const uncommitted = isNow ? await uncommittedChanges(project, stream) : undefined;
  return { sprint, summary: summarise(sprint, meter, uncommitted) };
}

function printRows(cli: Cli, view: SprintView, summary: SprintSummary): void {
  const width = lineWidth(cli) - INDENT.length;
  for (const { text, head, color } of summaryRows(summary, { sprint: view, titles: new Map(), width })) {
    const first = text.slice(0, head);
    cli.print(text === '' ? '' : INDENT + (color ? cli.style(color, first) : first) + text.slice(head));
  }
}
