import { isDeepStrictEqual } from 'node:util';
import { CliffordError } from '../../errors.ts';
import { subjectOf } from '../../events/envelope.ts';
import { checkLegality, type Candidate } from '../../machines/legality.ts';
import type { ProjectState, SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import { unmetBy } from '../../machines/ready-tasks.ts';
import { nameOf } from '../../machines/status-words.ts';
import { type Agent, nameOfAgent } from '../project/agent.ts';
import { heardNotes, refuseUnheard } from '../notes/refuse-unheard.ts';
import { newRequestId } from '../requests/ask.ts';
import type { Project } from '../project/project.ts';
import { isQueued } from '../queue/worker-of.ts';
import { requireTask } from './require-task.ts';
import { startTask } from './start-task.ts';

/** What an agent may say of a task. */
export type AgentStatus = 'active' | 'completed' | 'blocked';

/**
 * Records what an agent says of a task. The state it is in already is a success without an event;
 * `active` starts a pending sprint; `blocked` opens a request, since only a human can end it.
 *
 * @throws {CliffordError} `TASK_UNKNOWN`; `TASK_WAITS`: what it depends on is neither completed nor skipped; `SPRINT_RUNNING`: its sprint
 *   waits in the queue, and a worker will start it.
 * @throws {IllegalDecision} when the machines refuse, e.g. because the agent's attempt has ended.
 */
export async function setTaskStatus(
  project: Project,
  change: { stream: string; taskId: string; status: AgentStatus; summary?: string | undefined; agent: Agent },
): Promise<TaskState> {
  const { stream, status } = change;
  await project.dispatch(stream, (state) => {
    const { sprint, task } = requireTask(state, change);
    if (isAlready(task, status)) return [];
    const by = nameOfAgent(change.agent);
    if (status !== 'active') return [ended(change, by)];
    if (isQueued(state, stream)) throw isForWorker(sprint, task);
    refuseEarly(sprint, task);
    return startTask(sprint, task, { by });
  });
  return requireTask(project.state, change).task;
}

function isForWorker({ id: stream }: SprintState, { id }: TaskState): CliffordError {
  return new CliffordError(`Cannot start task ${id}: sprint ${stream} waits in the queue for a worker`, {
    code: 'SPRINT_RUNNING',
    fix: `Leave it to that worker. A human takes the sprint out with: clifford queue cancel ${stream}`,
    recovery: 'give-up',
  });
}

/** Not by the machines: a log in which an agent was faster than what its task depends on stays a legal one. */
function refuseEarly(sprint: SprintState, task: TaskState): void {
  const waitsFor = nameOf(task.machine.value) === 'pending' ? unmetBy(sprint, task) : [];
  if (waitsFor.length === 0) return;
  const names = waitsFor.join(' and ');
  throw new CliffordError(`Cannot start task ${task.id}: ${task.id} waits for ${names}`, {
    code: 'TASK_WAITS',
    fix: `It can start when ${names} ${waitsFor.length === 1 ? 'is' : 'are'} completed or skipped. Work on a task that is ready`,
    recovery: 'give-up',
  });
}

/** What a completion would complete: an attempt, and the digest of what verifies it. */
export type Completable = {
  readonly attempt: number;
  readonly runId: string | null;
  readonly checksDigest: string | undefined;
};

/**
 * Completes a task after `verify`. Whether there is anything to complete, and which attempt that is, is decided on the
 * state that the completion is appended to: when that is another by then, it is verified anew.
 *
 * @param verify - Not called where there is nothing to complete: it is completed already, or the machines refuse.
 * @returns what it is by then, and what the last `verify` returned; `undefined` when that returned `undefined`, and
 *   nothing was completed.
 * @throws {CliffordError} `NOTE_UNHEARD`: a human has told its agent something that it did not know as it said so.
 * @throws what `verify` and {@link setTaskStatus} throw.
 */
export async function completeTask<T>(
  project: Project,
  about: { stream: string; taskId: string; summary?: string | undefined; agent: Agent },
  verify: (what: Completable) => Promise<T | undefined>,
): Promise<{ task: TaskState; verified?: T } | undefined> {
  const change = { ...about, status: 'completed' } as const;
  const heard = await heardByOwn(project, change);
  for (;;) {
    const seen = completable(project.state, change);
    if (seen && heard) refuseUnheard(requireTask(project.state, change).task, heard);
    const verified = seen && (await verify(seen));
    if (seen && verified === undefined) return undefined;
    let isSame = true;
    await project.dispatch(change.stream, (state) => {
      const { task } = requireTask(state, change);
      if (isAlready(task, 'completed')) return [];
      isSame = isDeepStrictEqual(completable(state, change), seen);
      if (isSame && heard) refuseUnheard(task, heard);
      return isSame ? [ended(change, nameOfAgent(change.agent))] : [];
    });
    const { task } = requireTask(project.state, change);
    if (isSame) return verified === undefined ? { task } : { task, verified };
  }
}

/** What this agent's word would complete now; `undefined`: it is completed already, or the machines refuse. */
function completable(state: ProjectState, change: Parameters<typeof ended>[0]): Completable | undefined {
  const { task } = requireTask(state, change);
  if (!checkLegality(state, ended(change, nameOfAgent(change.agent))).legal) return undefined;
  const { attempt, runId } = task.machine.context;
  return { attempt, runId, checksDigest: task.checksDigest };
}

/** What the agent that was started for the task has heard of it; `undefined` for others: nobody tells them. */
async function heardByOwn(
  project: Project,
  change: Parameters<typeof ended>[0],
): Promise<ReadonlySet<string> | undefined> {
  const { stream, taskId, agent } = change;
  const { runId } = completable(project.state, change) ?? {};
  if (typeof runId !== 'string' || runId !== agent.runId) return undefined;
  return heardNotes(project, { stream, taskId, to: runId });
}

function isAlready({ machine }: TaskState, status: AgentStatus): boolean {
  const name = nameOf(machine.value);
  return status === 'completed' ? name === 'done.completed' : name.startsWith(`${status}.`);
}

function ended(
  { stream, taskId, status, summary, agent }: Parameters<typeof setTaskStatus>[1],
  by: string,
): Candidate {
  const subject = subjectOf(stream, taskId);
  if (status === 'blocked') {
    const reason = summary ?? `The agent says that ${taskId} is blocked, and gave no reason`;
    return {
      type: 'task.blocked',
      subject,
      data: { requestId: newRequestId(), by, reason, runId: agent.runId },
    };
  }
  return { type: 'task.completed', subject, data: { by, summary, runId: agent.runId } };
}
