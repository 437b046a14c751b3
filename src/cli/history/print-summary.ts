import { createSprintState } from '../../machines/project-state.ts';
import { summaryRows } from '../../tui/text/summary-rows.ts';
import { describeSprint } from '../../views/describe-sprint.ts';
import { progressText } from '../../views/progress.ts';
import { summarise, WorkMeter } from '../../views/sprint-summary.ts';
import { isRunByLog, sprintWord } from '../../views/standing.ts';
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
  const meter = new WorkMeter();
  let sprint = createSprintState(stream);
  for await (const { event, state } of historyOf(project, stream, until)) {
    meter.take([event]);
    sprint = state.streams.get(stream) ?? sprint;
  }
  // What files had in them then, no log has.
  const isNow = until === undefined && meter.commits.commits === 0;
  const summary = summarise(sprint, meter, isNow ? await uncommittedChanges(project, stream) : undefined);
  if (json) return cli.printJson({ sprint: stream, ...summary });
  const view = describeSprint(sprint);
  const { tasks } = view;
  const word = sprintWord(view, isRunByLog(view));
  const progress = tasks.length === 0 ? '' : `, ${progressText(tasks)}`;
  cli.print(`${cli.style('bold', stream)}: ${cli.style(colourOfState(word), word)}${progress}`);
  const width = lineWidth(cli) - INDENT.length;
  for (const { text, head, color } of summaryRows(summary, { sprint: view, titles: new Map(), width })) {
    const first = text.slice(0, head);
    cli.print(text === '' ? '' : INDENT + (color ? cli.style(color, first) : first) + text.slice(head));
  }
}
