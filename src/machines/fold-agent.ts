import type { EventType } from '../events/catalog.ts';
import type { StoredEvent } from '../events/envelope.ts';
import { casesByType } from './cases.ts';
import { foldLimits } from './fold-limits.ts';
import type { ProjectState, SprintState } from './project-state.ts';
import type { AgentRun, TaskState } from './task-state.ts';
import { addTokens, addUsage, noTokens, noUsage } from './usage.ts';

/** What says in any stream how much agents have used, and that one was refused more. */
export const usageTypes: ReadonlySet<EventType> = new Set(['agent.usage', 'agent.limited']);

/** What an event says about the agents of a task: which runs, its session, what they used and may still use. */
export function foldAgent(
  project: ProjectState,
  sprint: SprintState,
  task: TaskState | undefined,
  event: StoredEvent,
): void {
  if (event.type === 'agent.usage') {
    sprint.usage = addUsage(sprint.usage, event.data);
    spend(project, event);
  }
  if (!task) return;
  foldLimits(project, task, event);
  cases.get(event.type)?.(event, task);
}

const cases = casesByType<[task: TaskState]>({
  'agent.started'(event, task) {
    task.agent = { ...event.data, startedAt: event.time, ...connectionOf(task, event.data.runId) };
  },
  'agent.connected'({ data: { runId }, time }, task) {
    // Its own process says so: it may come before its runner has said that it was started.
    if (runId !== undefined) task.connection = { runId, at: time };
    noteRun(task, runId, { connectedAt: time });
  },
  'agent.exited': noteEnd,
  'agent.lost': noteEnd,
  'agent.parked'({ data: { runId }, time }, task) {
    noteRun(task, runId, { parkedAt: time });
  },
  'agent.sessionopened'({ data: { runId, sessionId } }, task) {
    if (task.agent?.runId !== runId) return;
    const { adapter, agent } = task.agent;
    const others = task.sessions.filter((session) => session.agent !== agent);
    const before = task.sessions.find(
      (session) => session.agent === agent && session.sessionId === sessionId,
    );
    task.sessions = [...others, { runId, sessionId, adapter, agent, used: before?.used ?? noTokens }];
  },
  'agent.usage'({ data }, task) {
    task.usage = addUsage(task.usage, data);
    task.sessions = task.sessions.map((session) =>
      session.runId === data.runId ? { ...session, used: addTokens(session.used, data) } : session,
    );
  },
  'task.started'({ data: { runId } }, task) {
    task.retryAt = undefined;
    if (runId === undefined) forgetParked(task);
  },
  'task.retried'({ data: { delayMs }, time }, task) {
    beginAfresh(task);
    task.retryAt = new Date(Date.parse(time) + delayMs).toISOString();
  },
  'task.failed': (_, task) => beginAfresh(task),
  'task.reset': (_, task) => beginAfresh(task),
});

/** An attempt that failed is not gone on with. */
function beginAfresh(task: TaskState): void {
  task.sessions = [];
  task.retryAt = undefined;
  forgetParked(task);
}

/** What comes next is not the agent that was parked. */
function forgetParked(task: TaskState): void {
  if (task.agent?.parkedAt !== undefined) task.agent = { ...task.agent, parkedAt: undefined };
}

function noteEnd({ data, time }: StoredEvent<'agent.exited' | 'agent.lost'>, task: TaskState): void {
  noteRun(task, data.runId, { end: data, endedAt: time });
}

function connectionOf({ connection }: TaskState, runId: string): Pick<AgentRun, 'connectedAt'> {
  return connection?.runId === runId ? { connectedAt: connection.at } : {};
}

function noteRun(task: TaskState, runId: string | undefined, what: Partial<AgentRun>): void {
  if (task.agent && task.agent.runId === runId) task.agent = { ...task.agent, ...what };
}

/** Only the latest day is kept: what was used on it. */
function spend(project: ProjectState, event: StoredEvent & { type: 'agent.usage' }): void {
  const day = event.time.slice(0, 10);
  const { spending } = project;
  if (day < spending.day) return;
  const before = day === spending.day ? spending.usage : noUsage;
  project.spending = { day, usage: addUsage(before, event.data) };
}
