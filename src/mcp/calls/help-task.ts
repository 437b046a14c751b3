import { RELATED_TASK_META_KEY, type CallToolResult, type Task } from '@modelcontextprotocol/sdk/types.js';
import { CliffordError } from '../../errors.ts';
import type { Callable, ToolCall } from '../../gateway/call/tool.ts';
import { Waiters } from '../../gateway/wait/waiters.ts';
import type { ProjectState, RequestState } from '../../machines/project-state.ts';
import { ownTool } from '../../workflow/project/own-tools.ts';
import { requestById } from '../../workflow/requests/find-request.ts';
import { humanReply } from './human-reply.ts';

/** How often a client is to look whether there is an answer, in ms. */
const POLL_MS = 1_000;

/** The question behind a task of a client. It is the task: it has its id, and lasts as long as the log. */
export function questionOfTask(state: ProjectState, taskId: string): RequestState {
  const request = requestById(state, taskId);
  if (request?.asked.kind === 'help') return request;
  throw new CliffordError(`Cannot find the task ${taskId.slice(0, 100)}: no question has that id`, {
    code: 'REQUEST_UNKNOWN',
    fix: `Call ${ownTool.requestHelp} with the question again`,
  });
}

/** Where a task of a client stands, as MCP has it. */
export function taskOfQuestion({ id, phase, askedAt, answer }: RequestState): Task {
  const isOpen = phase === 'open';
  return {
    taskId: id,
    status: isOpen ? 'working' : 'completed',
    ...(isOpen ? { statusMessage: 'waiting for a human' } : {}),
    ttl: null,
    createdAt: askedAt,
    lastUpdatedAt: answer?.at ?? askedAt,
    pollInterval: POLL_MS,
  };
}

/** What a call returns that only asks: nothing yet, and which question it asked. */
export function askedAsTask(
  request: RequestState,
  { agent, session, project, background }: ToolCall,
): CallToolResult {
  const waiters = (session.waiters ??= new Waiters(agent.id));
  if (request.phase === 'open') {
    background(waiters.enter(project, request));
    background(waiters.leave(request.id, { why: 'its client looks after the answer as a task' }));
  }
  return { content: [], ...aboutTask(request.id) };
}

/** The question that {@link askedAsTask} asked. */
export function taskIdIn({ _meta }: CallToolResult): string | undefined {
  return _meta?.[RELATED_TASK_META_KEY]?.taskId;
}

/** The result of a task, as a call: waits until a human has ended the question, without a limit of its own. */
export function resultOfTask(taskId: string): Callable {
  return {
    name: ownTool.requestHelp,
    prepare: async (_args, call) => {
      const request = questionOfTask(call.project.state, taskId);
      const goOn = () => 'No answer yet.';
      return {
        place: { stream: request.stream, taskId: request.taskId },
        run: async () => ({
          ...(await humanReply(request, call, { goOn, isUnlimited: true })),
          ...aboutTask(taskId),
        }),
      };
    },
  };
}

function aboutTask(taskId: string): Pick<CallToolResult, '_meta'> {
  return { _meta: { [RELATED_TASK_META_KEY]: { taskId } } };
}
