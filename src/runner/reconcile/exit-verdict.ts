import { backoffMs } from '../../lib/time/backoff.ts';
import type { EndReason } from '../../events/end-reason.ts';
import { subjectOf } from '../../events/envelope.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import { isAgentsEnd, isFilesEnd } from '../../machines/humans-word.ts';
import { nameOf, wordOf } from '../../machines/status-words.ts';
import { isUndelivered } from '../../workflow/task/current-task.ts';
import type { ProgramExit } from '../../lib/processes/start-group.ts';
import { mcpText, silentReport, type AgentReport } from '../output/agent-report.ts';
import { quotedWords } from '../output/quote-words.ts';
import { ownTool } from '../../workflow/project/own-tools.ts';

/** An attempt that has ended. */
export type EndedAttempt = {
  readonly runId: string;
  readonly taskId: string;
  /** Why this runner ended it, if it did. */
  readonly endReason: EndReason | undefined;
  /** It was to go on with a session, by an agent that connects to Clifford. */
  readonly wasResumed: boolean;
  /** Its exit code says that the task is done: what verifies it decides. */
  readonly isDone?: boolean;
  /** It ended as if its task were done, and may not know how to say so: Clifford gave it no tools. */
  readonly isWordless?: boolean;
  /** Another attempt would fail as well, e.g. because the key of the agent is wrong. */
  readonly isHopeless?: boolean;
  /** Why it counts as failed, if it does. */
  readonly reason: string;
  /** The same, where it should have connected to Clifford, and did not. */
  readonly reasonIfUnconnected?: string | undefined;
};

/**
 * What the end of an agent means for its task: nothing if the task is done or waits for an answer,
 * if a question of the attempt was answered and the agent left without it, if the attempt is not the
 * task's any more, if its exit code completes the task once that is verified, or if we stopped it; else the attempt
 * has failed.
 *
 * @param retryDelayMs - The delay before the second attempt; it doubles with every failure.
 */
export function exitVerdict(sprint: SprintState, attempt: EndedAttempt, retryDelayMs: number): Candidate[] {
  const { runId, taskId, endReason, wasResumed } = attempt;
  const task = sprint.tasks.get(taskId);
  if (!task || countsForNothing(endReason) || wordOf(task.machine.value) !== 'active') return [];
  const { context } = task.machine;
  if (context.runId !== runId || wordOf(sprint.machine.value) === 'done') return [];
  // The session is of no use any more: the next attempt begins a new one, and counts.
  const isUnconnected = task.agent?.runId === runId && task.agent.connectedAt === undefined;
  if (wasResumed && isUnconnected) return [];
  if (attempt.isDone || leftWithoutAnswer(sprint, { taskId, runId })) return [];
  const reason = (isUnconnected ? attempt.reasonIfUnconnected : undefined) ?? attempt.reason;
  return [failedAttempt(sprint, task, { ...attempt, reason }, retryDelayMs)];
}

/** What a failed attempt means for its task: another one while there are any left, and one may help. */
function failedAttempt(
  sprint: SprintState,
  { id, machine: { context } }: TaskState,
  { reason, isHopeless = false }: Pick<EndedAttempt, 'reason' | 'isHopeless'>,
  retryDelayMs: number,
): Candidate {
  const subject = subjectOf(sprint.id, id);
  if (isHopeless || context.failures + 1 >= context.maxAttempts)
    return { type: 'task.failed', subject, data: { reason } };
  const delayMs = retryDelay(retryDelayMs, context.failures);
  return { type: 'task.retried', subject, data: { attempt: context.attempt + 1, delayMs, reason } };
}

/**
 * Whether the agent of this task's last attempt has said by its exit code that the task is done, and nobody has
 * said yet whether that is so.
 */
export function isDoneUnverified(sprint: SprintState, task: TaskState): boolean {
  const { machine, agent, isDoneByExit } = task;
  if (!isDoneByExit || nameOf(machine.value) !== 'active.starting' || wordOf(sprint.machine.value) === 'done')
    return false;
  const { runId, attempt, byHand } = machine.context;
  if (runId !== null || byHand || agent?.attempt !== attempt) return false;
  const { end } = agent;
  if (!end || !('code' in end) || !hasEndedWell(end, end.reason)) return false;
  return !leftWithoutAnswer(sprint, { taskId: task.id, runId: agent.runId });
}

/** It ended by itself with code 0, or its turn did. */
export function hasEndedWell({ code }: Pick<ProgramExit, 'code'>, reason: EndReason | undefined): boolean {
  return reason === undefined ? code === 0 : reason === 'turned';
}

/**
 * What the end of a verification means for a task whose agent has exited with code 0; nothing if somebody else has
 * decided meanwhile.
 *
 * @param problem - Why it does not count as done; `undefined`: it does.
 * @param by - The runner.
 */
export function verificationVerdict(
  sprint: SprintState,
  taskId: string,
  { problem, by, retryDelayMs }: { problem: string | undefined; by: string; retryDelayMs: number },
): Candidate[] {
  const task = sprint.tasks.get(taskId);
  if (!task || !isDoneUnverified(sprint, task)) return [];
  if (problem !== undefined) return [failedAttempt(sprint, task, { reason: problem }, retryDelayMs)];
  return [{ type: 'task.completed', subject: subjectOf(sprint.id, taskId), data: { by } }];
}

/** Ended for a reason that is not its own: it may go on later. */
function countsForNothing(reason: EndReason | undefined): boolean {
  return reason !== undefined && ['stopped', 'finished', 'limited', 'overspent'].includes(reason);
}

