import type { StoredEvent } from '../events/envelope.ts';
import type { AgentRun, ProjectState, SprintState, TaskState } from './project-state.ts';
import { addUsage, noUsage } from './usage.ts';

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
  if (task) foldTaskAgent(task, event);
}

function foldTaskAgent(task: TaskState, event: StoredEvent): void {
  switch (event.type) {
    case 'agent.started':
      task.agent = { ...event.data, startedAt: event.time };
      break;
    case 'agent.connected':
      noteRun(task, event.data.runId, { connectedAt: event.time });
      break;
    case 'agent.exited':
    case 'agent.lost':
      noteRun(task, event.data.runId, { end: event.data });
      break;
    case 'agent.sessionopened': {
      const { runId, sessionId } = event.data;
      if (task.agent?.runId !== runId) break;
      task.session = { runId, sessionId, adapter: task.agent.adapter, agent: task.agent.agent };
      break;
    }
    case 'agent.usage':
      task.usage = addUsage(task.usage, event.data);
      break;
    case 'agent.limited':
      task.limit = {
        ...event.data,
        agent: task.agent?.runId === event.data.runId ? task.agent.agent : undefined,
        at: event.time,
        times: (task.limit?.times ?? 0) + 1,
      };
      break;
    // An attempt that failed is not gone on with: the next one begins afresh.
    case 'task.retried':
    case 'task.failed':
    case 'task.reset':
      task.session = undefined;
      task.limit = undefined;
      break;
    case 'task.completed':
      task.limit = undefined;
      break;
    default:
  }
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
