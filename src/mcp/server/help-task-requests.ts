import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  ErrorCode,
  GetTaskPayloadRequestSchema,
  GetTaskRequestSchema,
  type CallToolRequest,
  type CallToolResult,
  type CreateTaskResult,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import type { Caller } from '../../gateway/call/place-of-call.ts';
import type { Callable } from '../../gateway/call/tool.ts';
import { ownTool } from '../../workflow/project/own-tools.ts';
import { NoResult, resultOf } from './no-result.ts';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

export type HelpTaskRequestsDeps = {
  readonly server: McpServer['server'];
  readonly caller: () => Promise<Caller>;
  /** Runs a call, and records it. */
  readonly run: (
    callable: Callable,
    call: { readonly args: unknown; readonly extra: Extra; readonly arrivedAt: number },
  ) => Promise<CallToolResult>;
  /** The end of the session waits for it. */
  readonly keep: <T>(work: Promise<T>) => Promise<T>;
  /** Notes an error that the agent gets as one. */
  readonly failed: (error: unknown) => void;
};

/** Questions that the client asks as tasks of its own: each goes on by itself, and is looked after by its id. */
export class HelpTaskRequests {
  readonly #deps: HelpTaskRequestsDeps;

  constructor(deps: HelpTaskRequestsDeps) {
    this.#deps = deps;
  }

  /** From here on the server answers them. Before it is connected. */
  register(): void {
    const { server, caller, failed, keep } = this.#deps;
    server.setRequestHandler(GetTaskRequestSchema, async ({ params: { taskId } }) => {
      try {
        const { questionOfTask, taskOfQuestion } = await import('../calls/help-task.ts');
        const { project } = await caller();
        return taskOfQuestion(questionOfTask(await project.refresh(), taskId));
      } catch (error) {
        failed(error);
        throw NoResult.of(error);
      }
    });
    server.setRequestHandler(GetTaskPayloadRequestSchema, ({ params: { taskId } }, extra) =>
      keep(this.#finish(taskId, extra)),
    );
  }

  /** Begins a call as a task of the client. */
  async begin(
    { name, arguments: args = {} }: CallToolRequest['params'],
    extra: Extra,
  ): Promise<CreateTaskResult> {
    const arrivedAt = performance.now();
    if (name !== ownTool.requestHelp) throw new NoResult(ErrorCode.MethodNotFound, `${name} is no task`);
    const [{ requestHelpAsTask }, { questionOfTask, taskIdIn, taskOfQuestion }] = await Promise.all([
      import('../tools/request-help.ts'),
      import('../calls/help-task.ts'),
    ]);
    const result = resultOf(await this.#deps.run(requestHelpAsTask, { args, extra, arrivedAt }));
    const { project } = await this.#deps.caller();
    return { task: taskOfQuestion(questionOfTask(project.state, taskIdIn(result) ?? '')) };
  }

  async #finish(taskId: string, extra: Extra): Promise<CallToolResult> {
    const arrivedAt = performance.now();
    const { resultOfTask } = await import('../calls/help-task.ts');
    const call = { args: { requestId: taskId }, extra, arrivedAt };
    return resultOf(await this.#deps.run(resultOfTask(taskId), call));
  }
}
