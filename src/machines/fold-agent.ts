import type { EventType } from '../events/catalog.ts';
import type { StoredEvent } from '../events/envelope.ts';
import { foldLimits } from './fold-limits.ts';
import type { AgentRun, ProjectState, SprintState, TaskState } from './project-state.ts';
import { addTokens, addUsage, noTokens, noUsage } from './usage.ts';

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
  if (concernsAgents.has(event.type)) foldTaskAgent(task, event);
}

/** What {@link foldTaskAgent} has a case for. Most events are others: one look spares them a dozen comparisons. */
const concernsAgents: ReadonlySet<EventType> = new Set([
  'agent.started',
  'agent.connected',
  'agent.exited',
  'agent.lost',
  'agent.sessionopened',
  'agent.usage',
  'task.started',
  'task.retried',
  'task.failed',
  'task.reset',
] satisfies EventType[]);

function foldTaskAgent(task: TaskState, event: StoredEvent): void {
  switch (event.type) {
    case 'agent.started':
      task.agent = { ...event.data, startedAt: event.time, ...connectionOf(task, event.data.runId) };
      break;
    case 'agent.connected':
      // Its own process says so: it may come before its runner has said that it was started.
      if (event.data.runId !== undefined) task.connection = { runId: event.data.runId, at: event.time };
      noteRun(task, event.data.runId, { connectedAt: event.time });
      break;
    case 'agent.exited':
    case 'agent.lost':
      noteRun(task, event.data.runId, { end: event.data, endedAt: event.time });
      break;
    case 'task.started':
      task.retryAt = undefined;
      break;
    case 'agent.sessionopened': {
      const { runId, sessionId } = event.data;
      if (task.agent?.runId !== runId) break;
      const { adapter, agent } = task.agent;
      const others = task.sessions.filter((session) => session.agent !== agent);
      const before = task.sessions.find(
        (session) => session.agent === agent && session.sessionId === sessionId,
      );
      task.sessions = [...others, { runId, sessionId, adapter, agent, used: before?.used ?? noTokens }];
      break;
    }
    case 'agent.usage':
      task.usage = addUsage(task.usage, event.data);
      task.sessions = task.sessions.map((session) =>
        session.runId === event.data.runId
          ? { ...session, used: addTokens(session.used, event.data) }
          : session,
      );
      break;
    // An attempt that failed is not gone on with: the next one begins afresh.
    case 'task.retried':
      task.sessions = [];
      task.retryAt = new Date(Date.parse(event.time) + event.data.delayMs).toISOString();
      break;
    case 'task.failed':
    case 'task.reset':
      task.sessions = [];
      task.retryAt = undefined;
      break;
    default:
  }
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