/**
 * The agent asked, or waited for what an earlier one asked, and was gone before the answer could reach it:
 * a moment earlier it would have left a task that waits. The next attempt gets the answer, and counts. What an agent
 * has answered excuses none: it would have as many attempts as it likes. Who writes a file is not known: what was answered by one
 * excuses as many attempts as the task has. What the agent of another task asked of the sprint as a whole is none of those.
 */
function leftWithoutAnswer(
  { requests, tasks }: SprintState,
  { taskId, runId }: Pick<EndedAttempt, 'taskId' | 'runId'>,
): boolean {
  const ofTask = [...requests.values()].filter((request) => [undefined, taskId].includes(request.taskId));
  const ofOthers = runsOfOthers(tasks, taskId);
  const byFile = ofTask.filter(
    (request) =>
      isFilesEnd(request) && (request.taskId === taskId || !ofOthers.has(request.asked.origin.agent)),
  );
  const tooMany = new Set(byFile.slice(tasks.get(taskId)?.machine.context.maxAttempts));
  return ofTask.some(
    (request) =>
      isUndelivered(request) &&
      !isAgentsEnd(request) &&
      !tooMany.has(request) &&
      (request.asked.origin.runId === runId ||
        request.waiting.has(runId) ||
        request.detached.includes(runId)),
  );
}

/** The runs of other tasks, as far as the state still has them: each one's last, and those whose session can be gone on with. */
function runsOfOthers(tasks: SprintState['tasks'], taskId: string): ReadonlySet<string> {
  const others = [...tasks.values()].filter(({ id }) => id !== taskId);
  const runs = others.flatMap(({ agent, machine, sessions }) => [
    machine.context.runId,
    agent?.runId,
    ...sessions.map(({ runId }) => runId),
  ]);
  return new Set(runs.filter((run) => typeof run === 'string'));
}

/** Longest delay between two attempts, in ms. */
export const MAX_DELAY_MS = 60_000;

/** How long to wait before the next attempt, in ms: it doubles each time. */
export function retryDelay(firstMs: number, failures: number): number {
  return Math.round(backoffMs({ firstMs, longestMs: MAX_DELAY_MS }, failures));
}

/** By itself an exit code completes nothing. */
const WITHOUT_WORD = 'the agent ended without completing the task';

/** What somebody can do about that. Longer than a reason should be, which stands wherever its task does. */
export const HOW_TO_COMPLETE =
  `an agent completes a task with ${ownTool.updateTaskStatus} or clifford task done, ` +
  'or its exit code counts with "done": "exit-0" in clifford.json';

/** What an agent did wrong that was ended for it. */
const failureOf: Readonly<Record<EndReason, string>> = {
  finished: 'the agent did not exit after its task was done',
  stopped: 'the agent was stopped',
  unconnected: 'the agent did not connect to Clifford',
  stalled: 'the agent was unresponsive',
  hung: 'the agent ended its turn without completing the task, and did not exit',
  turned: WITHOUT_WORD,
  overtime: 'the agent exceeded the time limit of an attempt',
  limited: 'the agent hit the usage limit of its provider',
  overspent: 'the agent used up a budget',
  unasked: 'the agent did without asking what the policy does not allow',
  parked: 'the agent was parked',
};

/** What is known of the end of an agent beside its exit. */
type LastSeen = {
  readonly endReason: EndReason | undefined;
  /** The reason in words, where there is more to say. */
  readonly detail?: string | undefined;
  readonly report?: AgentReport;
  /** It should have connected to Clifford, and did not. */
  readonly isUnconnected?: boolean;
  /** The end of its stderr. */
  readonly lastWords: string;
};

/** Why an attempt counts as failed: how its agent ended and what it said last. */
export function failureReason(
  exit: ProgramExit,
  { endReason, detail, report = silentReport, isUnconnected = false, lastWords }: LastSeen,
): string {
  const how =
    endReason === undefined ? exitText(exit, isUnconnected) : (detail ?? endText(endReason, isUnconnected));
  const mcp = isUnconnected || endReason === 'unconnected' ? mcpText(report) : '';
  const { limit, error } = report;
  const said = [mcp, endReason === 'limited' ? (limit?.message ?? '') : errorText(error)];
  // Who has ended well and said what went wrong has said nothing of it on stderr.
  const rest = error && !isUnconnected && hasEndedWell(exit, endReason) ? '' : lastWords;
  const words = [...said.map(quotedWords), rest].filter((text) => text !== '').join(' | ');
  return words === '' ? how : `${how}: ${words}`;
}

/** Whatever ended an agent whose turn was over is no failure of its own. */
function endText(reason: EndReason, isUnconnected: boolean): string {
  return reason === 'turned' && isUnconnected ? endedText(isUnconnected) : failureOf[reason];
}

function exitText({ code, signal }: ProgramExit, isUnconnected: boolean): string {
  const before = isUnconnected ? ' before it connected to Clifford' : '';
  if (signal !== null) return `the agent was ended by ${signal}${before}`;
  if (code !== 0) return `the agent exited with code ${code}${before}`;
  return endedText(isUnconnected);
}

function endedText(isUnconnected: boolean): string {
  return isUnconnected ? 'the agent ended before it connected to Clifford' : WITHOUT_WORD;
}

function errorText(error: AgentReport['error']): string {
  if (!error) return '';
  return error.class === 'auth' ? `its provider rejected its credentials: ${error.message}` : error.message;
}
