import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type {
  CallToolResult,
  ServerNotification,
  ServerRequest,
  Tool as ListedTool,
} from '@modelcontextprotocol/sdk/types.js';
import type { AskableClient } from '../../gateway/elicitation/askable-client.ts';
import type { GatewayDeps } from '../../gateway/session/gateway-deps.ts';
import type { Gateway } from '../../gateway/session/gateway.ts';
import type { Callable } from '../../gateway/call/tool.ts';
import { resultOf } from './no-result.ts';

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
 * The gateway, as the requests of an agent's client need it. It is loaded when the client has been
 * greeted: it takes longer to load than `initialize` may take.
 */
export class GatewayConnection {
  readonly #deps: GatewayConnectionDeps;
  #gateway: Promise<Gateway> | undefined;
  #isClosed = false;

  constructor(deps: GatewayConnectionDeps) {
    this.#deps = deps;
    deps.session.gatewayNotice = async () => (await this.#opened()).notice();
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

  /** The tool of another server of exactly this name. @throws {CliffordError} why there is none: one of our own may be meant. */
  async tool(name: string, ownTools: readonly string[]): Promise<Callable> {
    return (await this.#opened()).tool(name, ownTools);
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

  /** One page with everything of a kind. */
  async list(method: Parameters<Gateway['list']>[0]): Promise<Readonly<Record<string, unknown>>> {
    return (await this.#opened()).list(method);
  }

  /** What a resource of another server says, once it may be read. @throws {NoResult} why not. */
  async read(uri: string, extra: Extra): Promise<object> {
    return this.#run(await (await this.#opened()).resource(uri), extra);
  }

  /** A prompt of another server. @throws {NoResult} why there is none. */
  async prompt(name: string, values: unknown, extra: Extra): Promise<object> {
    return this.#run(await (await this.#opened()).prompt(name, values), extra);
  }

  /** Has a server tell of a resource, once it may. @throws {NoResult} why not. */
  async subscribe(uri: string, extra: Extra): Promise<void> {
    await this.#run(await (await this.#opened()).subscription(uri), extra);
  }

  async unsubscribe(uri: string): Promise<void> {
    await (await this.#opened()).unsubscribe(uri);
  }

  async complete(params: Parameters<Gateway['complete']>[0], signal: AbortSignal): Promise<object> {
    return (await this.#opened()).complete(params, signal);
  }

  async setLogLevel(level: string): Promise<void> {
    (await this.#opened()).setLogLevel(level);
  }

  async #run({ callable, args }: Awaited<ReturnType<Gateway['resource']>>, extra: Extra): Promise<object> {
    return resultOf(await this.#deps.run(callable, args, extra));
  }
}
