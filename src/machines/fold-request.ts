import type { StoredEvent } from '../events/envelope.ts';
import { stepRequest } from './kinds.ts';
import type { Asked, RequestState, SprintState, TaskState } from './project-state.ts';
import type { RequestEvent } from './request.machine.ts';
import { endsRequests } from './routes.ts';
import { wordOf } from './words.ts';

/** What an event says about one request: asked, answered, dismissed, delivered, detached. */
export function foldRequest(sprint: SprintState, task: TaskState | undefined, event: StoredEvent): void {
  switch (event.type) {
    case 'help.requested': {
      const { requestId, ...asked } = event.data;
      open(sprint, { requestId, task, asked, at: event.time });
      break;
    }
    case 'task.blocked': {
      const { requestId, by, reason, runId } = event.data;
      const origin = { agent: runId ?? by, ...(runId === undefined ? {} : { runId }) };
      open(sprint, { requestId, task, asked: { kind: 'help', question: reason, origin }, at: event.time });
      break;
    }
    case 'help.answered': {
      const { requestId, ...answer } = event.data;
      const request = step(sprint, requestId, event);
      if (request) request.answer = { ...answer, at: event.time };
      break;
    }
    case 'help.dismissed': {
      const { requestId, ...dismissal } = event.data;
      const request = step(sprint, requestId, event);
      if (request) request.dismissal = dismissal;
      break;
    }
    case 'help.delivered': {
      step(sprint, event.data.requestId, event);
      const request = sprint.requests.get(event.data.requestId);
      if (request && !request.deliveredTo.includes(event.data.to)) request.deliveredTo.push(event.data.to);
      break;
    }
    case 'help.detached': {
      const request = sprint.requests.get(event.data.requestId);
      if (request && !request.detached.includes(event.data.agent)) request.detached.push(event.data.agent);
      break;
    }
    default:
  }
}

/** Ends what is still open when its task or sprint has ended. */
export function closeRequests(sprint: SprintState, task: TaskState | undefined, event: StoredEvent): void {
  if (!endsRequests(event)) return;
  const reason = `${event.type.replace('.', ' ')} while it was open`;
  for (const request of sprint.requests.values()) {
    if (request.phase !== 'open') continue;
    if (event.type.startsWith('task.') && request.taskId !== task?.id) continue;
    const phase = stepRequest(request.phase, event);
    if (phase === undefined) continue;
    request.phase = phase;
    request.dismissal = { by: 'by' in event.data ? event.data.by : 'clifford', via: 'log', reason };
  }
}

function open(
  sprint: SprintState,
  {
    requestId,
    task,
    asked,
    at,
  }: { requestId: string; task: TaskState | undefined; asked: Asked; at: string },
): void {
  if (sprint.requests.has(requestId)) return;
  const blocks = task !== undefined && wordOf(task.machine.value) !== 'done' ? task.id : undefined;
  sprint.requests.set(requestId, {
    id: requestId,
    stream: sprint.id,
    taskId: blocks,
    asked,
    askedAt: at,
    phase: 'open',
    deliveredTo: [],
    detached: [],
  });
}

/** Moves a request if the event is legal for it, and says which it was. */
function step(sprint: SprintState, requestId: string, event: RequestEvent): RequestState | undefined {
  const request = sprint.requests.get(requestId);
  const phase = request && stepRequest(request.phase, event);
  if (!request || phase === undefined) return undefined;
  request.phase = phase;
  return request;
}
