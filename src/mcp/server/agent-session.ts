import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Protocol, type RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type CallToolRequest,
  type CallToolResult,
  type CreateTaskResult,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { CliffordError } from '../../errors.ts';
import type { Agent } from '../../workflow/project/agent.ts';
import type { Project } from '../../workflow/project/project.ts';
import { attemptHere } from '../../workflow/project/who-calls.ts';
import { version } from '../../version.ts';
import { GatewayConnection } from './gateway-connection.ts';
import { capabilitiesOf, ThingRequests } from './thing-requests.ts';
import type { SendProgress } from '../../gateway/wait/keep-alive.ts';
import { GreetedClient } from './greeted-client.ts';
import { HelpTaskRequests } from './help-task-requests.ts';
import type { ProjectHandle } from './project-handle.ts';
import type { Session } from '../../gateway/session/session.ts';
import { instructionsFor } from './instructions.ts';
import { noJsonSchema } from './no-json-schema.ts';
import type { Callable } from '../../gateway/call/tool.ts';
import { WatchedTransport } from '../transport/watched-transport.ts';
import { errorResult, errorText } from '../../gateway/call/tool-result.ts';
import { requireShallow, unknownTool } from './uncallable.ts';
import { wireProblem } from './wire-problem.ts';
import { within } from '../../lib/processes/settled-within.ts';

/** Longest time that ending may take, in ms: what has happened is recorded within it, or not at all. */
const END_MS = 600;
/** Longest time that the servers behind the gateway have to end, in ms. What is left then is killed. */
const GATEWAY_END_MS = 850;

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

export type AgentSessionDeps = {
  readonly project: ProjectHandle;
  readonly session: Session;
  readonly transport: Transport;
  /** Called when the client has introduced itself. */
  readonly onGreeted?: () => void;
};

/**
 * One client, from `initialize` until it leaves, and the tools it may call.
 *
 * Answering `initialize` needs nothing but the SDK: tools, machines and log are loaded after it.
 */
export class AgentSession {
  readonly #deps: AgentSessionDeps;
  readonly #mcp: McpServer;
  readonly #transport: WatchedTransport;
  readonly #client: GreetedClient;
  readonly #tasks: HelpTaskRequests;
  /** Only where there are other servers. */
  readonly #gateway: GatewayConnection | undefined;
  readonly #sessionId = randomUUID();
  /** The attempt that the client speaks for: an agent may have cleared the environment of this process. */
  #runId: string | undefined;
  readonly #work = new Set<Promise<unknown>>();
  readonly #closed = Promise.withResolvers<void>();
  #greeted: Promise<void> | undefined;
  #ending: Promise<void> | undefined;

