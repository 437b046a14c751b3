import { ErrorCode, McpError, type Request, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { RawObject } from './manager-event.ts';

/** Answers one request of a server. `signal` aborts when the server does not want the answer any more. */
export type ServerRequestHandler = (
  method: string,
  params: RawObject,
  signal: AbortSignal,
) => Promise<RawObject>;

/** What a server may ask its client. Roots are not among it: a server would take them for what it may touch. */
const ANSWERED = new Set(['sampling/createMessage', 'elicitation/create']);

/** What a server waits for at once at most. */
const MAX_OPEN = 32;

/** The requests of one server that wait for an answer. */
export class AskedByServer {
  readonly #answer: ServerRequestHandler | undefined;
  readonly #open = new Map<RequestId, AbortController>();

  constructor(answer: ServerRequestHandler | undefined) {
    this.#answer = answer;
  }

  /** Notes a request as it arrives: what withdraws it may stand behind it in the same breath. */
  arrived(requestId: RequestId, method: string): void {
    if (this.#answer !== undefined && ANSWERED.has(method) && this.#open.size < MAX_OPEN)
      this.#open.set(requestId, new AbortController());
  }

  /** @throws {McpError} what the server is told when there is no answer. */
  async handle(
    { method, params = {} }: Request,
    { requestId }: { requestId: RequestId },
  ): Promise<RawObject> {
    if (this.#answer === undefined || !ANSWERED.has(method))
      throw new McpError(ErrorCode.MethodNotFound, `Clifford does not answer ${method}`);
    const abort = this.#open.get(requestId);
    if (abort === undefined)
      throw new McpError(ErrorCode.InternalError, `${MAX_OPEN} requests wait for an answer already`);
    try {
      abort.signal.throwIfAborted();
      return await this.#answer(method, params, abort.signal);
    } finally {
      this.#open.delete(requestId);
    }
  }

  /** The server withdraws a request. The SDK overlooks the id 0, which is the first of many servers. */
  cancelled(requestId: unknown): void {
    if (typeof requestId === 'string' || typeof requestId === 'number')
      this.#open.get(requestId)?.abort(new Error('the server withdrew its request'));
  }

  /** The server is gone: none of its requests needs an answer. */
  end(): void {
    for (const abort of this.#open.values()) abort.abort(new Error('the server is gone'));
  }
}
