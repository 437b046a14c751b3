import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ResultSchema, type ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { AskableClient } from '../../gateway/elicitation/askable-client.ts';
import { LONGEST_TIMER_MS } from '../../lib/time/longest-timer.ts';
import type { WatchedTransport } from '../transport/watched-transport.ts';

/** Most of a client's own name that is kept, in UTF-16 units. */
const MAX_NAME_LENGTH = 100;

/** The client at the other end: as far as it has introduced itself, and can be asked something. */
export class GreetedClient implements AskableClient {
  readonly #server: McpServer['server'];
  readonly #transport: WatchedTransport;
  #hasAsked = false;

  constructor(server: McpServer['server'], transport: WatchedTransport) {
    this.#server = server;
    this.#transport = transport;
  }

  /** `undefined` before it has introduced itself. */
  get introduction(): { readonly name: string; readonly version: string } | undefined {
    const client = this.#server.getClientVersion();
    if (!client) return undefined;
    const short = (text: string) => text.slice(0, MAX_NAME_LENGTH);
    return { name: short(client.name), version: short(client.version) };
  }

  readonly capabilities: AskableClient['capabilities'] = () => this.#server.getClientCapabilities() ?? {};

  readonly protocol: AskableClient['protocol'] = () => this.#transport.protocol ?? '';

  readonly request: AskableClient['request'] = (method, params, signal) => {
    // Clients do not see a cancel of the request with the id 0, which is the first one: that is this.
    if (!this.#hasAsked) this.#server.ping().catch(() => undefined);
    this.#hasAsked = true;
    const options = { signal, timeout: LONGEST_TIMER_MS };
    // What is asked may be of another server: whoever it is for checks it, and has a limit of its own.
    return this.#server.request({ method, params } as ServerRequest, ResultSchema, options);
  };
}
