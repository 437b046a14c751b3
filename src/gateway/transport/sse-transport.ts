import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/** The transport that streamable HTTP has replaced: the SDK calls it deprecated, many servers have no other. */
export function sseTransport(
  url: URL,
  options: { fetch: FetchLike; requestInit: { headers: Record<string, string> } },
): Transport {
  // oxlint-disable-next-line typescript/no-deprecated -- servers that speak nothing else are what it is for
  return new SSEClientTransport(url, options);
}
