import { once } from 'node:events';
import {
  client,
  methods,
  RequestError,
  type AnyMessage,
  type ClientConnection,
  type ClientContext,
} from '@agentclientprotocol/sdk';
import type { ConversationIo } from '../agents/agent-adapter.ts';
import type { AgentSignal } from '../agents/output/agent-signal.ts';
import { LONG_LINE } from '../agents/output/long-line.ts';
import { errorSignal } from './acp-problem.ts';
import { permissionRequestSchema } from './permission-request.ts';
import { requestIdIn } from './request-id.ts';
import type { PermissionPrompts } from './permission-prompts.ts';

/** So many requests of the agent may be without their answers: one that does not read them is not to fill the memory. */
const MAX_UNANSWERED = 1_000;

/** What is asked of the agent and answered, and the other way round, through the SDK. */
export class AcpConnection {
  readonly #write: ConversationIo['write'];
  readonly #connection: ClientConnection;
  #incoming: ReadableStreamDefaultController<AnyMessage> | undefined;
  /** Requests of the agent whose answers it has not taken. */
  #unanswered = 0;

  constructor(write: ConversationIo['write'], prompts: Pick<PermissionPrompts, 'answer'>) {
    this.#write = write;
    this.#connection = client({ name: 'clifford' })
      .onRequest(methods.client.session.requestPermission, permissionRequestSchema, ({ params, signal }) =>
        prompts.answer(params, signal),
      )
      .connect({
        readable: new ReadableStream<AnyMessage>({
          start: (controller) => void (this.#incoming = controller),
        }),
        writable: new WritableStream<AnyMessage>({ write: (message) => this.#send(message) }),
      });
  }

  get agent(): ClientContext {
    return this.#connection.agent;
  }

  get isClosed(): boolean {
    return this.#connection.signal.aborted;
  }

  /** Resolves when it is closed, at once where it is. */
  async untilClosed(): Promise<void> {
    if (!this.isClosed) await once(this.#connection.signal, 'abort');
  }

  close(): void {
    this.#connection.close();
  }

  /** Takes a message of the agent. Returns what is wrong with it where that ends the connection. */
  take(message: Readonly<Record<string, unknown>>): readonly AgentSignal[] {
    // Ours have numbers. Of another one the SDK would say so on stderr, in the agent's own letters.
    const isOfNobody = !('method' in message) && typeof message['id'] !== 'number';
    // Nobody reads it any more once the agent cannot be answered.
    if (isOfNobody || this.isClosed) return [];
    if ('method' in message && 'id' in message && ++this.#unanswered > MAX_UNANSWERED) return this.#tooMany();
    this.#incoming?.enqueue(message as AnyMessage);
    return [];
  }

  /** Takes how a message begins that is longer than is read: the agent would wait for good for what it may ask in it. */
  takeLong(beginning: string): readonly AgentSignal[] {
    if (this.isClosed) return [];
    const id = requestIdIn(beginning);
    if (id !== undefined) this.refuse(id, LONG_LINE);
    return this.#breakOff(
      `it has sent ${LONG_LINE}, which is not read, and may have asked for something in it`,
    );
  }

  /** Answers a request that is not read. Returns what {@link take} does. */
  refuse(id: string | number, what: string): readonly AgentSignal[] {
    if (++this.#unanswered > MAX_UNANSWERED) return this.#tooMany();
    const { code } = RequestError.invalidRequest();
    void this.#send({ jsonrpc: '2.0', id, error: { code, message: `Clifford does not read ${what}` } });
    return [];
  }

  #tooMany(): readonly AgentSignal[] {
    return this.#breakOff(`it has sent ${MAX_UNANSWERED} requests whose answers it does not read`);
  }

  #breakOff(message: string): readonly AgentSignal[] {
    const error = new Error(message);
    this.#connection.close(error);
    return [errorSignal(error)];
  }

  async #send(message: AnyMessage): Promise<void> {
    if (!(await this.#write(`${JSON.stringify(message)}\n`)))
      this.#connection.close(new Error('the agent is gone'));
    else if (!('method' in message)) this.#unanswered -= 1;
  }
}
