import {
  ErrorCode,
  LATEST_PROTOCOL_VERSION,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { messageOf } from '../../lib/message-of.ts';
import type { RawObject } from '../server/manager-event.ts';
import { envelopeOf, envelopeKey, NAMELESS, STATELESS, type Discovery } from './discovery.ts';
import { InputRound, inputRequestsOf } from './input-round.ts';
import { ListChanges } from './list-changes.ts';
import { mirroredArguments, mirroredHeaders, type MirroredArgument } from './mirrored-headers.ts';
import type { ServerTransport } from './server-transport.ts';

/** So often one request may come back for input. */
const MAX_ROUNDS = 32;

/** So many things one result may ask for. */
const MAX_REQUESTS = 32;

export type StatelessServerOptions = {
  readonly discovery: Discovery;
  readonly initialize: JSONRPCRequest;
  readonly wire: ServerTransport;
  /** To the client, as if the server had sent it. */
  readonly deliver: (message: JSONRPCMessage) => void;
  readonly remark: (remark: string) => void;
  /** How long the client waits until changes of lists are heard, in ms. */
  readonly listenMs: number;
};

/** A request of the client that has no answer yet. Each time it is sent it has another id. */
type Open = {
  readonly request: JSONRPCRequest;
  wireId: RequestId;
  rounds: number;
  /** What has to be known before it is sent again. */
  round?: InputRound;
};

/**
 * A server of the revision 2026-07-28 as a client of the older ones knows servers: it is initialised and pinged, has a
 * log level, says when its lists change, and sends requests of its own. In the revision each request carries who asks,
 * a result may ask for input, with which the request is sent again, and nothing comes unasked.
 */
export class StatelessServer {
  readonly #options: StatelessServerOptions;
  readonly #envelope: RawObject;
  readonly #open = new Map<RequestId, Open>();
  readonly #changes: ListChanges;
  readonly #mirrored = new Map<unknown, readonly MirroredArgument[]>();
  #logLevel: RawObject = {};

  constructor(options: StatelessServerOptions) {
    const { discovery, initialize, deliver, listenMs } = options;
    this.#options = options;
    this.#envelope = envelopeOf(initialize);
    this.#changes = new ListChanges({
      capabilities: discovery.capabilities,
      listen: (id, params) => this.#post({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params }),
      abandon: (id) => this.#abandon(id, {}),
      deliver,
      listenMs,
    });
  }

  /** The answer to `initialize`, which no such server gets. */
  introduce(): void {
    const { discovery, initialize } = this.#options;
    const { capabilities, instructions, _meta } = discovery;
    this.#answer(initialize.id, {
      protocolVersion: LATEST_PROTOCOL_VERSION,
      capabilities,
      serverInfo: _meta[envelopeKey('serverInfo')] ?? NAMELESS,
      ...(instructions === undefined ? {} : { instructions }),
    });
  }

  /** Takes what the client sends. @throws what the way to the server does. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message)) return this.#input(message);
    if (!('id' in message)) return this.#notified(message);
    const { id, method } = message;
    if (method === 'logging/setLevel') {
      this.#logLevel = { [envelopeKey('logLevel')]: message.params?.['level'] };
      this.#answer(id, {});
      return;
    }
    if (method === 'resources/subscribe' || method === 'resources/unsubscribe') {
      this.#changes.watch(String(message.params?.['uri']), method === 'resources/subscribe');
      this.#answer(id, {});
      return;
    }
    // A sign of life is all that a ping is for.
    const request = method === 'ping' ? { ...message, method: 'server/discover' } : message;
    this.#open.set(id, { request, wireId: id, rounds: 0 });
    try {
      await this.#post(request);
    } catch (error) {
      this.#open.delete(id);
      throw error;
    }
  }

  /** Takes what the server sends. */
  received(message: JSONRPCMessage): void {
    if (!('method' in message)) {
      this.#responded(message);
    } else if ('id' in message) {
      this.#options.remark(`it sent a request (${message.method}), which its revision of MCP does not have`);
    } else if (!this.#changes.takes(message)) {
      this.#options.deliver(message);
    }
  }

  end(): void {
    this.#changes.end();
    for (const { round } of this.#open.values()) round?.end();
  }

  async #notified({ method, params = {} }: JSONRPCNotification): Promise<void> {
    if (method === 'notifications/initialized') return this.#changes.begin();
    const open =
      method === 'notifications/cancelled' ? this.#open.get(params['requestId'] as RequestId) : undefined;
    if (open === undefined) return;
    this.#open.delete(open.request.id);
    if (open.round) {
      open.round.withdraw();
      return;
    }
    await this.#abandon(open.wireId, params);
  }

  /** The server is to answer a request no longer. */
  async #abandon(wireId: RequestId, params: RawObject): Promise<void> {
    const { wire } = this.#options;
    if (wire.streams) wire.streams.abandon(wireId);
    else
      await wire.send({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { ...params, requestId: wireId, _meta: this.#envelope },
      });
  }

  #responded(message: JSONRPCResultResponse | JSONRPCErrorResponse): void {
    if (this.#changes.ended(message)) return;
    const open = [...this.#open.values()].find(({ wireId, round }) => wireId === message.id && !round);
    // Nobody waits for it any more.
    if (open === undefined) return;
    const { id } = open.request;
    if ('error' in message) {
      this.#open.delete(id);
      this.#options.deliver({ ...message, id });
      return;
    }
    const { resultType = 'complete', ...result } = message.result;
    if (resultType === 'input_required') {
      this.#ask(open, result);
      return;
    }
    if (resultType !== 'complete') {
      this.#fail(open, `its result is of a type that is not known (${String(resultType)})`);
      return;
    }
    this.#open.delete(id);
    this.#options.deliver({ ...message, id, result: this.#withoutUncallable(open.request.method, result) });
  }

  /** The client is asked, as a server of an older revision would ask it. */
  #ask(open: Open, result: RawObject): void {
    const requests = inputRequestsOf(result);
    open.rounds += 1;
    if (requests === undefined) return this.#fail(open, 'it asks for input without saying for which');
    if (open.rounds > MAX_ROUNDS) return this.#fail(open, `it asked for input more than ${MAX_ROUNDS} times`);
    if (requests.size > MAX_REQUESTS)
      return this.#fail(open, `it asks for more than ${MAX_REQUESTS} things at once`);
    const { requestState } = result;
    open.round = new InputRound({
      name: String(open.wireId),
      requests,
      deliver: this.#options.deliver,
      onRefused: (why) => this.#fail(open, why),
      onComplete: (inputResponses) => {
        delete open.round;
        open.wireId = `${open.request.id}.${open.rounds}`;
        const { params, ...request } = open.request;
        const again = {
          ...params,
          ...(requests.size === 0 ? {} : { inputResponses }),
          ...(typeof requestState === 'string' ? { requestState } : {}),
        };
        this.#post({ ...request, id: open.wireId, params: again }).catch((error: unknown) =>
          this.#fail(open, messageOf(error)),
        );
      },
    });
    open.round.begin();
  }

  /** An answer of the client to what it was asked. */
  #input(message: JSONRPCResultResponse | JSONRPCErrorResponse): void {
    for (const { round } of this.#open.values()) if (round?.takes(message)) return;
  }

  #post(request: JSONRPCRequest): Promise<void> {
    const { wire } = this.#options;
    const { params = {}, method, id } = request;
    const { _meta, ...rest } = params;
    const meta = { ...this.#envelope, ...this.#logLevel, ...(isJsonObject(_meta) ? _meta : {}) };
    wire.streams?.standsAlone(
      id,
      mirroredHeaders(
        STATELESS,
        method,
        rest,
        this.#mirrored.get(method === 'tools/call' && rest['name']) ?? [],
      ),
    );
    return wire.send({ ...request, params: { ...rest, _meta: meta } });
  }

  #answer(id: RequestId, result: RawObject): void {
    this.#options.deliver({ jsonrpc: '2.0', id, result: { ...result } });
  }

  #fail(open: Open, message: string): void {
    const { id } = open.request;
    if (!this.#open.delete(id)) return;
    open.round?.withdraw();
    this.#options.deliver({ jsonrpc: '2.0', id, error: { code: ErrorCode.InternalError, message } });
  }

  /** Over HTTP: notes what goes into headers, and leaves out tools of which that cannot be said. */
  #withoutUncallable(method: string, result: Record<string, unknown>): Record<string, unknown> {
    const { tools } = result;
    if (method !== 'tools/list' || !Array.isArray(tools) || !this.#options.wire.streams) return result;
    const callable = tools.filter((tool: unknown) => {
      if (!isJsonObject(tool)) return true;
      const found = mirroredArguments(tool['inputSchema']);
      if ('problem' in found) {
        this.#options.deliver(warning(`the tool ${String(tool['name'])} is left out: ${found.problem}`));
        return false;
      }
      this.#mirrored.set(tool['name'], found.mirrored);
      return true;
    });
    return { ...result, tools: callable };
  }
}

/** What is said of a server in its log. */
function warning(data: string): JSONRPCNotification {
  const params = { level: 'warning', logger: 'clifford', data };
  return { jsonrpc: '2.0', method: 'notifications/message', params };
}
