import type { EventData } from '../events/catalog.ts';
import { type StoredEvent, streamOf, taskOf } from '../events/envelope.ts';
import type { PlannedTask } from '../events/descriptors/sprint-events.ts';
import { commandName } from '../lib/text/command-name.ts';
import { foldAgent } from './fold-agent.ts';
import { foldJob } from './fold-job.ts';
import { foldRunner } from './fold-runner.ts';
import { foldNotes } from './fold-notes.ts';
import { foldNotify } from './fold-notify.ts';
import { foldWorktree, mergeOf } from './fold-worktree.ts';
import { foldOffer } from './fold-offer.ts';
import { foldPolicy } from './fold-policy.ts';
import { foldWork } from './fold-work.ts';
import { closeRequests, foldRequest, lapseApprovals } from './fold-request.ts';
import { createSprintState, type ProjectState, type SprintState, type Tally } from './project-state.ts';
import { createTaskState, type TaskState } from './task-state.ts';
import { isSprintWide, isTaskEvent, movesSprint } from './routes.ts';
import type { TaskEvent } from './task.machine.ts';
import { pathOf, wordOf } from './status-words.ts';

/**
 * Applies one event to the state, in place: first the requests, then the tasks, then the sprint,
 * each only if its machine knows the event. The next event of a stream must follow its last one.
 */
export function applyEvent(project: ProjectState, event: StoredEvent): void {
  const sprint = streamState(project, streamOf(event.subject));
  sprint.version = event.streamversion;
  sprint.lastEventAt = event.time;

  if (event.type === 'sprint.created' || event.type === 'sprint.amended') plan(sprint, event.data.tasks);
  const taskId = taskOf(event.subject);
  const task = taskId === undefined ? undefined : sprint.tasks.get(taskId);

  foldRequest(sprint, task, event);
  if (task && isTaskEvent(event)) stepTask(sprint, task, event);
  if (isSprintWide(event))
    for (const each of sprint.tasks.values()) stepTask(sprint, each, eventForTask(event, each.id));
  if (movesSprint(event)) sprint.machine.step(event);
  foldAgent(project, sprint, task, event);
  foldPolicy(project, sprint, event);
  foldNotes(task, event);
  if (task && (event.type.startsWith('worktree.') || event.type.startsWith('offer.')))
    recount(sprint, task, event, () => {
      foldWorktree(task, event);
      foldOffer(task, event);
    });
  if (task && event.type === 'work.lost') recount(sprint, task, event, () => forgetWork(task));
  foldNotify(sprint, event);
  foldJob(sprint, event);
  foldRunner(sprint, event);
  note(sprint, task, event);
  countTasks(sprint);
  closeRequests(sprint, task, event);
  if (task) foldWork(task, event.time);
  else if (isSprintWide(event)) for (const each of sprint.tasks.values()) foldWork(each, event.time);
}

/** The state of a stream, made when its first event arrives. */
function streamState(project: ProjectState, id: string): SprintState {
  const known = project.streams.get(id);
  if (known) return known;
  const sprint = createSprintState(id);
  project.streams.set(id, sprint);
  return sprint;
}

function plan(sprint: SprintState, tasks: readonly PlannedTask[]): void {
  for (const planned of tasks) {
    if (sprint.tasks.has(planned.id)) continue;
    sprint.tasks.set(planned.id, createTaskState(planned));
    sprint.tally.pending += 1;
  }
}

function stepTask(
  sprint: SprintState,
  task: TaskState,
  event: StoredEvent & { type: TaskEvent['type'] },
): void {
  const wasDone = isDone(task);
  recount(sprint, task, event, () => task.machine.step(event));
  if (wasDone !== isDone(task)) lapseApprovals(sprint, task.id);
}

/** Does what may move a task from one heap of the tally to another. */
function recount(sprint: SprintState, task: TaskState, event: StoredEvent, change: () => void): void {
  const before = bucketOf(task);
  change();
  const after = bucketOf(task);
  if (before === after) return;
  sprint.tally[before] -= 1;
  sprint.tally[after] += 1;
  if (after === 'blocked') task.blockedSince = event.time;
  else if (task.blockedSince !== undefined) {
    task.waitedMs += Math.max(0, Date.parse(event.time) - Date.parse(task.blockedSince));
    task.blockedSince = undefined;
  }
}

/** A completed task whose changes are not merged yet is not over for its sprint. */
function bucketOf(task: TaskState): keyof Tally {
  const merge = mergeOf(task);
  if (merge !== undefined) return merge === 'stuck' ? 'blocked' : 'active';
  const [outer, inner] = pathOf(task.machine.value);
  if (outer === 'done') return inner === 'failed' ? 'failed' : 'ended';
  return outer === 'active' || outer === 'blocked' ? outer : 'pending';
}

function isDone({ machine }: TaskState): boolean {
  return wordOf(machine.value) === 'done';
}

/** What was made of a task is gone: nothing of it is merged any more, nor will be. */
function forgetWork(task: TaskState): void {
  task.isLost = true;
  task.commit = undefined;
  task.worktree = undefined;
  task.offer = undefined;
}

/** Tells the sprint's machine what its tasks add up to, when that changed. */
function countTasks(sprint: SprintState): void {
  const { pending, active, blocked, failed } = sprint.tally;
  const stuck = blocked > 0 && active === 0;
  const finished = sprint.manifest !== undefined && pending + active + blocked + failed === 0;
  const { context } = sprint.machine;
  if (context.stuck === stuck && context.finished === finished) return;
  sprint.machine.step({ type: 'tasks.counted', data: { stuck, finished } });
}

