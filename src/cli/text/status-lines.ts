import { ADHOC_STREAM } from '../../events/field-schemas.ts';
import type { LimitView, RequestView, TaskView } from '../../views/describe-sprint.ts';
import { cellsOf } from '../../lib/text/cells.ts';
import type { Cli } from '../cli.ts';
import type { SprintStatus } from '../../views/sprint-status.ts';
import { doneFacts } from '../../views/done-facts.ts';
import { duration } from '../../lib/time/duration.ts';
import { colourOfState } from './colours.ts';
import { clockText } from '../../lib/time/clock-text.ts';
import { usageText } from '../../views/usage-text.ts';
import { oneLine } from '../../lib/text/visible.ts';
import { questionLines } from './question-lines.ts';

type Look = Pick<Cli, 'style'> & {
  /** Milliseconds since 1970. */
  readonly now: number;
};

const symbols = { pending: '○', active: '●', blocked: '■', done: '✔' } as const;

/** A sprint, its tasks and its open questions, for people. */
export function statusLines(sprint: SprintStatus, look: Look): string[] {
  const done = countDone(sprint.tasks);
  const state = isDeserted(sprint) && sprint.detail === 'running' ? sprint.word : stateName(sprint);
  const name = sprint.name === sprint.id ? '' : ` ${oneLine(sprint.name)}`;
  const progress = sprint.tasks.length === 0 ? '' : `, ${done} of ${sprint.tasks.length} tasks done`;
  const columns = Math.max(0, ...sprint.tasks.map(({ id }) => cellsOf(oneLine(id))));
  const stands =
    sprint.id === ADHOC_STREAM
      ? 'questions outside of any sprint'
      : look.style(colourOfState(state), state) + progress + runnerText(sprint, look);
  return [
    `${look.style('bold', sprint.id)}${name}: ${stands}`,
    ...(sprint.detail === 'failed' && sprint.lastFailure !== undefined
      ? [`  ${oneLine(sprint.lastFailure)}`]
      : []),
    ...sprint.tasks.map((task) => taskLine(task, columns, look)),
    ...sprint.open.flatMap((request) => openLines(request, look)),
  ];
}

/** It is under way, and nobody runs it. */
function isDeserted({ word, hasRunner }: SprintStatus): boolean {
  return !hasRunner && (word === 'active' || word === 'blocked');
}

/** That nobody runs a sprint that is not over, and why, as far as the log says. */
function runnerText(sprint: SprintStatus, { style, now }: Look): string {
  if (!isDeserted(sprint)) return '';
  const { id, left } = sprint;
  const why = left ? ` (it left at ${clockText(Date.parse(left.at), now)}: ${oneLine(left.reason)})` : '';
  return `, ${style('yellow', 'no runner at work')}${why}: clifford run ${id}`;
}

/** How long an agent may not be started, whichever task is its next, for people. */
export function limitLine({ agent, until }: LimitView, now: number): string {
  return `usage limit of ${oneLine(agent)} until ${clockText(Date.parse(until), now)}`;
}

/** How many tasks need no more work. One that failed does. */
export function countDone(tasks: readonly TaskView[]): number {
  return tasks.filter(({ word, detail }) => word === 'done' && detail !== 'failed').length;
}

function taskLine(task: TaskView, columns: number, { style, now }: Look): string {
  const state = stateName(task);
  const symbol = state === 'done.failed' ? '✗' : symbols[task.word];
  const id = oneLine(task.id);
  const facts = [
    ...(task.attempt > 1 ? [`attempt ${task.attempt}`] : []),
    ...(task.agent ? [`agent pid ${task.agent.pid}`] : []),
    ...(task.blockedSince === undefined
      ? []
      : [`waiting for ${duration(Math.max(0, now - Date.parse(task.blockedSince)))}`]),
    ...limitFact(task, now),
    ...usageFact(task),
    ...(task.lastFailure !== undefined && state !== 'done.completed' ? [oneLine(task.lastFailure)] : []),
    ...doneFacts(task),
  ];
  const mark = style(colourOfState(state), `${symbol} ${id}${' '.repeat(columns - cellsOf(id))}  ${state}`);
  return `  ${mark}${facts.length === 0 ? '' : `  ${facts.join(', ')}`}`;
}

function limitFact({ limitedUntil }: TaskView, now: number): string[] {
  if (limitedUntil === undefined || Date.parse(limitedUntil) <= now) return [];
  return [`usage limit until ${clockText(Date.parse(limitedUntil), now)}`];
}

function usageFact({ usage }: TaskView): string[] {
  const text = usageText(usage);
  return text === '' ? [] : [text];
}

function openLines(request: RequestView, { style }: Look): string[] {
  const about = request.task === undefined ? '' : ` about ${oneLine(request.task)}`;
  const awaited = request.isAwaited ? '' : ', which no agent waits for now';
  return [
    style('yellow', `  ? open question${about}${awaited}`),
    ...questionLines(request).map((line) => `    ${line}`),
  ];
}

function stateName({ word, detail }: { word: string; detail: string | undefined }): string {
  return detail === undefined ? word : `${word}.${detail}`;
}
