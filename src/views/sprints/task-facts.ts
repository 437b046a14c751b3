import { clockText } from '../../lib/time/clock-text.ts';
import { waitedText } from '../../lib/time/duration.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { attemptText } from './attempt-text.ts';
import type { TaskView } from './describe-sprint.ts';
import { doneFacts } from './done-facts.ts';
import { setAsideText } from '../requests/set-aside-text.ts';
import { IDLE, idleTexts, taskWord } from './standing.ts';
import { taskTime, waitedMsOf, workedMsOf } from './task-times.ts';
import { turnTexts } from './waits-turn.ts';
import { usageText } from './usage-text.ts';

/** Something to say of a task. Without a label it goes on with the one before it. */
export type TaskFact = {
  readonly label: string;
  readonly text: string;
  /** The same where there is no room for that. */
  readonly short?: string;
};

type FactsContext = {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly tasks: readonly TaskView[];
  readonly hasRunner: boolean;
  /** Nobody runs the sprint, and it waits in the queue for a worker. */
  readonly isQueued: boolean;
  /** The log says that an agent works on it, and there is no such process on this machine. */
  readonly isAgentGone: boolean;
};

/** How a task stands, what works on it and took how long, and what it has to do with the others. */
export function taskFacts(
  task: TaskView,
  { now, tasks, hasRunner, isQueued, isAgentGone }: FactsContext,
): TaskFact[] {
  const { attempt, usage, dependsOn, state, lastFailure, detail } = task;
  const word = taskWord(task, hasRunner);
  const since = (at: string | undefined) =>
    at === undefined ? '' : waitedText(Math.max(0, now - Date.parse(at)));
  const needed = tasks.filter((other) => other.dependsOn.includes(task.id)).map(({ id }) => id);
  const wordOf = (id: string) => {
    const other = tasks.find((each) => each.id === id);
    return other ? `${id} (${taskWord(other, hasRunner)})` : id;
  };
  const isAtWork = task.workingSince !== undefined && word !== IDLE && !isAgentGone;
  const hasFailedBefore = lastFailure !== undefined && state !== 'done';
  const waited = task.waitedMs > 0 ? timeText(waitedMsOf(task, now), task.blockedSince !== undefined) : '';
  const facts: (readonly [label: string, text: string, short?: string])[] = [
    [
      'State',
      [word, whyText(task, { word, now, since, isQueued, hasRunner })]
        .filter((part) => part !== '')
        .join(': '),
    ],
    ['Attempt', attempt === 0 ? '' : attemptFact(task)],
    ['Worked', timeText(isAtWork ? workedMsOf(task, now) : task.workedMs, isAtWork)],
    // Of the only wait, while it goes on, the state says it.
    ['Waited', waited === '' ? '' : `${waited} for humans`, waited],
    ['Agent', agentText(task, { word, isAgentGone })],
    ['Worker', task.worker ?? ''],
    ['Used', usageText(usage)],
    ['Needs', dependsOn.map(wordOf).join(', ')],
    ['Needed by', needed.join(', ')],
    ['Before', hasFailedBefore && detail !== 'retrying' ? lastFailure : ''],
    ...labelled('Work', doneFacts(task)),
    ...labelled(
      'Kept',
      (task.kept ?? []).map(({ ref, why }) => `${why}: git show ${ref}`),
    ),
    ['File', task.file],
  ];
  return facts
    .filter(([, text]) => text !== '')
    .map(([label, text, short]) => ({
      label,
      text: visibleLine(text),
      ...(short !== undefined && { short }),
    }));
}

function attemptFact(task: TaskView): string {
  const { failures, gaveUp } = task;
  return [
    attemptText(task),
    ...(failures > 0 ? [`${failures} failed`] : []),
    ...(gaveUp ? [gaveUp] : []),
  ].join(', ');
}

/** The first of them has the label of all. */
function labelled(label: string, texts: readonly string[]): (readonly [string, string])[] {
  return texts.map((text, at) => [at === 0 ? label : '', text]);
}

type Since = (at: string | undefined) => string;

/** Why it does not go on, or how it ended. */
function whyText(
  task: TaskView,
  {
    word,
    now,
    since,
    isQueued,
    hasRunner,
  }: Pick<FactsContext, 'now' | 'isQueued' | 'hasRunner'> & { readonly word: string; readonly since: Since },
): string {
  const { waitsFor, limitedUntil, parkedSince, setAside, lastFailure, detail, blockedSince, byHandSince } =
    task;
  if (waitsFor.length > 0) return `waits for ${waitsFor.join(' and ')}`;
  const [turn] = turnTexts(task, hasRunner);
  if (turn !== undefined) return turn;
  if (setAside) return setAsideText(setAside);
  if (parkedSince !== undefined) return `parked for ${since(parkedSince)}, starts again with the answer`;
  if (blockedSince !== undefined)
    return `${blockedTexts[detail ?? ''] ?? 'waits for a human'}, ${since(blockedSince)}`;
  const limit = limitedUntil === undefined ? 0 : Date.parse(limitedUntil);
  if (limit > now) return `limited until ${clockText(limit, now)}`;
  if (word === IDLE) return idleTexts(isQueued)[0];
  if (task.state === 'active' && byHandSince !== undefined) return `worked on by hand, ${since(byHandSince)}`;
  return detail === 'failed' || detail === 'retrying' ? (lastFailure ?? '') : '';
}

const blockedTexts: Readonly<Record<string, string>> = {
  question: 'waits for an answer',
  approval: 'waits for a yes or no',
  prompt: 'waits at a prompt',
  conflict: 'its changes cannot be merged, a human is asked',
};

function agentText(
  { ran, agent, state }: TaskView,
  { word, isAgentGone }: { readonly word: string; readonly isAgentGone: boolean },
): string {
  if (!ran) return '';
  const named = [ran.name, ...(ran.model === undefined ? [] : [ran.model])].join(', ');
  if (isAgentGone && state !== 'done') return `${named} is gone`;
  const isAtWork = agent !== undefined && state !== 'done' && word !== IDLE;
  return isAtWork ? `${named}, pid ${agent.pid}` : named;
}

function timeText(ms: number, goesOn: boolean): string {
  return ms === 0 ? '' : taskTime(ms, goesOn);
}
