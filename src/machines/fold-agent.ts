import type { EventType } from '../events/catalog.ts';
import type { StoredEvent } from '../events/envelope.ts';
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
  if (task && concernsAgents.has(event.type)) foldTaskAgent(task, event);
}

/** What {@link foldTaskAgent} has a case for. Most events are others: one look spares them a dozen comparisons. */
const concernsAgents: ReadonlySet<EventType> = new Set([
  'agent.started',
  'agent.connected',
  'agent.exited',
  'agent.lost',
  'agent.sessionopened',
  'agent.usage',
  'agent.limited',
  'task.retried',
  'task.failed',
  'task.reset',
  'task.completed',
] satisfies EventType[]);

function foldTaskAgent(task: TaskState, event: StoredEvent): void {
  switch (event.type) {
    case 'agent.started':
      task.agent = { ...event.data, startedAt: event.time };
      break;
    case 'agent.connected':
      noteRun(task, event.data.runId, { connectedAt: event.time });
      break;
    case 'agent.exited': {
      const { runId, reason } = event.data;
      noteRun(task, runId, { end: event.data });
      // It was refused more, went on all the same, and ended by itself.
      if (reason === undefined) task.limits = task.limits.filter((limit) => limit.runId !== runId);
      break;
    }
    case 'agent.lost':
      noteRun(task, event.data.runId, { end: event.data });
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
      if (event.data.tokens.output > 0) forgetLimit(task, event.data.runId);
      break;
    case 'agent.limited':
      noteLimit(task, event);
      break;
    // An attempt that failed is not gone on with: the next one begins afresh.
    case 'task.retried':
      task.sessions = [];
      break;
    case 'task.failed':
    case 'task.reset':
      task.sessions = [];
      task.limits = [];
      break;
    case 'task.completed':
      task.limits = [];
      break;
    default:
  }
}

/** One per agent. A run that is refused more again and again counts once. */
function noteLimit(task: TaskState, { data, time }: StoredEvent & { type: 'agent.limited' }): void {
  const agent = task.agent?.runId === data.runId ? task.agent.agent : undefined;
  const before = task.limits.find((limit) => limit.agent === agent);
  const times = before === undefined ? 1 : before.times + (before.runId === data.runId ? 0 : 1);
  const others = task.limits.filter((limit) => limit !== before);
  task.limits = [...others, { ...data, agent, at: time, times }];
}

/** A later run of the same agent got more. The run that was refused more may report what it used before. */
function forgetLimit(task: TaskState, runId: string): void {
  const { agent: run } = task;
  if (run?.runId !== runId) return;
  task.limits = task.limits.filter((limit) => limit.agent !== run.agent || limit.runId === runId);
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