/** What no machine needs and a reader wants. */
function note(sprint: SprintState, task: TaskState | undefined, event: StoredEvent): void {
  switch (event.type) {
    case 'sprint.created':
      sprint.name = event.data.name;
      sprint.manifest = event.data.manifest;
      break;
    case 'task.completed':
      if (sprint.job) sprint.job = { ...sprint.job, losses: 0 };
      sprint.lossesBefore = undefined;
      sprint.unfit = undefined;
      break;
    case 'sprint.failed':
      sprint.lastFailure = event.data.reason;
      sprint.endedAt = event.time;
      break;
    case 'sprint.completed':
    case 'sprint.cancelled':
      // Its tasks that had not ended are cancelled with it: who did it, and why, is said of the sprint alone.
      if (event.type === 'sprint.cancelled')
        sprint.setAside = { by: event.data.by, reason: event.data.reason };
      // It is with whoever has ended it: no worker has anything of it left to push.
      if (!sprint.job) sprint.isUnpushed = undefined;
      sprint.leftQueue = undefined;
      sprint.queuedAt = undefined;
      sprint.endedAt = event.time;
      for (const each of sprint.tasks.values()) each.machine.rest();
      sprint.machine.rest();
      lapseApprovals(sprint);
      break;
    case 'task.started':
      sprint.unfit = undefined;
      if (!task) break;
      foldOffer(task, event);
      task.isLost = undefined;
      task.checksDigest = event.data.checksDigest;
      task.isDoneByExit = event.data.done === 'exit-0';
      task.byHandSince = event.data.runId === undefined ? event.time : undefined;
      break;
    case 'task.failed':
    case 'task.retried':
      if (!task) break;
      task.lastFailure = event.data.reason;
      if (event.type === 'task.failed') noteFailed(task, event);
      break;
    case 'task.skipped':
    case 'task.cancelled':
      if (task) task.setAside = { by: event.data.by, reason: event.data.reason };
      break;
    case 'tool.requested':
      sprint.toolCalls += 1;
      break;
    case 'tool.unasked':
      if (task) noteUnasked(task, event.data);
      else noteUnaskedBy(sprint, event);
      break;
    case 'task.reset':
      if (task) {
        foldOffer(task, event);
        task.unasked = undefined;
        task.unaskedBy = undefined;
        task.setAside = undefined;
        task.baseline = [];
        task.checks = [];
        task.commit = undefined;
      }
      break;
    case 'verify.returned':
      if (task) noteVerified(task, event.data);
      break;
    case 'task.reopened':
      if (!task) break;
      task.commit = undefined;
      task.isLost = undefined;
      foldOffer(task, event);
      break;
    case 'task.committed':
    case 'task.uncommitted':
      if (task) task.commit = event.data;
      break;
    case 'uat.reported':
      if (task) task.uat = { ...event.data, at: event.time };
      break;
    case 'changelog.updated': {
      const { entries, sprintName = sprint.changelog?.name } = event.data;
      sprint.changelog = {
        name: sprintName,
        entries: [...new Set([...(sprint.changelog?.entries ?? []), ...entries])],
      };
      break;
    }
    default:
  }
}

/** Where the event does not say whose run it was, that is known of the one that works on the task. */
function noteUnasked(task: TaskState, { runId, agent: said }: EventData<'tool.unasked'>): void {
  const { agent, unasked = 0, unaskedBy = [] } = task;
  task.unasked = unasked + 1;
  const known = agent?.runId === runId ? agent : undefined;
  const name = said ?? (known && (known.agent ?? commandName(known.argv)));
  if (name !== undefined) task.unaskedBy = [...new Set([...unaskedBy, name])];
}

function noteFailed(task: TaskState, { time, data: { by, runId } }: StoredEvent<'task.failed'>): void {
  const { failures, maxAttempts } = task.machine.context;
  task.failedAt = time;
  task.gaveUp = failures < maxAttempts ? { by, runId } : undefined;
}

/** An agent that works on no task, as one in an editor. */
function noteUnaskedBy(sprint: SprintState, { data: { agent }, time }: StoredEvent<'tool.unasked'>): void {
  if (agent === undefined) return;
  const others = (sprint.unaskedBy ?? []).filter((each) => each.agent !== agent);
  sprint.unaskedBy = [...others, { agent, at: time }];
}

/** Of each command the last end counts, before the work and after it. */
function noteVerified(
  task: TaskState,
  { command, code, baseline, verdict }: EventData<'verify.returned'>,
): void {
  const isOther = (entry: { readonly command: string }) => entry.command !== command;
  if (baseline) task.baseline = [...task.baseline.filter(isOther), { command, code }];
  else task.checks = [...task.checks.filter(isOther), { command, code, verdict }];
}

/**
 * An event of the whole sprint as one of its tasks hears it: where `sprint.started` names a limit of the
 * task's own, that one is the limit.
 */
export function eventForTask<E extends StoredEvent>(
  event: E,
  taskId: string,
): E | StoredEvent<'sprint.started'> {
  if (event.type !== 'sprint.started') return event;
  const own = event.data.limits?.find(({ id }) => id === taskId);
  return own ? { ...event, data: { ...event.data, maxAttempts: own.maxAttempts } } : event;
}
