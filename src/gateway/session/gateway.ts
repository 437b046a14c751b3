import { join } from 'node:path';
import type { CliffordError } from '../../errors.ts';
import { STATE_DIR } from '../../workflow/project/project-root.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import type { Callable } from '../call/tool.ts';
import type { ToolListing } from '../tools/tool-listing.ts';
import { McpManager, type ListedKind } from '../server/mcp-manager.ts';
import type { ManagerEvent, RawObject } from '../server/manager-event.ts';
import { answerServer } from '../elicitation/answer-server.ts';
import type { CallDeps } from '../call/call-deps.ts';
import { CallsAtWork } from '../call/running-calls.ts';
import { ClientNews, type ClientList } from './client-news.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { noSuchTool, tooManySubscriptions, uncallableTool, whyWithoutTool } from './gateway-errors.ts';
import { readGatewaySettings, type GatewaySettings } from './gateway-settings.ts';
import { CallPolicy } from './policy-in-force.ts';
import { prepareChecked } from '../call/checked-call.ts';
import { rememberedTools } from '../lists/known-tools.ts';
import { placeOfCall } from '../call/place-of-call.ts';
import { ResourceList } from '../lists/resource-list.ts';
import { ServerLog } from './server-log.ts';
import { ServerRecord } from './server-record.ts';
import { ServerSet } from './server-set.ts';
import { ServerSubscriptions } from './server-subscriptions.ts';
import type { Target } from '../call/target.ts';
import { ToolList } from '../lists/tools-of-all.ts';

/** What of the servers comes as a list, by the method that asks for it. */
const lists = {
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
} as const satisfies Record<string, ListedKind>;

/** The tools, resources and prompts of the servers in `mcp.json`, behind one policy. */
export class Gateway {
  readonly #deps: GatewayDeps;
  readonly #settings: GatewaySettings;
  readonly #manager: McpManager;
  readonly #servers: ServerSet;
  readonly #tools: ToolList;
  readonly #resources: ResourceList;
  readonly #subscriptions: ServerSubscriptions;
  readonly #policy: CallPolicy;
  readonly #record: ServerRecord;
  readonly #log: ServerLog;
  readonly #atWork = new CallsAtWork();
  readonly #news: ClientNews;

