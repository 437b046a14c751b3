import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import type { RequestView } from '../../views/requests/describe-request.ts';
import type { LimitView, TaskView } from '../../views/sprints/describe-sprint.ts';
import { cellsOf } from '../../lib/text/cells.ts';
import { attemptText } from '../../views/sprints/attempt-text.ts';
import { requestTitle } from '../../views/requests/request-title.ts';
import { setAsideText } from '../../views/requests/set-aside-text.ts';
import type { Cli } from '../cli.ts';
import type { SprintStatus, TaskStatus } from '../../views/sprints/sprint-status.ts';
import { plainWordOf } from '../../machines/status-words.ts';
import { doneFacts, doneRemarks } from '../../views/sprints/done-facts.ts';
import { waitedText } from '../../lib/time/duration.ts';
import { colourOfState } from './colours.ts';
import { clockText } from '../../lib/time/clock-text.ts';
import { progressText } from '../../views/sprints/progress.ts';
import { IDLE } from '../../views/sprints/standing.ts';
import { unfitTexts } from '../../views/sprints/unfit-texts.ts';
import { leftQueueText } from '../../views/sprints/left-queue-text.ts';
import { usageText } from '../../views/sprints/usage-text.ts';
import { runLine } from '../../views/sprints/run-line.ts';
import { isDeserted, isFinished } from '../../views/sprints/who-runs.ts';
import { turnTexts } from '../../views/sprints/waits-turn.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { unservedText } from '../queue/unserved.ts';
import { hanging, type Page } from './paragraph.ts';
import { foreignText } from './foreign.ts';
import { questionBlock } from './question-lines.ts';
import { requestName } from './short-id.ts';

type Look = Pick<Cli, 'style'> &
  Partial<Pick<Cli, 'called'>> &
  Page & {
    /** Milliseconds since 1970. */
    readonly now: number;
    /** Ids of all questions that are open, in whichever sprint. */
    readonly open: readonly string[];
    /** One of several: of a sprint whose tasks all went as they were meant to, the first line says it. */
    readonly isOneOfMany?: boolean;
    /** What sprints in the queue need for which no worker is there, by id. */
    readonly unserved?: ReadonlyMap<string, readonly string[]>;
    /** What is asked stands there in full, with how to answer it; else what it is called. */
    readonly hasQuestions?: boolean;
  };

/** How a task that is done ended, where it is not as it was meant to. */
const ends: Readonly<Record<string, string>> = { failed: '✗', skipped: '–', cancelled: '✗' };

const symbols = { pending: '○', active: '●', blocked: '■', done: '✔' } as const;

/** A sprint, its tasks and its open questions, for people. */
export function statusLines(sprint: SprintStatus, look: Look): string[] {
  return [
    headLine(sprint, look),
    ...[...endFacts(sprint), ...unfitTexts(sprint.unfit)].map((fact) => hanging(look, '  ', fact)),
    ...(look.isOneOfMany && isUneventful(sprint) ? [] : taskLines(sprint, look)),
    ...sprint.open.flatMap((request) => openLines(request, sprint, look)),
  ];
}

/** `web (A web page): active, 1 of 3 tasks done`. */
function headLine(sprint: SprintStatus, look: Look): string {
  const state = sprint.word;
  const id = look.style('bold', sprint.id);
  const progress = sprint.tasks.length === 0 ? '' : `, ${progressText(sprint.tasks)}`;
  const stands =
    sprint.id === ADHOC_STREAM
      ? 'questions outside of any sprint'
      : look.style(colourOfState(state), state) + progress + runnerText(sprint, look);
  if (sprint.name === sprint.id) return hanging(look, `${id}: `, stands, 2);
  return hanging(look, `${id} `, `(${visibleLine(sprint.name)}): ${stands}`, 2);
}

