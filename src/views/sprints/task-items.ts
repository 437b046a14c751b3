import { visibleLine } from '../../lib/text/visible.ts';
import { clockText } from '../../lib/time/clock-text.ts';
import { waitedText } from '../../lib/time/duration.ts';
import { attemptText } from './attempt-text.ts';
import type { TaskView } from './describe-sprint.ts';
import { shortFailure } from './failure-text.ts';
import { setAsideText } from '../requests/set-aside-text.ts';
import { IDLE, idleTexts, taskWord } from './standing.ts';
import { taskTimeShort, waitedMsOf, workedMsOf } from './task-times.ts';
import { turnTexts } from './waits-turn.ts';
import { costText } from './usage-text.ts';

/** A task in a list, as text: every face draws the same. What there is nothing to say of is empty. */
export type TaskItem = {
  readonly id: string;
  /** The first heading of its file. */
  readonly title: string;
  /** `active`, `done`, … */
  readonly word: string;
  /** `2/3`: the second of three attempts. Empty for the first. */
  readonly attempt: string;
  /** The agent that is or was at it last. */
  readonly agent: string;
  readonly model: string;
  /** How long it has waited for humans, where it does, else how long agents have worked on it: see task-times.ts. */
  readonly time: string;
  /** It waits for a human. */
  readonly isWaiting: boolean;
  readonly cost: string;
  /** Why it does not go on, or how it ended, the fullest text first. */
  readonly notes: readonly string[];
};

/** What is known besides of the tasks. */
export type ItemsContext = {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** By the id of the task. */
  readonly titles: ReadonlyMap<string, string>;
  /** A runner is at work on the sprint. */
  readonly hasRunner: boolean;
  /** Nobody is, and it waits in the queue for a worker. */
  readonly isQueued: boolean;
};

/** A task as a list shows it. */
export function taskItem(task: TaskView, { now, titles, hasRunner, isQueued }: ItemsContext): TaskItem {
  const word = taskWord(task, hasRunner);
  return {
    id: visibleLine(task.id),
    title: visibleLine(titles.get(task.id) ?? ''),
    word,
    // Of a first one there is nothing to say.
    attempt: task.attempt > 1 ? attemptText(task) : '',
    agent: visibleLine(task.agent?.name ?? task.ran?.name ?? ''),
    model: visibleLine(task.ran?.model ?? ''),
    time: timeText(task, word, now),
    isWaiting: task.state === 'blocked',
    cost: costText(task.usage),
    notes: notesOf(task, { word, now, isQueued, hasRunner }).map(visibleLine),
  };
}

/** Whether what is said of a task changes with the time. */
export function isTimed({ state, limitedUntil, parkedSince }: TaskView): boolean {
  return state === 'active' || state === 'blocked' || limitedUntil !== undefined || parkedSince !== undefined;
}

function timeText(task: TaskView, word: string, now: number): string {
  const { state, blockedSince, byHandSince, workedMs, workingSince } = task;
  if (blockedSince !== undefined) return waitedText(waitedMsOf(task, now));
  if (state === 'active' && byHandSince !== undefined)
    return waitedText(Math.max(0, now - Date.parse(byHandSince)));
  if (word === IDLE || state === 'pending' || (workedMs === 0 && workingSince === undefined)) return '';
  return taskTimeShort(workedMsOf(task, now), workingSince !== undefined);
}

function notesOf(
  task: TaskView,
  { word, now, isQueued, hasRunner }: Omit<ItemsContext, 'titles'> & { readonly word: string },
): readonly string[] {
  const { waitsFor, limitedUntil, parkedSince, setAside, lastFailure, detail } = task;
  const [first, ...others] = waitsFor;
  if (first !== undefined) {
    const named = `waits for ${waitsFor.join(', ')}`;
    if (others.length === 0) return [named, `← ${first}`, 'waits'];
    const some = `${first} +${others.length}`;
    return [named, `waits for ${some}`, `← ${some}`, `waits for ${waitsFor.length}`, 'waits'];
  }
  const turn = turnTexts(task, hasRunner);
  if (turn.length > 0) return turn;
  if (setAside) return [...new Set([setAsideText(setAside), `by ${setAside.by}`])];
  if (parkedSince !== undefined) return [`parked ${waitedText(now - Date.parse(parkedSince))}`, 'parked'];
  const limit = limitedUntil === undefined ? 0 : Date.parse(limitedUntil);
  if (limit > now) {
    const until = clockText(limit, now);
    return [`limited until ${until}`, `until ${until}`];
  }
  if (word === IDLE) return idleTexts(isQueued);
  if (task.state === 'active' && task.byHandSince !== undefined) return ['by hand'];
  return (detail === 'failed' || detail === 'retrying') && lastFailure !== undefined
    ? [shortFailure(lastFailure)]
    : [];
}
