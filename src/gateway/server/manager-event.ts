import type { DownstreamTool } from './downstream-tool.ts';
import type { ServerState } from './server-state.ts';

/** Something a server behind the gateway did, for whoever listens. */
export type ManagerEvent =
  | { readonly kind: 'state'; readonly serverId: string; readonly state: ServerState }
  /** Its tools were listed, for the first time or because they changed. */
  | { readonly kind: 'tools'; readonly serverId: string; readonly tools: readonly DownstreamTool[] }
  /** Its resources, or resource templates, or prompts changed. */
  | { readonly kind: 'resources' | 'prompts'; readonly serverId: string }
  /** One of its resources says something else than before. */
  | { readonly kind: 'updated'; readonly serverId: string; readonly uri: string }
  /** It logged something: the parameters of `notifications/message`, as they came. */
  | { readonly kind: 'log'; readonly serverId: string; readonly params: RawObject };

/** A JSON object as it came over the wire. */
export type RawObject = Readonly<Record<string, unknown>>;