  constructor(deps: AgentSessionDeps) {
    this.#deps = deps;
    this.#transport = new WatchedTransport(deps.transport);
    // Now, while the processes are there that this one descends from.
    this.#runId = attemptHere(deps.session.env);
    // Whether it is trusted is not known before it was read, and may change while the client is here.
    const hasGateway = existsSync(join(deps.session.root, 'mcp.json'));
    this.#mcp = new McpServer(
      { name: 'clifford', version },
      {
        capabilities: capabilitiesOf({ hasGateway }),
        instructions: instructionsFor({ hasGateway }),
        jsonSchemaValidator: noJsonSchema,
      },
    );
    const { server } = this.#mcp;
    this.#client = new GreetedClient(server, this.#transport);
    if (hasGateway) this.#gateway = this.#connectGateway();
    this.#answerThings();
    this.#tasks = this.#answerTasks();
    server.setRequestHandler(ListToolsRequestSchema, async () => {
      const { ownTools } = await import('../tools/own-tools.ts');
      const others = (await this.#gateway?.listTools()) ?? [];
      return { tools: [...ownTools.map((tool) => tool.listing()), ...others] };
    });
    // Not the method of `Server`: it refuses results with a kind of content that it does not know.
    Protocol.prototype.setRequestHandler.call(server, CallToolRequestSchema, (request, extra) =>
      this.#keep<CallToolResult | CreateTaskResult>(
        request.params.task === undefined
          ? this.#call(request.params, extra)
          : this.#tasks.begin(request.params, extra),
      ),
    );
    server.oninitialized = () => {
      this.#gateway?.open();
      this.#greeted ??= this.#keep(this.#recordConnected()).catch((error: unknown) => this.#failed(error));
      deps.onGreeted?.();
    };
    server.onclose = () => {
      // Closed by nobody here: calls that end with the connection say so.
      deps.session.endedBecause ??= 'the client has left';
      this.#closed.resolve();
    };
    server.onerror = (error) => deps.session.report(wireProblem(error));
  }

  /** Resolves when the connection to the client is gone, from either side. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  async start(): Promise<void> {
    await this.#mcp.connect(this.#transport);
  }

  /** Resolves when no request of the client waits for a response. */
  settled(): Promise<void> {
    return this.#transport.settled();
  }

  /** Ends the calls that wait, records that they ended, and closes the connection. Safe to call twice. */
  end(why: string): Promise<void> {
    this.#ending ??= this.#end(why);
    return this.#ending;
  }

  async #end(why: string): Promise<void> {
    this.#deps.session.endedBecause ??= why;
    this.#deps.session.ending.abort(why);
    await this.#mcp.close();
    this.#closed.resolve();
    const closing = this.#gateway ? [this.#gateway.close()] : [];
    const closed = within(GATEWAY_END_MS, closing);
    const deadline = performance.now() + END_MS;
    // Work begets work: a call that ends has its end recorded.
    let inTime = true;
    while (inTime && this.#work.size > 0)
      inTime = await within(Math.max(0, deadline - performance.now()), this.#work);
    await closed;
  }

  async #call(
    { name, arguments: args = {} }: CallToolRequest['params'],
    extra: Extra,
  ): Promise<CallToolResult> {
    const arrivedAt = performance.now();
    const { ownTools } = await import('../tools/own-tools.ts');
    const own = ownTools.find((each) => each.name === name);
    try {
      requireShallow(name, args);
      const names = ownTools.map((each) => each.name);
      const tool = own ?? (await this.#gateway?.tool(name, names));
      if (!tool) return errorResult(unknownTool(name, names));
      return await this.#run(tool, { args, extra, arrivedAt });
    } catch (error) {
      this.#failed(error);
      return errorResult(error);
    }
  }

  /** Runs a call as one of a tool, and records it. */
  async #run(
    tool: Callable,
    { args, extra, arrivedAt }: { args: unknown; extra: Extra; arrivedAt: number },
  ): Promise<CallToolResult> {
    const { signal, requestId } = extra;
    const { callTool } = await import('../calls/call-tool.ts');
    try {
      await this.#greeted;
      return await callTool({
        tool,
        args,
        signal,
        arrivedAt,
        progress: progressOf(extra),
        client: this.#client,
        ...(await this.#caller()),
        session: this.#deps.session,
        whenSent: (departure) => this.#transport.whenSent(requestId, signal, departure),
        failed: (error) => this.#failed(error),
        background: (work) => this.#background(work),
      });
    } catch (error) {
      this.#failed(error);
      return errorResult(error);
    }
  }

  #connectGateway(): GatewayConnection {
    const { session } = this.#deps;
    return new GatewayConnection({
      server: this.#mcp.server,
      askable: this.#client,
      session,
      caller: async () => ({ ...(await this.#caller()), session }),
      run: (callable, args, extra) => {
        const arrivedAt = performance.now();
        return this.#keep(this.#run(callable, { args, extra, arrivedAt }));
      },
      failed: (error) => this.#failed(error),
      background: (work) => this.#background(work),
    });
  }

  #answerThings(): void {
    const { session } = this.#deps;
    const { server } = this.#mcp;
    new ThingRequests({
      server,
      gateway: this.#gateway,
      caller: async () => ({ ...(await this.#caller()), session }),
      notify: (method, params) =>
        this.#background(server.notification({ method, params } as ServerNotification)),
      failed: (error) => this.#failed(error),
      background: (work) => this.#background(work),
      ending: session.ending.signal,
    }).register();
  }

  #answerTasks(): HelpTaskRequests {
    const { session } = this.#deps;
    const tasks = new HelpTaskRequests({
      server: this.#mcp.server,
      caller: async () => ({ ...(await this.#caller()), session }),
      run: (callable, call) => this.#run(callable, call),
      keep: (work) => this.#keep(work),
      failed: (error) => this.#failed(error),
    });
    tasks.register();
    return tasks;
  }

  /** The end waits for it. */
  #background(work: Promise<unknown>): void {
    this.#keep(work).catch((error: unknown) => this.#failed(error));
  }

  async #recordConnected(): Promise<void> {
    const { project, agent } = await this.#caller();
    const { recordConnected } = await import('./record-connected.ts');
    await recordConnected(project, {
      agent,
      session: this.#deps.session,
      client: this.#client.introduction ?? { name: 'unknown', version: 'unknown' },
      protocol: this.#transport.protocol ?? 'unknown',
    });
  }

  /** For whom the client speaks: also one whose environment does not say so is known by the log of its project. */
  async #caller(): Promise<{ project: Project; agent: Agent }> {
    const project = await this.#deps.project.get();
    this.#runId ??= attemptHere(this.#deps.session.env, project);
    return { project, agent: this.#agent };
  }

  get #agent(): Agent {
    const runId = this.#runId;
    const client = this.#client.introduction?.name;
    return {
      id: runId || this.#sessionId,
      ...(runId ? { runId } : {}),
      ...(client ? { client } : {}),
    };
  }

  #failed(error: unknown): void {
    const recovery = error instanceof CliffordError ? error.recovery : undefined;
    if (recovery === 'reopen') this.#deps.project.giveUp();
    // What the agent can put right by itself is told to the agent alone.
    if (recovery === 'fix-input' || recovery === 'give-up') return;
    this.#deps.session.report(error instanceof CliffordError ? errorText(error) : error);
  }

  #keep<T>(work: Promise<T>): Promise<T> {
    this.#work.add(work);
    const done = () => this.#work.delete(work);
    work.then(done, done);
    return work;
  }
}

/** How to tell the client of a call that it is alive, if it wants to know. */
function progressOf({ _meta, sendNotification }: Extra): SendProgress | undefined {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (note) => sendNotification({ method: 'notifications/progress', params: { progressToken, ...note } });
}