/** Why a sprint is over, where its tasks do not say it. */
function endFacts({ detail, lastFailure, setAside, tasks }: SprintStatus): string[] {
  if (detail === 'cancelled' && setAside) return [setAsideText(setAside)];
  const isToldBelow = tasks.some((task) => task.detail === 'failed');
  return detail === 'failed' && lastFailure !== undefined && !isToldBelow ? [visibleLine(lastFailure)] : [];
}

/** Every task of it is done, and nothing is left to look at. */
function isUneventful(sprint: SprintStatus): boolean {
  const isDone = ({ state, detail }: Pick<TaskView, 'state' | 'detail'>) =>
    plainWordOf(state, detail) === 'done';
  return isDone(sprint) && sprint.tasks.every((task) => isDone(task) && doneRemarks(task).length === 0);
}

/** Who runs a sprint elsewhere; that nobody runs one that is not over, and why, as far as the log says. */
function runnerText(sprint: SprintStatus, { style, now, called = 'clifford', unserved }: Look): string {
  const { id, left, leftQueue, queuedAt, detail, runOptions, hasRunner, runElsewhere } = sprint;
  const run = runLine(id, runOptions, called);
  // Word by word: a line is broken between words, and one colour is within one line.
  const yellow = (text: string) => text.replaceAll(/\S+/g, (word) => style('yellow', word));
  if (leftQueue && !hasRunner)
    return `, ${yellow('left the queue')} at ${clockText(Date.parse(leftQueue.at), now)} (${leftQueueText(leftQueue)}): ${called} queue add ${id}`;
  const resume = detail === 'paused' ? `${called} resume ${id}` : undefined;
  if (runElsewhere !== undefined)
    return `, run on another machine, or in another folder (${visibleLine(runElsewhere)}; if that is lost: ${called} stop ${id})${resume === undefined ? '' : `: ${resume}`}`;
  if (queuedAt !== undefined && !hasRunner) {
    const needs = unserved?.get(id);
    const lacking = needs ? `, ${yellow(unservedText(needs))}` : '';
    return `, ${yellow('waits in the queue for a worker')} since ${clockText(Date.parse(queuedAt), now)}${lacking}${resume === undefined ? '' : `: ${resume}`}`;
  }
  if (!isDeserted(sprint) && isFinished(sprint)) return `, nothing is left to do: ${run}`;
  if (!isDeserted(sprint)) return resume === undefined ? '' : `: ${resume}`;
  const why = left ? ` (it left at ${clockText(Date.parse(left.at), now)}: ${visibleLine(left.reason)})` : '';
  return `, ${yellow('no runner at work')}${why}: ${resume === undefined ? '' : `${resume}, then `}${run}`;
}

/** How long an agent may not be started, whichever task is its next, for people. */
export function limitLine({ agent, until }: LimitView, now: number): string {
  return `usage limit of ${visibleLine(agent)} until ${clockText(Date.parse(until), now)}`;
}

/** The state of a task, and the sign for it: the same one on the screen. */
function stateMark({ state, detail }: Pick<TaskView, 'state' | 'detail'>): {
  state: string;
  mark: string;
} {
  const mark = state === 'done' ? (ends[detail ?? ''] ?? symbols.done) : symbols[state];
  return { state: plainWordOf(state, detail), mark };
}

/** The tasks of a sprint, their states aligned. */
function taskLines({ tasks, hasRunner }: SprintStatus, look: Look): string[] {
  const columns = Math.max(0, ...tasks.map(({ id }) => cellsOf(visibleLine(id))));
  return tasks.map((task) => {
    const state = task.word;
    const mark = state === IDLE ? symbols.pending : stateMark(task).mark;
    const id = visibleLine(task.id);
    const named = `${mark} ${id}${' '.repeat(columns - cellsOf(id))}  ${state}`;
    const facts = [
      ...agentFact(task, hasRunner, look),
      ...taskFacts(task, look),
      ...waitFact(task, hasRunner),
    ].join(', ');
    return hanging(look, `  ${look.style(colourOfState(state), named)}  `, facts, 6).trimEnd();
  });
}

