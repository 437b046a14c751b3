import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  type CallToolResult,
  type ServerCapabilities,
  type ServerNotification,
  type ServerRequest,
  type ServerResult,
  type Tool as ListedTool,
} from '@modelcontextprotocol/sdk/types.js';
import type { AskableClient } from '../../gateway/elicitation/askable-client.ts';
import { CliffordError } from '../../errors.ts';
import type { Gateway, GatewayDeps } from '../../gateway/session/gateway.ts';
import type { Callable } from '../../gateway/call/tool.ts';
import { errorText } from '../../gateway/call/tool-result.ts';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

export type GatewayConnectionDeps = Omit<GatewayDeps, 'client'> & {
  readonly server: McpServer['server'];
  readonly askable: AskableClient;
  /** Runs what is judged and recorded, for a request of the client. */
  readonly run: (callable: Callable, args: unknown, extra: Extra) => Promise<CallToolResult>;
  /** Notes an error that the agent gets as a result. */
  readonly failed: (error: unknown) => void;
};

/**
 * Connects the requests of an agent's client with the gateway. The gateway itself is loaded when the client has been
 * greeted: it takes longer to load than `initialize` may take.
 */
export class GatewayConnection {
  /** What a server with a gateway can do. There may be nothing to list: that is known later. */
  static readonly capabilities: ServerCapabilities = {
    tools: { listChanged: true },
    resources: { listChanged: true },
    prompts: { listChanged: true },
    logging: {},
    completions: {},
  };

  readonly #deps: GatewayConnectionDeps;
  #gateway: Promise<Gateway> | undefined;
  #isClosed = false;

  constructor(deps: GatewayConnectionDeps) {
    this.#deps = deps;
    deps.session.gatewayNotice = async () => (await this.#opened()).notice();
    this.#register();
  }

  /** Loads the gateway and starts the servers. Safe to call twice. */
  open(): void {
    this.#deps.background(this.#opened());
  }

  /** The tools of other servers; none where something is wrong with all of them: our own are listed anyhow. */
  async listTools(): Promise<ListedTool[]> {
    try {
      // As the SDK has them, but for what is read-only.
      return (await (await this.#opened()).listTools()) as ListedTool[];
    } catch (error) {
      this.#deps.failed(error);
      return [];
    }
  }

  /** The tool of another server of exactly this name; `undefined` for a name that no such tool can have. */
  async tool(name: string): Promise<Callable | undefined> {
    if (!name.startsWith('mcp__')) return undefined;
    return (await this.#opened()).tool(name);
  }

  /** Ends the servers. Takes a second at most. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const gateway = await this.#gateway;
    await gateway?.close();
  }

  #opened(): Promise<Gateway> {
    this.#gateway ??= this.#load();
    return this.#gateway;
  }

  async #load(): Promise<Gateway> {
    const { Gateway } = await import('../../gateway/session/gateway.ts');
    const { server, askable, session, caller, background } = this.#deps;
    const gateway = new Gateway({
      session,
      caller,
      background,
      client: {
        ...askable,
        notify: (method, params) => server.notification({ method, params } as ServerNotification),
      },
    });
    if (!this.#isClosed) gateway.start();
    return gateway;
  }

  #register(): void {
    const { server, run } = this.#deps;
    const list = (method: Parameters<Gateway['list']>[0]) => () =>
      this.#answer(async () => (await this.#opened()).list(method));
    server.setRequestHandler(ListResourcesRequestSchema, list('resources/list'));
    server.setRequestHandler(ListResourceTemplatesRequestSchema, list('resources/templates/list'));
    server.setRequestHandler(ListPromptsRequestSchema, list('prompts/list'));
    server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }, extra) =>
      this.#answer(async () => {
        const { callable, args } = await (await this.#opened()).resource(uri);
        return resultOf(await run(callable, args, extra));
      }),
    );
    server.setRequestHandler(GetPromptRequestSchema, ({ params }, extra) =>
      this.#answer(async () => {
        const { callable, args } = await (await this.#opened()).prompt(params.name, params.arguments);
        return resultOf(await run(callable, args, extra));
      }),
    );
    server.setRequestHandler(CompleteRequestSchema, ({ params }, { signal }) =>
      this.#answer(async () => (await this.#opened()).complete(params, signal)),
    );
    server.setRequestHandler(SetLevelRequestSchema, ({ params: { level } }) =>
      this.#answer(async () => {
        (await this.#opened()).setLogLevel(level);
        return {};
      }),
    );
  }

  /** These requests have no result that says what went wrong: the error does. */
  async #answer(work: () => Promise<object>): Promise<ServerResult> {
    try {
      // What the other server said of this method, handed on as it is: an agent that asked it directly would get the same.
      return (await work()) as ServerResult;
    } catch (error) {
      if (error instanceof NoResult) throw error;
      this.#deps.failed(error);
      const code = error instanceof CliffordError ? ErrorCode.InvalidRequest : ErrorCode.InternalError;
      throw new NoResult(code, errorText(error));
    }
  }
}

/** An error as the client gets it. The SDK's own puts its code in front of the message, and so do clients. */
class NoResult extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** @throws {NoResult} what a tool would have said as its result. */
function resultOf(result: CallToolResult): CallToolResult {
  if (result.isError !== true) return result;
  const [first] = result.content;
  throw new NoResult(ErrorCode.InvalidRequest, first?.type === 'text' ? first.text : 'it failed');
}
