import type { StoredEvent } from '../../events/envelope.ts';
import { streamOf, taskOf } from '../../events/envelope.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import { nameOf } from '../../machines/words.ts';
import { cellsOf, fill, fit } from '../../tui/cells.ts';
import type { Cli, Style } from '../cli.ts';
import { clockTime } from './duration.ts';
import { eventText } from './event-text.ts';
import { oneLine } from './visible.ts';

/** Where a sprint, and the task an event is about, stand after it. */
export type StateAfter = { readonly sprint: string; readonly task: string | undefined };

/** Reads the state an event led to. */
export function stateAfter(state: ProjectState, { subject }: StoredEvent): StateAfter {
  const sprint = state.streams.get(streamOf(subject));
  const task = sprint?.tasks.get(taskOf(subject) ?? '');
  return {
    sprint: sprint?.manifest === undefined ? '-' : nameOf(sprint.machine.value),
    task: task && nameOf(task.machine.value),
  };
}

const TYPE_COLUMNS = 'changelog.updated'.length;
/** Narrower than this, what happened is not cut: the terminal wraps it. */
const LEAST_TEXT_COLUMNS = 16;

/**
 * An event and the state after it, on one line: version, time, task, type, states, what it says.
 *
 * @param columns - Cut to this width; `undefined` for the whole text, e.g. in a file.
 */
export function historyLine(
  event: StoredEvent,
  after: StateAfter,
  { style, taskColumns, columns }: Pick<Cli, 'style'> & { taskColumns: number; columns: number | undefined },
): string {
  const task = oneLine(taskOf(event.subject) ?? '');
  const states = after.task === undefined ? after.sprint : `${after.task} (sprint ${after.sprint})`;
  const head = [
    style('dim', String(event.streamversion).padStart(4)),
    style('dim', clockTime(event.time)),
    style('bold', fill(task, taskColumns)),
    style(colourOfType(event.type), event.type.padEnd(TYPE_COLUMNS)),
    style(colourOfState(after.task ?? after.sprint), `→ ${states}`),
  ];
  const taken = 4 + 8 + taskColumns + TYPE_COLUMNS + cellsOf(states) + 2 + head.length;
  const text = eventText(event);
  const room = columns === undefined ? Infinity : Math.max(columns - taken, LEAST_TEXT_COLUMNS);
  return `${head.join(' ')} ${fit(text, room)}`.trimEnd();
}

/** An event as it happens, on one line: time, task, type, what it says. Nothing is cut. */
export function liveLine(event: StoredEvent, { style }: Pick<Cli, 'style'>): string {
  const type = style(colourOfType(event.type), event.type);
  const head = `${style('dim', clockTime(event.time))} ${style('bold', oneLine(event.subject))} ${type}`;
  return `${head} ${eventText(event)}`.trimEnd();
}

/** The colour of a state's word. The word itself always stands beside it. */
export function colourOfState(name: string): Style {
  if (name === 'done.failed') return 'red';
  const [word] = name.split('.', 1);
  return word === 'done' ? 'green' : word === 'blocked' ? 'yellow' : word === 'active' ? 'cyan' : 'dim';
}

function colourOfType(type: StoredEvent['type']): Style {
  if (/\.(failed|rejected|denied|lost|stalled)$/.test(type)) return 'red';
  if (type.startsWith('help.') || type === 'task.blocked') return 'yellow';
  return type.startsWith('tool.') || type.startsWith('agent.') ? 'dim' : 'cyan';
}
