import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCResultResponse,
  RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { isJsonObject } from '../../lib/json/json-object.ts';
import type { RawObject } from '../server/manager-event.ts';

/** Before a request is sent again for which nothing was asked, in ms: the server only wants it later. */
const LATER_MS = 250;

/** What a result asks for, by the server's own names. */
export type InputRequests = ReadonlyMap<
  string,
  { readonly method: string; readonly params: Record<string, unknown> }
>;

/** The requests in a result that asks for input; none where it only wants to be asked again. `undefined`: it is broken. */
export function inputRequestsOf({ inputRequests = {}, requestState }: RawObject): InputRequests | undefined {
  if (!isJsonObject(inputRequests)) return undefined;
  const requests = new Map<string, { method: string; params: Record<string, unknown> }>();
  for (const [name, request] of Object.entries(inputRequests)) {
    if (!isJsonObject(request) || typeof request['method'] !== 'string') return undefined;
    const { method, params } = request;
    requests.set(name, { method, params: isJsonObject(params) ? { ...params } : {} });
  }
  return requests.size === 0 && typeof requestState !== 'string' ? undefined : requests;
}

export type InputRoundOptions = {
  /** Tells its requests from those of others. */
  readonly name: string;
  readonly requests: InputRequests;
  readonly deliver: (message: JSONRPCMessage) => void;
  /** Called once, if the client does not answer all of it. `why` is a clause. */
  readonly onRefused: (why: string) => void;
  /** Called once, with all answers. */
  readonly onComplete: (inputResponses: RawObject) => void;
};

/** What one result asks for, put to the client as requests, until there is an answer to each. */
export class InputRound {
  readonly #options: InputRoundOptions;
  readonly #waiting = new Map<RequestId, string>();
  readonly #answers = new Map<string, unknown>();
  #later: NodeJS.Timeout | undefined;

  constructor(options: InputRoundOptions) {
    this.#options = options;
    for (const name of options.requests.keys()) this.#waiting.set(`${options.name}/${name}`, name);
  }

  begin(): void {
    const { requests, deliver, onComplete } = this.#options;
    if (requests.size === 0) this.#later = setTimeout(() => onComplete({}), LATER_MS);
    for (const [id, name] of this.#waiting) {
      const request = requests.get(name);
      if (request) deliver({ jsonrpc: '2.0', id, ...request });
    }
  }

  /** Whether an answer of the client is one of this round's. */
  takes(message: JSONRPCResultResponse | JSONRPCErrorResponse): boolean {
    const { id = '' } = message;
    const name = this.#waiting.get(id);
    if (name === undefined) return false;
    this.#waiting.delete(id);
    if ('error' in message) {
      const { method = '' } = this.#options.requests.get(name) ?? {};
      // The SDK puts the code in front of it.
      const why = message.error.message.replace(/^MCP error -?\d+: /, '');
      this.#options.onRefused(`it asked for ${method}, and got no answer: ${why}`);
      return true;
    }
    this.#answers.set(name, message.result);
    if (this.#waiting.size === 0) this.#options.onComplete(Object.fromEntries(this.#answers));
    return true;
  }

  /** The client need not answer any more, and is told. */
  withdraw(): void {
    this.end();
    for (const requestId of this.#waiting.keys())
      this.#options.deliver({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    this.#waiting.clear();
  }

  end(): void {
    clearTimeout(this.#later);
  }
}
