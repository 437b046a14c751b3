import type { SprintState } from '../../machines/project-state.ts';
import { nameOf } from '../../machines/status-words.ts';
import type { Project } from '../../workflow/project/project.ts';
import { cellsOf } from '../../lib/text/cells.ts';
import type { Cli } from '../cli.ts';
import { historyOf } from '../../workflow/history/history-of.ts';
import type { Until } from '../../workflow/history/until.ts';
import { calendarDay } from '../../lib/time/clock-text.ts';
import { historyHeading, historyLine, stateAfter, type HistoryLayout } from '../text/history-line.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { askedIn } from '../../views/sprints/task-about.ts';

/** Wider task ids are cut on a terminal, and sooner where the states would not fit beside them. */
const MAX_TASK_COLUMNS = 20;
const LEAST_TASK_COLUMNS = 'task'.length;

/** Prints a stream's history for people: a line per event with the state after it, a heading per day. */
export async function printHistory(cli: Cli, project: Project, stream: string, until?: Until): Promise<void> {
  const sprint = project.state.streams.get(stream);
  // Some pseudo terminals say that they are 0 columns wide.
  const columns = (cli.stdout.isTTY && cli.stdout.columns) || undefined;
  const layout: HistoryLayout = { columns, taskColumns: columnsForTasks(sprint, columns) };
  let day = '';
  for await (const { event, state } of historyOf(project, stream, until)) {
    if (cli.lostReader.aborted) return;
    const today = calendarDay(event.time);
    if (today !== day)
      cli.print(`${cli.style('bold', `${stream}, ${today}`)}\n${cli.style('dim', historyHeading(layout))}`);
    day = today;
    const look = { ...layout, style: cli.style, asked: askedIn(state, event) };
    cli.print(historyLine(event, stateAfter(state, event), look));
  }
}

/** Prints a history for programs: one JSON object per line, the event and every state after it. */
export async function printHistoryJson(
  cli: Cli,
  project: Project,
  stream: string,
  until?: Until,
): Promise<void> {
  for await (const { event, state } of historyOf(project, stream, until)) {
    if (cli.lostReader.aborted) return;
    cli.print(JSON.stringify({ event, state: statesOf(state.streams.get(stream)) }));
  }
}

function statesOf(sprint: SprintState | undefined): object {
  if (!sprint) return { sprint: null, tasks: {}, open: [] };
  return {
    sprint: sprint.manifest === undefined ? null : nameOf(sprint.machine.value),
    ...(sprint.runner?.left ? { left: sprint.runner.left } : {}),
    tasks: Object.fromEntries(
      [...sprint.tasks.values()].map(({ id, machine }) => [id, nameOf(machine.value)]),
    ),
    open: [...sprint.requests.values()].filter(({ phase }) => phase === 'open').map(({ id }) => id),
  };
}

function columnsForTasks(sprint: SprintState | undefined, columns: number | undefined): number {
  const widths = [...(sprint?.tasks.keys() ?? [])].map((id) => cellsOf(visibleLine(id)));
  if (widths.length === 0) return 0;
  const widest = Math.max(LEAST_TASK_COLUMNS, ...widths);
  if (columns === undefined) return widest;
  const others = cellsOf(historyHeading({ taskColumns: 1, columns })) - 1;
  return Math.max(LEAST_TASK_COLUMNS, Math.min(widest, MAX_TASK_COLUMNS, columns - others));
}
