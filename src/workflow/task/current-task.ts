import type { RequestState, SprintState } from '../../machines/project-state.ts';
import type { TaskNote, TaskState } from '../../machines/task-state.ts';
import { readyTasks } from '../../machines/ready-tasks.ts';
import { wordOf } from '../../machines/status-words.ts';
import { isAgentsEnd, isHumansWord } from '../../machines/humans-word.ts';

/** The task an agent is to work on: its attempt's, else the first active or blocked, else the first ready. */
export function currentTask(sprint: SprintState, runId: string | undefined): TaskState | undefined {
  const tasks = [...sprint.tasks.values()];
  const own = runId === undefined ? undefined : tasks.find(({ machine }) => machine.context.runId === runId);
  const underWay = tasks.find(({ machine: { value } }) => ['active', 'blocked'].includes(wordOf(value)));
  return own ?? underWay ?? readyTasks(sprint)[0];
}

/**
 * What became of questions about a task, or about its sprint, that no agent has received, oldest first:
 * answers, and the word of a human that there will be none.
 */
export function undelivered(sprint: SprintState, taskId: string | undefined): RequestState[] {
  return [...sprint.requests.values()].filter(
    (request) =>
      isUndelivered(request) &&
      !isOfAttempt(sprint, request) &&
      (request.taskId === undefined || request.taskId === taskId),
  );
}

/** The attempt whose program asked at a prompt has the task: what is answered is typed there, or for who comes next. */
function isOfAttempt({ tasks }: SprintState, { taskId, asked: { kind, origin } }: RequestState): boolean {
  const task = taskId === undefined ? undefined : tasks.get(taskId);
  return kind === 'prompt' && task?.machine.context.runId === origin.agent;
}

/**
 * What a human said to questions about a task that only its earlier attempts have received, oldest first: they
 * are gone, and the session that is gone on with may not know. What was typed at a prompt was for that one only.
 */
export function saidToEarlier({ requests }: SprintState, task: TaskState, runId: string): RequestState[] {
  return [...requests.values()].filter(
    (request) =>
      request.taskId === task.id &&
      !wasTyped(request) &&
      isHumansWord(request) &&
      !isAgentsEnd(request) &&
      request.deliveredTo.length > 0 &&
      !request.deliveredTo.includes(runId),
  );
}

/** What a human said to prompts of a task, and was typed nowhere as far as the log knows, oldest first: its later attempts are told. */
export function untypedAnswers({ requests }: SprintState, taskId: string): RequestState[] {
  return [...requests.values()].filter(
    (request) =>
      request.taskId === taskId &&
      request.asked.kind === 'prompt' &&
      request.answer !== undefined &&
      !wasTyped(request),
  );
}

/** Whether the program that asked at a prompt has got the answer there. */
function wasTyped({ asked: { kind, origin, untypable }, deliveredTo }: RequestState): boolean {
  return kind === 'prompt' && untypable !== true && deliveredTo.includes(origin.agent);
}

/** The notes about a task that only its earlier attempts have, oldest first. */
export function notesForEarlier({ notes }: TaskState, runId: string): TaskNote[] {
  return notes.filter(({ delivered }) => delivered !== undefined && delivered.to !== runId);
}

/** A human has ended the request, and no agent knows it. */
export function isUndelivered(request: RequestState): boolean {
  if (request.phase === 'answered') return true;
  // A prompt that is dismissed was none: nobody is told.
  const isWord = isHumansWord(request) && request.asked.kind !== 'prompt';
  return request.phase === 'dismissed' && isWord && request.deliveredTo.length === 0;
}

/**
 * Whether this agent is the one to work on a task: its attempt, or, while it has none, one that nobody
 * started. What another agent reads about it has not reached the one who needs it.
 */
export function worksOn(task: TaskState | undefined, runId: string | undefined): boolean {
  return task === undefined || task.machine.context.runId === (runId ?? null);
}
