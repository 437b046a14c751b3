import { allowsCall } from '../events/approval.ts';
import type { StoredEvent } from '../events/envelope.ts';
import { noteAsked, noteEdited } from './asked-calls.ts';
import { stepRequest } from './kinds.ts';
import type { RequestState, SprintState } from './project-state.ts';
import type { TaskState } from './task-state.ts';
import type { RequestEvent } from './request.machine.ts';
import { endsRequests } from './routes.ts';
import { wordOf } from './status-words.ts';

/** What an event says about requests: asked, answered, dismissed, delivered, used for a call, who waits and who has gone. */
export function foldRequest(sprint: SprintState, task: TaskState | undefined, event: StoredEvent): void {
  switch (event.type) {
    case 'help.requested': {
      const { requestId, ...asked } = event.data;
      open(sprint, task, {
        id: requestId,
        asked,
        askedAt: event.time,
        waiting: new Set([asked.origin.agent]),
      });
      break;
    }
    case 'task.blocked': {
      const { requestId, by, reason, runId } = event.data;
      const origin = { agent: runId ?? by, ...(runId === undefined ? {} : { runId }) };
      const asked = { kind: 'help', question: reason, origin } as const;
      open(sprint, task, { id: requestId, asked, askedAt: event.time, waiting: new Set() });
      break;
    }
    case 'help.answered': {
      const { requestId, ...answer } = event.data;
      const request = step(sprint, requestId, event);
      if (!request) break;
      request.answer = { ...answer, at: event.time };
      noteEdited(sprint, request);
      break;
    }
    case 'help.dismissed': {
      const { requestId, ...dismissal } = event.data;
      const request = step(sprint, requestId, event);
      if (request) request.dismissal = { ...dismissal, at: event.time };
      break;
    }
    case 'help.delivered': {
      step(sprint, event.data.requestId, event);
      const request = sprint.requests.get(event.data.requestId);
      if (!request) break;
      stopWaiting(request, event.data.to);
      request.deliveredTo = withOne(request.deliveredTo, event.data.to);
      break;
    }
    case 'help.attached': {
      const request = sprint.requests.get(event.data.requestId);
      if (request) request.waiting = new Set(request.waiting).add(event.data.agent);
      break;
    }
    case 'help.detached':
    case 'help.expired':
      detach(sprint.requests.get(event.data.requestId), event.data.agent);
      break;
    case 'tool.allowed': {
      const { requestId, callId } = event.data;
      if (requestId !== undefined) spend(sprint.requests.get(requestId), callId);
      break;
    }
    case 'tool.withheld': {
      const request = sprint.requests.get(event.data.requestId);
      if (request?.usedBy === event.data.callId) request.usedBy = undefined;
      break;
    }
    case 'task.reset':
      lapseRefusals(sprint, task);
      break;
    case 'agent.exited':
    case 'agent.lost':
      for (const request of sprint.requests.values()) stopWaiting(request, event.data.runId);
      break;
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
    request.dismissal = { by: event.data.by, via: 'log', reason, at: event.time };
  }
}

/** Ends every yes to a tool call of a task, or of the whole sprint. One that a call has used may be given back. */
export function lapseApprovals(sprint: SprintState, taskId?: string): void {
  for (const request of sprint.requests.values()) {
    const { answer, asked } = request;
    if (!allowsCall(answer?.verdict)) continue;
    if (taskId === undefined || (request.taskId ?? asked.task) === taskId) request.hasLapsed = true;
  }
}

/** Ends every no about a task that its agents have heard: to begin it anew is to let it go another way. */
function lapseRefusals(sprint: SprintState, task: TaskState | undefined): void {
  for (const request of sprint.requests.values()) {
    const { taskId, asked, deliveredTo } = request;
    if (task === undefined || (taskId ?? asked.task) !== task.id) continue;
    if (isRefused(request) && deliveredTo.length > 0) request.hasLapsed = true;
  }
}

function isRefused({ answer, dismissal }: RequestState): boolean {
  if (dismissal) return true;
  return answer?.rejected === true || answer?.rephrase === true || answer?.verdict === 'denied';
}

function open(
  sprint: SprintState,
  task: TaskState | undefined,
  { id, asked, askedAt, waiting }: Pick<RequestState, 'id' | 'asked' | 'askedAt' | 'waiting'>,
): void {
  if (sprint.requests.has(id)) return;
  const blocks = task !== undefined && wordOf(task.machine.value) !== 'done' ? task.id : undefined;
  const request: RequestState = {
    id,
    stream: sprint.id,
    taskId: blocks,
    asked,
    askedAt,
    phase: 'open',
    deliveredTo: [],
    waiting,
    detached: [],
  };
  sprint.requests.set(id, request);
  noteAsked(sprint, request);
}

function detach(request: RequestState | undefined, agent: string | undefined): void {
  if (!request || agent === undefined) return;
  stopWaiting(request, agent);
  request.detached = withOne(request.detached, agent);
}

/** The lists of a request are replaced, never changed: whoever copies it shares them. */
function stopWaiting(request: RequestState, agent: string): void {
  if (request.waiting.has(agent))
    request.waiting = new Set([...request.waiting].filter((each) => each !== agent));
}

function withOne(agents: readonly string[], agent: string): readonly string[] {
  return agents.includes(agent) ? agents : [...agents, agent];
}

/** The first call that a human's yes allows counts. */
function spend(request: RequestState | undefined, callId: string): void {
  if (request && allowsCall(request.answer?.verdict) && !request.hasLapsed) request.usedBy ??= callId;
}

/** Moves a request if the event is legal for it, and says which it was. */
function step(sprint: SprintState, requestId: string, event: RequestEvent): RequestState | undefined {
  const request = sprint.requests.get(requestId);
  const phase = request && stepRequest(request.phase, event);
  if (!request || phase === undefined) return undefined;
  request.phase = phase;
  return request;
}
