import type { SprintState } from '../../machines/project-state.ts';
import { nameOf } from '../../machines/status-words.ts';
import type { Project } from '../../workflow/project/project.ts';
import { cellsOf } from '../../lib/text/cells.ts';
import type { Cli } from '../cli.ts';
import { historyOf, type Until } from './history.ts';
import { calendarDay } from '../../lib/time/clock-text.ts';
import { historyHeading, historyLine, stateAfter, type HistoryLayout } from '../text/history-line.ts';
import { oneLine } from '../../lib/text/visible.ts';

/** Wider task ids are cut. */
const MAX_TASK_COLUMNS = 20;

/** Prints a stream's history for people: a line per event with the state after it, a heading per day. */
export async function printHistory(cli: Cli, project: Project, stream: string, until?: Until): Promise<void> {
  const sprint = project.state.streams.get(stream);
  const layout: HistoryLayout = {
    // Some pseudo terminals say that they are 0 columns wide.
    columns: (cli.stdout.isTTY && cli.stdout.columns) || undefined,
    taskColumns: columnsForTasks(sprint),
  };
  let day = '';
  for await (const { event, state } of historyOf(project, stream, until)) {
    if (cli.hasLostReader()) return;
    const today = calendarDay(event.time);
    if (today !== day)
      cli.print(`${cli.style('bold', `${stream}, ${today}`)}\n${cli.style('dim', historyHeading(layout))}`);
    day = today;
    cli.print(historyLine(event, stateAfter(state, event), { ...layout, style: cli.style }));
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
    if (cli.hasLostReader()) return;
    cli.print(JSON.stringify({ event, state: statesOf(state.streams.get(stream)) }));
  }
}

function statesOf(sprint: SprintState | undefined): object {
  if (!sprint) return { sprint: null, tasks: {}, open: [] };
  return {
    sprint: sprint.manifest === undefined ? null : nameOf(sprint.machine.value),
    tasks: Object.fromEntries(
      [...sprint.tasks.values()].map(({ id, machine }) => [id, nameOf(machine.value)]),
    ),
    open: [...sprint.requests.values()].filter(({ phase }) => phase === 'open').map(({ id }) => id),
  };
}

function columnsForTasks(sprint: SprintState | undefined): number {
  const widths = [...(sprint?.tasks.keys() ?? [])].map((id) => cellsOf(oneLine(id)));
  return widths.length === 0 ? 0 : Math.min(MAX_TASK_COLUMNS, Math.max('task'.length, ...widths));
}
