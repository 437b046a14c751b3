import { eventTypes } from '../../events/catalog.ts';
import { type StoredEvent, streamOf, taskOf } from '../../events/envelope.ts';
import type { ProjectState, SprintState } from '../../machines/project-state.ts';
import { nameOf, wordOf } from '../../machines/status-words.ts';
import { cellsOf, fill, fit } from '../../lib/text/cells.ts';
import type { Cli } from '../cli.ts';
import { colourOfState, colourOfType } from './colours.ts';
import { clockTime } from '../../lib/time/clock-text.ts';
import { eventText } from '../../views/events/event-text.ts';
import { IDLE } from '../../views/sprints/standing.ts';
import type { Asked } from '../../views/sprints/task-about.ts';
import { visibleLine } from '../../lib/text/visible.ts';

/** Where a sprint, and the task an event is about, stand after it. */
export type StateAfter = { readonly sprint: string; readonly task: string | undefined };

/** Reads the state an event led to. */
export function stateAfter(state: ProjectState, { subject }: StoredEvent): StateAfter {
  const sprint = state.streams.get(streamOf(subject));
  const task = sprint?.tasks.get(taskOf(subject) ?? '');
  return {
    sprint: sprint?.manifest === undefined ? '-' : sprintAfter(sprint),
    task: task && nameOf(task.machine.value),
  };
}

/** Its state; where its runner has left it and nobody works by hand, that it is idle, as other faces say it. */
function sprintAfter(sprint: SprintState): string {
  const name = nameOf(sprint.machine.value);
  if (sprint.runner?.left === undefined || name !== 'active.running') return name;
  const isByHand = [...sprint.tasks.values()].some(
    ({ machine: { value, context } }) => context.byHand && wordOf(value) === 'active',
  );
  return isByHand ? name : IDLE;
}

/** The widths a history is printed with. */
export type HistoryLayout = {
  /** Of the longest task id. */
  readonly taskColumns: number;
  /** Of the terminal; `undefined` in a file, where nothing is cut. */
  readonly columns: number | undefined;
};

/** What was asked in the sprint of an event, and colours. */
type HistoryLook = Pick<Cli, 'style'> & { readonly asked: Asked | undefined };

const VERSION_COLUMNS = 4;
const TIME_COLUMNS = 8;
const TYPE_COLUMNS = Math.max(...eventTypes.map(({ length }) => length));
const TASK_STATE_COLUMNS = 'blocked.question'.length;
const SPRINT_STATE_COLUMNS = 'active.running'.length;
/** With less room than this beside the states, what an event says gets a line of its own. */
const LEAST_TEXT_COLUMNS = 40;

/** The heading above {@link historyLine}s. */
export function historyHeading({ taskColumns }: HistoryLayout): string {
  const cells = [
    ' '.repeat(VERSION_COLUMNS),
    fill('time', TIME_COLUMNS),
    ...(taskColumns > 0 ? [fill('task', taskColumns)] : []),
    fill('event', TYPE_COLUMNS),
    ...(taskColumns > 0 ? [fill('task is then', TASK_STATE_COLUMNS)] : []),
    'sprint is then',
  ];
  return cells.join(' ');
}

/** An event with the state after it: version, time, task, type, both states, and what it says. */
export function historyLine(
  event: StoredEvent,
  after: StateAfter,
  { taskColumns, columns, asked, style }: HistoryLayout & HistoryLook,
): string {
  const state = (name: string, width: number) => style(colourOfState(name), fill(name, width));
  const cells = [
    style('dim', String(event.streamversion).padStart(VERSION_COLUMNS)),
    style('dim', clockTime(event.time)),
    ...(taskColumns > 0 ? [style('bold', fill(visibleLine(taskOf(event.subject) ?? ''), taskColumns))] : []),
    style(colourOfType(event.type), fill(event.type, TYPE_COLUMNS)),
    ...(taskColumns > 0 ? [state(after.task ?? '', TASK_STATE_COLUMNS)] : []),
    state(after.sprint, SPRINT_STATE_COLUMNS),
  ];
  const taken = cellsOf(historyHeading({ taskColumns, columns }));
  const text = eventText(event, asked);
  if (columns === undefined) return `${cells.join(' ')} ${text}`.trimEnd();
  const room = columns - taken - 1;
  if (room >= LEAST_TEXT_COLUMNS) return `${cells.join(' ')} ${fit(text, room)}`.trimEnd();
  const indent = VERSION_COLUMNS + 1;
  return `${cells.join(' ')}\n${' '.repeat(indent)}${fit(text, columns - indent)}`.trimEnd();
}
