import { isJsonObject } from '../../lib/json/json-object.ts';
import { exposedName } from '../tools/exposed-name.ts';
import type { ListedKind, McpManager } from '../server/mcp-manager.ts';
import type { RawObject } from '../server/manager-event.ts';
import { noSubscriptions, noSuchThing } from '../session/gateway-errors.ts';
import { listedPrompt, listedResource } from './listed-things.ts';
import { exposedUri, resourceOrigin, type ResourceOrigin } from './resource-uri.ts';
import { methodTarget, type Target } from '../call/target.ts';
import { messageOf } from '../../lib/message-of.ts';

export type ResourceListDeps = {
  readonly manager: Pick<McpManager, 'list' | 'request' | 'states'>;
  /** How long one server may take to list what it has, in ms. */
  readonly listWaitMs: number;
  readonly report: (problem: string) => void;
};

/** A prompt: its server, and its name there. */
type PromptOrigin = { readonly serverId: string; readonly name: string };

/** The resources, templates and prompts of all servers that are ready, as they are at the moment. */
export class ResourceList {
  readonly #deps: ResourceListDeps;

  constructor(deps: ResourceListDeps) {
    this.#deps = deps;
  }

  /** What agents are shown of one kind. `isHidden`: what the policy keeps from them. */
  async list(kind: ListedKind, isHidden: (serverId: string) => boolean): Promise<RawObject[]> {
    const ids = this.#having(kind === 'prompts' ? 'prompts' : 'resources').filter((id) => !isHidden(id));
    return (await Promise.all(ids.map((id) => this.#listOf(id, kind)))).flat();
  }

  /**
   * The resource of this URI. One that names no server, as they stand in the results of tools, is that of the only
   * server with resources.
   */
  resource(uri: string): { readonly target: Target; readonly args: RawObject } {
    const origin = this.#originOf(uri);
    const { serverId } = origin;
    const target = methodTarget(serverId, 'resources/read', async (params, options) =>
      withExposedUris(
        serverId,
        await this.#deps.manager.request(serverId, 'resources/read', params, options),
      ),
    );
    return { target, args: { uri: origin.uri } };
  }

  /** Hearing of changes of this resource, as {@link resource}. `run`: does so. @throws {CliffordError} `SUBSCRIPTION_UNSUPPORTED` */
  subscription(
    uri: string,
    run: Target['run'],
  ): { readonly target: Target; readonly origin: ResourceOrigin } {
    const origin = this.#originOf(uri);
    const state = this.#deps.manager.states().find(({ id }) => id === origin.serverId);
    const offered = state?.server?.capabilities['resources'];
    if (!isJsonObject(offered) || offered['subscribe'] !== true) throw noSubscriptions(origin.serverId);
    return { target: methodTarget(origin.serverId, 'resources/subscribe', run), origin };
  }

  /** The server and its own URI of a resource. @throws {CliffordError} `RESOURCE_UNKNOWN` */
  origin(uri: string): ResourceOrigin {
    return this.#originOf(uri);
  }

  /** The prompt of this name. */
  async prompt(name: string): Promise<{ readonly target: Target; readonly origin: PromptOrigin }> {
    const origin = await this.#promptOf(name);
    const target = methodTarget(origin.serverId, 'prompts/get', (params, options) =>
      this.#deps.manager.request(origin.serverId, 'prompts/get', params, options),
    );
    return { target, origin };
  }

  /** Completions of an argument, from the server that has the prompt or template. */
  async completion(params: RawObject): Promise<{ readonly serverId: string; readonly params: RawObject }> {
    const ref = isJsonObject(params['ref']) ? params['ref'] : {};
    const { _meta: _ours, ...rest } = params;
    if (typeof ref['uri'] === 'string') {
      const { serverId, uri } = this.#originOf(ref['uri']);
      return { serverId, params: { ...rest, ref: { ...ref, uri } } };
    }
    const { serverId, name } = await this.#promptOf(String(ref['name']));
    return { serverId, params: { ...rest, ref: { ...ref, name } } };
  }

  /** The servers that are ready and have something of this kind. */
  #having(capability: 'resources' | 'prompts'): string[] {
    return this.#deps.manager
      .states()
      .filter(({ health, server }) => health === 'ready' && server?.capabilities[capability] !== undefined)
      .map(({ id }) => id);
  }

  async #listOf(id: string, kind: ListedKind): Promise<RawObject[]> {
    const found = await this.#rawListOf(id, kind);
    const uriKey = kind === 'resources' ? 'uri' : 'uriTemplate';
    const listed = found.map((each) =>
      kind === 'prompts' ? listedPrompt(id, each) : listedResource(id, each, uriKey),
    );
    return listed.filter((each) => each !== undefined);
  }

  /** One server that cannot list what it has costs no other. */
  async #rawListOf(id: string, kind: ListedKind): Promise<readonly RawObject[]> {
    const { manager, listWaitMs, report } = this.#deps;
    try {
      return await manager.list(id, kind, { timeoutMs: Math.max(1, listWaitMs) });
    } catch (error) {
      // Templates are an extra that many servers do not answer for.
      if (kind !== 'resourceTemplates') report(messageOf(error));
      return [];
    }
  }

  #originOf(uri: string): ResourceOrigin {
    const origin = resourceOrigin(uri);
    const ids = this.#deps.manager.states().map(({ id }) => id);
    if (origin && ids.includes(origin.serverId)) return origin;
    const [only, second] = this.#having('resources');
    if (only !== undefined && second === undefined && !origin) return { serverId: only, uri };
    throw noSuchThing('resource', uri, 'it names no server, as mcp://{server}/{uri} does');
  }

  async #promptOf(exposed: string): Promise<PromptOrigin> {
    for (const serverId of this.#having('prompts')) {
      if (!exposed.startsWith(`mcp__${serverId.slice(0, 16)}`)) continue;
      for (const { name } of await this.#rawListOf(serverId, 'prompts')) {
        if (typeof name === 'string' && name !== '' && exposedName(serverId, name) === exposed)
          return { serverId, name };
      }
    }
    throw noSuchThing('prompt', exposed, 'no server that is ready has it');
  }
}

/** What a server returned for a resource, under the URIs that agents know. */
function withExposedUris(serverId: string, result: RawObject): RawObject {
  const { contents } = result;
  if (!Array.isArray(contents)) return result;
  return {
    ...result,
    contents: contents.map((each: unknown) =>
      isJsonObject(each) && typeof each['uri'] === 'string'
        ? { ...each, uri: exposedUri({ serverId, uri: each['uri'] }) }
        : each,
    ),
  };
}