function taskFacts(task: TaskStatus, { now }: Look): string[] {
  return [
    ...byHandFact(task, now),
    ...(task.blockedSince === undefined
      ? []
      : [`waiting for an answer for ${sinceText(task.blockedSince, now)}`]),
    ...parkedFact(task, now),
    ...limitFact(task, now),
    ...usageFact(task),
    ...(task.setAside ? [setAsideText(task.setAside)] : []),
    ...doneFacts(task),
    // It may be long: what is short stands before it.
    ...failureFact(task),
  ];
}

function agentFact(task: TaskStatus, hasRunner: boolean, { now }: Look): string[] {
  const { agent, isAgentGone, attempt, worker } = task;
  const at = worker === undefined ? [] : [`worker ${visibleLine(worker)}`];
  const which = [...at, ...(attempt > 1 ? [`attempt ${attemptText(task)}`] : [])];
  if (!agent) return which;
  const atWork = `for ${sinceText(agent.startedAt, now)}${hasRunner ? '' : ' without a runner'}`;
  return [...which, `agent pid ${agent.pid} ${isAgentGone ? 'is gone' : atWork}`];
}

function byHandFact({ state, byHandSince }: TaskView, now: number): string[] {
  if (state !== 'active' || byHandSince === undefined) return [];
  return [`worked on by hand for ${sinceText(byHandSince, now)}`];
}

/** That no process waits, and what starts one. */
function parkedFact({ parkedSince }: TaskView, now: number): string[] {
  if (parkedSince === undefined) return [];
  return [`parked since ${clockText(Date.parse(parkedSince), now)}, starts again with the answer`];
}

/** The tasks that keep one from being started, or the worker that it lacks. */
function waitFact(task: TaskView, hasRunner: boolean): string[] {
  const { waitsFor, needs } = task;
  if (needs) return [`waits for a worker with ${needs.join(', ')}`];
  const turn = turnTexts(task, hasRunner).slice(0, 1).map(visibleLine);
  if (turn.length > 0) return turn;
  return waitsFor.length === 0 ? [] : [`waits for ${waitsFor.map(visibleLine).join(' and ')}`];
}

/** How long ago an instant was, RFC 3339. */
function sinceText(at: string, now: number): string {
  return waitedText(now - Date.parse(at));
}

/** The last failure, where it still matters. A task that goes on says that it is one of before. */
function failureFact({ state, detail, lastFailure }: TaskView): string[] {
  if (lastFailure === undefined || (state === 'done' && detail !== 'failed')) return [];
  return [state === 'done' ? visibleLine(lastFailure) : `last attempt: ${visibleLine(lastFailure)}`];
}

function limitFact({ limitedUntil }: TaskView, now: number): string[] {
  if (limitedUntil === undefined || Date.parse(limitedUntil) <= now) return [];
  return [`usage limit until ${clockText(Date.parse(limitedUntil), now)}`];
}

function usageFact({ usage }: TaskView): string[] {
  const text = usageText(usage);
  return text === '' ? [] : [text];
}

function openLines(request: RequestView, { tasks }: SprintStatus, look: Look): string[] {
  const { style, open, hasQuestions = false } = look;
  const about = request.task === undefined ? '' : ` about ${visibleLine(request.task)}`;
  // Of one that is parked its task says so.
  const isParked = tasks.some(({ id, parkedSince }) => id === request.task && parkedSince !== undefined);
  const awaited = request.isAwaited || isParked ? '' : ', which no agent waits for now';
  const what = request.approval ? 'tool call' : 'question';
  const id = requestName(request, open);
  return [
    hanging(look, '  ', style('yellow', `? open ${what}${about}${awaited}`)),
    ...(hasQuestions ? questionBlock({ ...request, id }, look) : titleLines(request, id, look)),
  ];
}

function titleLines(request: RequestView, id: string, look: Look): string[] {
  const { style } = look;
  return [...foreignText(look, requestTitle(request)), style('dim', id)].map((line) => `    ${line}`);
}
