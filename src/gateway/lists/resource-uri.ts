/** Where a resource is, and the URI its server knows it by. */
export type ResourceOrigin = { readonly serverId: string; readonly uri: string };

const exposed = /^mcp:\/\/([A-Za-z0-9_-]{1,24})\/([\s\S]+)$/;

/** The URI, or the template of URIs, by which agents name a resource of a server: its own, behind the server. */
export function exposedUri({ serverId, uri }: ResourceOrigin): string {
  return `mcp://${serverId}/${uri}`;
}

/** What {@link exposedUri} was made of; `undefined` for a URI that names no server. */
export function resourceOrigin(uri: string): ResourceOrigin | undefined {
  const [, serverId, rest] = exposed.exec(uri) ?? [];
  return serverId === undefined || rest === undefined ? undefined : { serverId, uri: rest };
}
