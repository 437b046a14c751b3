import type { JSONRPCMessage, JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { RawObject } from '../server/manager-event.ts';
import { mirroredHeaders } from './mirrored-headers.ts';
import type { ServerTransport } from './server-transport.ts';

/** The revision of MCP that knows no sessions. */
export const STATELESS = '2026-07-28';

/** What the protocol itself says beside a request or a result. */
export function envelopeKey<const Name extends string>(name: Name) {
  return `io.modelcontextprotocol/${name}` as const;
}

/** A server need not say who it is. */
export const NAMELESS = { name: 'unnamed', version: '' };

/** How a server of the revision introduces itself. */
const discoverySchema = z.object({
  supportedVersions: z.array(z.string()),
  capabilities: z.record(z.string(), z.unknown()),
  instructions: z.string().exactOptional(),
  _meta: z
    .object({
      [envelopeKey('serverInfo')]: z.looseObject({ name: z.string(), version: z.string() }).catch(NAMELESS),
    })
    .partial()
    .catch({}),
});
export type Discovery = z.output<typeof discoverySchema>;

/** What a server said of itself if it speaks the revision; `undefined` for every other answer. */
export function discoveryIn(message: JSONRPCMessage): Discovery | undefined {
  const { data } = discoverySchema.safeParse('result' in message ? message.result : undefined);
  return data?.supportedVersions.includes(STATELESS) ? data : undefined;
}

/** Asks a server whether it speaks the revision. `initialize` has who asks. @throws what the way to the server does. */
export function sendDiscover(
  wire: ServerTransport,
  id: RequestId,
  initialize: JSONRPCRequest,
): Promise<void> {
  const method = 'server/discover';
  wire.streams?.standsAlone(id, mirroredHeaders(STATELESS, method, {}, []));
  return wire.send({ jsonrpc: '2.0', id, method, params: { _meta: envelopeOf(initialize) } });
}

/** Who asks, and what it can do: in this revision each request says so. */
export function envelopeOf({ params = {} }: JSONRPCRequest): RawObject {
  return {
    [envelopeKey('protocolVersion')]: STATELESS,
    [envelopeKey('clientInfo')]: params['clientInfo'],
    [envelopeKey('clientCapabilities')]: params['capabilities'],
  };
}
