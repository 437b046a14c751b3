import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  type CompleteRequest,
  type ServerCapabilities,
  type ServerResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { Caller } from '../../gateway/call/place-of-call.ts';
import { isOwnUri } from '../resources/resource-name.ts';
import type { OwnSubscriptions, OwnSubscriptionsDeps } from '../resources/own-subscriptions.ts';
import type { GatewayConnection } from './gateway-connection.ts';
import { NoResult } from './no-result.ts';

export type ThingRequestsDeps = Omit<OwnSubscriptionsDeps, 'project'> & {
  readonly server: McpServer['server'];
  readonly caller: () => Promise<Caller>;
  /** Only where there are other servers. */
  readonly gateway: GatewayConnection | undefined;
  /** Notes an error that the agent gets as one. */
  readonly failed: (error: unknown) => void;
};

/** What a server can do. There may be nothing to list of other servers: that is known later. */
export function capabilitiesOf({ hasGateway }: { hasGateway: boolean }): ServerCapabilities {
  const listChanged = hasGateway ? { listChanged: true } : {};
  return {
    tools: listChanged,
    resources: { listChanged: true, subscribe: true },
    prompts: listChanged,
    completions: {},
    tasks: { requests: { tools: { call: {} } } },
    ...(hasGateway ? { logging: {} } : {}),
  };
}

/**
 * Answers what an agent's client asks about resources and prompts: Clifford's own first, then those of other servers.
 * What that needs is loaded with the first of these requests.
 */
export class ThingRequests {
  readonly #deps: ThingRequestsDeps;
  #subscriptions: Promise<OwnSubscriptions> | undefined;

  constructor(deps: ThingRequestsDeps) {
    this.#deps = deps;
  }

  /** From here on the server answers them. Before it is connected. */
  register(): void {
    this.#registerResources();
    this.#registerPrompts();
  }

  #registerResources(): void {
    const { server, gateway } = this.#deps;
    server.setRequestHandler(ListResourcesRequestSchema, () =>
      this.#answer(async () => {
        const { project } = await this.#deps.caller();
        const { listOwnResources } = await import('../resources/own-resources.ts');
        await (await this.#watching()).listed();
        const own = await listOwnResources(project);
        return { resources: [...own, ...(await this.#others('resources/list', 'resources'))] };
      }),
    );
    server.setRequestHandler(ListResourceTemplatesRequestSchema, () =>
      this.#answer(async () => {
        const { ownTemplates } = await import('../resources/own-resources.ts');
        const others = await this.#others('resources/templates/list', 'resourceTemplates');
        return { resourceTemplates: [...ownTemplates, ...others] };
      }),
    );
    server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }, extra) =>
      this.#answer(async () => {
        if (gateway && !isOwnUri(uri)) return gateway.read(uri, extra);
        const { project } = await this.#deps.caller();
        const { readOwnResource } = await import('../resources/own-resources.ts');
        return readOwnResource(project, uri);
      }),
    );
    server.setRequestHandler(SubscribeRequestSchema, ({ params: { uri } }, extra) =>
      this.#answer(async () => {
        if (gateway && !isOwnUri(uri)) await gateway.subscribe(uri, extra);
        else await (await this.#watching()).subscribe(uri);
        return {};
      }),
    );
    server.setRequestHandler(UnsubscribeRequestSchema, ({ params: { uri } }) =>
      this.#answer(async () => {
        if (gateway && !isOwnUri(uri)) await gateway.unsubscribe(uri);
        else (await this.#watching()).unsubscribe(uri);
        return {};
      }),
    );
  }

  #registerPrompts(): void {
    const { server, gateway, caller } = this.#deps;
    server.setRequestHandler(ListPromptsRequestSchema, () =>
      this.#answer(async () => {
        const { workOnNextTask } = await import('../prompts/work-on-next-task.ts');
        return { prompts: [workOnNextTask, ...(await this.#others('prompts/list', 'prompts'))] };
      }),
    );
    server.setRequestHandler(GetPromptRequestSchema, ({ params: { name, arguments: values } }, extra) =>
      this.#answer(async () => {
        const { nextTaskPrompt, noSuchPrompt, workOnNextTask } =
          await import('../prompts/work-on-next-task.ts');
        if (name === workOnNextTask.name) return nextTaskPrompt(await caller(), values ?? {});
        if (gateway) return gateway.prompt(name, values, extra);
        throw noSuchPrompt(name);
      }),
    );
    server.setRequestHandler(CompleteRequestSchema, ({ params }, { signal }) =>
      this.#answer(() => this.#complete(params, signal)),
    );
    if (gateway)
      server.setRequestHandler(SetLevelRequestSchema, ({ params: { level } }) =>
        this.#answer(async () => {
          await gateway.setLogLevel(level);
          return {};
        }),
      );
  }

  async #complete(params: CompleteRequest['params'], signal: AbortSignal): Promise<object> {
    const { project } = await this.#deps.caller();
    const { ownCompletions } = await import('../resources/own-completions.ts');
    const own = await ownCompletions(project, params);
    if (own !== undefined) return { completion: { values: own } };
    const { gateway } = this.#deps;
    return gateway ? gateway.complete(params, signal) : { completion: { values: [] } };
  }

  /** What of other servers is of a kind; where something is wrong with all of them, there is our own all the same. */
  async #others(method: Parameters<GatewayConnection['list']>[0], key: string): Promise<readonly unknown[]> {
    try {
      const listed = (await this.#deps.gateway?.list(method))?.[key];
      return Array.isArray(listed) ? listed : [];
    } catch (error) {
      this.#deps.failed(error);
      return [];
    }
  }

  #watching(): Promise<OwnSubscriptions> {
    this.#subscriptions ??= this.#load();
    return this.#subscriptions;
  }

  async #load(): Promise<OwnSubscriptions> {
    const { OwnSubscriptions } = await import('../resources/own-subscriptions.ts');
    const project = async () => (await this.#deps.caller()).project;
    return new OwnSubscriptions({ ...this.#deps, project });
  }

  /** These requests have no result that says what went wrong: the error does. */
  async #answer(work: () => Promise<object>): Promise<ServerResult> {
    try {
      // Of another server it is handed on as it is: an agent that asked it directly would get the same.
      return (await work()) as ServerResult;
    } catch (error) {
      if (!(error instanceof NoResult)) this.#deps.failed(error);
      throw NoResult.of(error);
    }
  }
}