  constructor(deps: GatewayDeps) {
    this.#deps = deps;
    const { root, env, report } = deps.session;
    const settings = readGatewaySettings({ env, report });
    this.#settings = settings;
    this.#news = new ClientNews(deps);
    const manager = new McpManager({
      stateDir: join(root, STATE_DIR),
      env,
      report,
      answerServer: answerServer(deps.client, this.#atWork),
    });
    this.#manager = manager;
    this.#servers = new ServerSet({
      root,
      env,
      report,
      manager,
      onChange: () => {
        this.#changed('tools', 'resources', 'prompts');
        this.#policy.changed();
      },
      isKnown: (id) => this.#isKnown(id),
    });
    this.#policy = new CallPolicy(this.#servers);
    this.#record = new ServerRecord(deps.caller, report);
    this.#tools = new ToolList(this.#servers, manager);
    this.#resources = new ResourceList({ manager, listWaitMs: settings.listWaitMs, report });
    this.#subscriptions = new ServerSubscriptions({
      manager,
      servers: this.#servers,
      policy: this.#policy,
      isReady: (id) => this.#stateOf(id)?.health === 'ready',
      tell: (uri) => this.#news.tell('notifications/resources/updated', { uri }),
      report,
      background: deps.background,
    });
    this.#log = new ServerLog(manager, deps.background);
    manager.on((event) => this.#heard(event));
  }

  /** Begins to start what `mcp.json` asks for, if it is trusted. */
  start(): void {
    this.#servers.open();
  }

  /** What a human has to do before the servers of `mcp.json` can be used; nothing when all is well. */
  async notice(): Promise<string | undefined> {
    await this.#servers.opened;
    return this.#servers.notice;
  }

  /** What agents are shown of the tools. Waits for servers that are starting, for a limited time. */
  async listTools(): Promise<ToolListing[]> {
    const isHidden = await this.#hiding();
    this.#news.listed('tools');
    return this.#tools.listing(isHidden);
  }

  /**
   * The tool of exactly this name.
   *
   * @param ownTools - Names of tools that are not of a server: one of them may be meant.
   * @throws {CliffordError} `TOOL_UNKNOWN`; `SERVER_UNREACHABLE` for one whose server starts with the first call.
   */
  async tool(name: string, ownTools: readonly string[]): Promise<Callable> {
    // A client that knows the name from before need not list first.
    if (this.#tools.find(name) === undefined) await this.#servers.settled(this.#settings.listWaitMs);
    const target = this.#tools.find(name);
    if (!target) throw await this.#noSuchTool(name, ownTools);
    const isStarted = this.#servers.isStarted(target.serverId);
    const now = isStarted ? target : await this.#started(name, target, ownTools);
    return this.#callable(name, now, () => this.#tools.find(name));
  }

  /** One page with everything. @throws {CliffordError} never for one server that is away. */
  async list(method: keyof typeof lists): Promise<RawObject> {
    const kind = lists[method];
    const isHidden = await this.#hiding();
    const name = kind === 'prompts' ? 'prompts/get' : 'resources/read';
    this.#news.listed(kind === 'prompts' ? 'prompts' : 'resources');
    const found = await this.#resources.list(kind, (serverId) => isHidden({ serverId, name }));
    return { [kind]: found };
  }

  /** The reading of a resource, as a call. @throws {CliffordError} `RESOURCE_UNKNOWN` */
  async resource(uri: string): Promise<{ readonly callable: Callable; readonly args: RawObject }> {
    await this.#servers.settled(this.#settings.listWaitMs);
    const { target, args } = this.#resources.resource(uri);
    return { callable: this.#callable('resources/read', target, () => target), args };
  }

  /** Hearing of changes of a resource, as a call. @throws {CliffordError} `RESOURCE_UNKNOWN`, `SUBSCRIPTION_UNSUPPORTED` */
  async subscription(uri: string): Promise<{ readonly callable: Callable; readonly args: RawObject }> {
    await this.#servers.settled(this.#settings.listWaitMs);
    if (this.#subscriptions.isFull) throw tooManySubscriptions();
    // Judged by it for as long as it lasts, too.
    const caller = await this.#deps.caller();
    this.#subscriptions.judgeAs({ project: caller.project, place: await placeOfCall(caller) });
    const { target, origin } = this.#resources.subscription(uri, (params, options) =>
      this.#subscriptions.begin(origin, params, options),
    );
    const callable = this.#callable('resources/subscribe', target, () => target);
    return { callable, args: { uri: origin.uri } };
  }

  /** Ends what {@link subscription} began. The policy has nothing against that. */
  async unsubscribe(uri: string): Promise<void> {
    this.#subscriptions.end(this.#resources.origin(uri));
  }

  /** The same of a prompt. @throws {CliffordError} `PROMPT_UNKNOWN` */
  async prompt(
    name: string,
    values: unknown,
  ): Promise<{ readonly callable: Callable; readonly args: RawObject }> {
    await this.#servers.settled(this.#settings.listWaitMs);
    const { target, origin } = await this.#resources.prompt(name);
    const args = { name: origin.name, ...(values === undefined ? {} : { arguments: values }) };
    return { callable: this.#callable('prompts/get', target, () => target), args };
  }

  /** Completions from the server that has the prompt or template; none from one that the policy hides. */
  async complete(params: RawObject, signal: AbortSignal): Promise<RawObject> {
    const isHidden = await this.#hiding();
    const { serverId, params: own } = await this.#resources.completion(params);
    const name = isJsonObject(own['ref']) && 'uri' in own['ref'] ? 'resources/read' : 'prompts/get';
    const isSilent = this.#stateOf(serverId)?.server?.capabilities['completions'] === undefined;
    if (isSilent || isHidden({ serverId, name })) return { completion: { values: [] } };
    return this.#manager.request(serverId, 'completion/complete', own, { signal });
  }

  /** The least that is to be logged, by servers that are there and by those to come. */
  setLogLevel(level: string): void {
    this.#log.setLevel(level);
  }

  /** Ends all servers. Takes a second at most. */
  async close(): Promise<void> {
    this.#news.close();
    this.#subscriptions.close();
    this.#servers.close();
    await this.#manager.close();
  }

  /** Waits for what is starting, and returns what is hidden from the agent. */
  async #hiding(): Promise<(thing: { serverId: string; name: string; definition?: RawObject }) => boolean> {
    const calling = this.#deps.caller();
    // Who has no servers is not kept waiting for a log that is away.
    calling.catch(() => undefined);
    await this.#servers.settled(this.#settings.listWaitMs);
    if (this.#servers.servers.length === 0) return () => false;
    const caller = await calling;
    const place = await placeOfCall(caller);
    return (thing) => this.#policy.isHidden(caller.project, thing, place);
  }

  /** `current`: what the target is by now, while its server is there. */
  #callable(name: string, target: Target, current: () => Target | undefined): Callable {
    const { serverId } = target;
    const deps: CallDeps = {
      policy: this.#policy,
      atWork: this.#atWork,
      maxResultBytes: this.#settings.maxResultBytes,
      remembered: () => this.#record.remembered,
      current: () => (this.#servers.configOf(serverId) === undefined ? undefined : current()),
    };
    return {
      name,
      origin: { server: serverId, tool: target.name },
      prepare: (args, call) => prepareChecked(target, isJsonObject(args) ? args : {}, call, deps),
    };
  }

  /** Starts the server of a tool with its first call, and returns the tool as it is defined now. */
  async #started(name: string, target: Target, ownTools: readonly string[]): Promise<Target> {
    const caller = await this.#deps.caller();
    // A call that is refused anyhow starts nothing.
    if (this.#policy.isHidden(caller.project, target, await placeOfCall(caller))) return target;
    await this.#servers.start(target.serverId);
    this.#tools.renew();
    const now = this.#tools.find(name);
    if (!now) throw await this.#noSuchTool(name, ownTools);
    return now;
  }

  async #noSuchTool(name: string, ownTools: readonly string[]): Promise<CliffordError> {
    const why = this.#tools.whyLeftOut(name) ?? whyWithoutTool(name, this.#manager.states());
    // What keeps all servers away says nothing of a name that is not of their kind.
    const because = why ?? (name.startsWith('mcp__') ? this.#servers.notice : undefined);
    if (because !== undefined) return uncallableTool(name, because);
    const shown = this.#tools.listing(await this.#hiding());
    return noSuchTool(name, [...ownTools, ...shown.map((tool) => tool.name)]);
  }

  /** Whether the tools of a server can be listed without starting it. */
  async #isKnown(id: string): Promise<boolean> {
    const { project } = await this.#deps.caller();
    const tools = await rememberedTools(project, id);
    this.#tools.remember(id, tools);
    return tools.length > 0;
  }

  #heard(event: ManagerEvent): void {
    if (this.#news.isClosed) return;
    const { serverId } = event;
    switch (event.kind) {
      case 'tools':
        this.#changed('tools');
        this.#deps.background(this.#record.tools(event));
        break;
      case 'state':
        this.#deps.background(this.#record.state(event));
        if (event.state.health !== 'ready') break;
        this.#log.tellLevel(serverId);
        this.#changed('resources', 'prompts');
        this.#subscriptions.again(serverId);
        break;
      case 'updated':
        this.#subscriptions.changed({ serverId, uri: event.uri });
        break;
      case 'resources':
      case 'prompts':
        this.#changed(event.kind);
        break;
      case 'log': {
        const params = this.#log.message(serverId, event.params);
        if (params) this.#news.tell('notifications/message', params);
      }
    }
  }

  #changed(...kinds: readonly ClientList[]): void {
    this.#tools.renew();
    this.#news.changed(kinds);
  }

  #stateOf(id: string) {
    return this.#manager.states().find((state) => state.id === id);
  }
}
