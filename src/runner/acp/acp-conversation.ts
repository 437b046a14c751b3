import { once } from 'node:events';
import {
  client,
  methods,
  PROTOCOL_VERSION,
  type AgentCapabilities,
  type AnyMessage,
  type ClientConnection,
  type ClientContext,
  type NewSessionRequest,
  type PromptRequest,
} from '@agentclientprotocol/sdk';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { isDeeper, jsonValue } from '../../lib/json/json-value.ts';
import { version } from '../../version.ts';
import type {
  AcpSpeech,
  Conversation,
  ConversationIo,
  Launch,
  LaunchOrder,
} from '../agents/agent-adapter.ts';
import type { AgentSignal } from '../agents/output/agent-signal.ts';
import type { AcpCall } from './acp-call.ts';
import { AcpCalls, type OnUnasked } from './acp-calls.ts';
import { endProblem, errorSignal } from './acp-problem.ts';
import { agentCallOf } from './agent-call-of.ts';
import { PermissionPrompts, type Turn } from './permission-prompts.ts';
import { turnUsage } from './turn-usage.ts';
import { SessionUpdates } from './session-update.ts';
import { UnaskedCalls } from './unasked-calls.ts';

/** What is particular to the agent, and what it was started for. */
export type AcpOrder = Pick<LaunchOrder, 'prompt' | 'sessionId' | 'mcp' | 'projectRoot'> & {
  readonly speech: AcpSpeech;
} & Pick<Launch, 'sessionMeta'>;

/** What no agent says, and what would cost a stack frame for each level. */
const MAX_DEPTH = 100;

/** So many requests of the agent may be without their answers: one that does not read them is not to fill the memory. */
const MAX_UNANSWERED = 1_000;

/**
 * One turn of an agent that speaks the Agent Client Protocol (stable v1, agentclientprotocol.com) on its stdin and
 * stdout: a session is opened or gone on with, the prompt is sent, permissions are asked for until the turn is over.
 *
 * What it tells of the turn (`session/update`) is read as it comes, line by line; requests and their answers go through
 * the SDK's connection.
 */
export class AcpConversation implements Conversation {
  readonly #order: AcpOrder;
  readonly #io: ConversationIo;
  readonly #calls: AcpCalls;
  readonly #updates: SessionUpdates;
  readonly #queued: AgentSignal[] = [];
  readonly #connection: ClientConnection;
  #incoming: ReadableStreamDefaultController<AnyMessage> | undefined;
  #sessionId: string | undefined;
  /** Before the first prompt a session that is loaded tells its whole past again. */
  #isBefore = true;
  #isCancelled = false;
  /** While one goes on that nobody has cancelled. `undefined`: nothing may be asked. */
  #turn: Turn | undefined;
  /** Requests of the agent whose answers it has not taken. */
  #unanswered = 0;
  readonly #prompts: PermissionPrompts;
  readonly #done: UnaskedCalls;

  constructor(order: AcpOrder, io: ConversationIo) {
    this.#order = order;
    this.#io = io;
    this.#done = new UnaskedCalls(io.unasked, (text) => this.#say({ is: 'text', text }));
    this.#calls = new AcpCalls(order.speech.namesOwnTool, (call, how) => this.#unasked(call, how));
    this.#updates = new SessionUpdates(this.#calls, { isNew: order.sessionId === undefined });
    this.#prompts = new PermissionPrompts({
      ...order,
      calls: this.#calls,
      updates: this.#updates,
      permit: io.permit,
      isWanted: io.isWanted,
      say: (...signals) => this.#say(...signals),
      turn: () => this.#turn,
      endTurn: () => this.#endTurn(),
      untilLeft: () => this.#untilLeft(),
    });
    this.#connection = client({ name: 'clifford' })
      .onRequest(methods.client.session.requestPermission, ({ params, signal }) =>
        this.#prompts.answer(params, signal),
      )
      .connect({
        readable: new ReadableStream<AnyMessage>({
          start: (controller) => void (this.#incoming = controller),
        }),
        writable: new WritableStream<AnyMessage>({ write: (message) => this.#write(message) }),
      });
  }

  // Taken out of the object by who reads the output.
  readonly line = (line: string): readonly AgentSignal[] | undefined => {
    const message = jsonValue(line);
    if (!isJsonObject(message)) return undefined;
    if (isDeeper(message, MAX_DEPTH)) return [TOO_DEEP];
    if (message['method'] !== methods.client.session.update) {
      // Ours have numbers. Of another one the SDK would say so on stderr, in the agent's own letters.
      const isOfNobody = !('method' in message) && typeof message['id'] !== 'number';
      // Nobody reads it any more once the agent cannot be answered.
      if (isOfNobody || this.#connection.signal.aborted) return [];
      if ('method' in message && 'id' in message && ++this.#unanswered > MAX_UNANSWERED)
        return this.#unread();
      this.#incoming?.enqueue(message as AnyMessage);
      return [];
    }
    const { params } = message;
    if (!isJsonObject(params) || params['sessionId'] !== this.#sessionId) return [];
    const update = params['update'];
    if (!this.#isBefore) return this.#updates.read(update);
    this.#updates.noteBefore(update);
    return [];
  };

  readonly queued = (): readonly AgentSignal[] => this.#queued.splice(0);

  readonly end = (): readonly AgentSignal[] => {
    this.#connection.close();
    return this.queued();
  };

  async converse(): Promise<void> {
    try {
      await this.#talk(this.#connection.agent);
    } catch (error) {
      if (!this.#isCancelled && !this.#connection.signal.aborted) this.#say(errorSignal(error));
    }
    this.noteExit();
    this.#say({ is: 'turn-over' });
    this.#io.hangUp();
  }

  noteExit(): void {
    this.#turn?.over.abort();
    this.#turn = undefined;
  }

  readonly settled = (): Promise<void> => this.#done.settled();

  async cancel(): Promise<void> {
    this.#isCancelled = true;
    if (this.#prompts.isAnyOpen) return this.leave();
    await this.#endTurn();
  }

  // Ended with its question open it asks again when its session is gone on with; cancelled it would take it for a no.
  leave(): void {
    this.#isCancelled = true;
    this.noteExit();
  }

  /**
   * Whatever else it asks in this turn is cancelled with it: an agent that stops does nothing that it waits for. Once it is
   * called no yes goes out any more.
   */
  async #endTurn(): Promise<void> {
    const told = this.#tellCancelled();
    this.noteExit();
    await told;
  }

  async #tellCancelled(): Promise<void> {
    const sessionId = this.#sessionId;
    if (sessionId === undefined || !this.#turn) return;
    try {
      await this.#connection.agent.notify(methods.agent.session.cancel, { sessionId });
    } catch {
      // It is gone, and its turn with it.
    }
  }

  async #talk(agent: ClientContext): Promise<void> {
    const { agentCapabilities = {}, protocolVersion } = await agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: { name: 'clifford', title: 'Clifford', version },
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    });
    if (protocolVersion !== PROTOCOL_VERSION)
      throw new Error(`it speaks version ${protocolVersion} of the protocol, not ${PROTOCOL_VERSION}`);
    const sessionId = await this.#open(agent, agentCapabilities);
    this.#say({ is: 'session', sessionId });
    const { mode } = this.#order.speech;
    if (mode !== undefined) await agent.request(methods.agent.session.setMode, { sessionId, modeId: mode });
    for (let text: string | undefined = this.#order.prompt; text !== undefined; text = await this.#next()) {
      if (this.#isCancelled) return;
      this.#isBefore = false;
      this.#updates.beginTurn();
      const asked: PromptRequest = { sessionId, prompt: [{ type: 'text', text }] };
      const ended = agent.request(methods.agent.session.prompt, asked);
      const turn = { over: new AbortController(), ended };
      this.#turn = turn;
      const end = await ended;
      this.#turn = undefined;
      turn.over.abort();
      this.#say(...turnUsage(end, this.#order.speech));
      const problem = endProblem(end.stopReason);
      const isOurs = this.#isCancelled || (this.#prompts.hasRefused && end.stopReason === 'cancelled');
      if (problem !== undefined && !isOurs) this.#say(problem);
    }
  }

  async #next(): Promise<string | undefined> {
    // What is asked in the next turn finds in the log what became of this one.
    if (this.#prompts.hasRefused && !this.#isCancelled) await this.#prompts.settled();
    const reasons = this.#prompts.takeReasons();
    return this.#isCancelled || !this.#io.isWanted() ? undefined : reasons;
  }

  async #open(agent: ClientContext, capabilities: AgentCapabilities): Promise<string> {
    const { projectRoot, mcp, speech, sessionId, sessionMeta } = this.#order;
    const env = Object.entries(mcp.env).map(([name, value]) => ({ name, value }));
    const server = { name: 'clifford', command: mcp.command, args: [...mcp.args], env };
    const place: NewSessionRequest = {
      cwd: projectRoot,
      mcpServers: speech.takesMcp ? [server] : [],
      ...(sessionMeta === undefined ? {} : { _meta: sessionMeta }),
    };
    if (sessionId === undefined) {
      const { sessionId: opened } = await agent.request(methods.agent.session.new, place);
      this.#sessionId = opened;
      return opened;
    }
    this.#sessionId = sessionId;
    const canResume = isJsonObject(capabilities.sessionCapabilities?.resume);
    if (!canResume && capabilities.loadSession !== true) throw new Error('it cannot go on with a session');
    const old = { ...place, sessionId };
    if (canResume) await agent.request(methods.agent.session.resume, old);
    else await agent.request(methods.agent.session.load, old);
    return sessionId;
  }

  /** What it has asked stays open while it is being ended. */
  async #untilLeft(): Promise<void> {
    if (this.#isCancelled) await once(this.#connection.signal, 'abort');
  }

  #unasked(call: AcpCall, { name, hasFailed }: Parameters<OnUnasked>[1]): void {
    // What a turn that was cancelled has broken off has failed, too.
    if (hasFailed && !this.#turn) return;
    this.#done.take(agentCallOf(call, this.#order.projectRoot), { id: name, hasFailed });
  }

  async #write(message: AnyMessage): Promise<void> {
    if (!(await this.#io.write(`${JSON.stringify(message)}\n`)))
      this.#connection.close(new Error('the agent is gone'));
    else if (!('method' in message)) this.#unanswered -= 1;
  }

  #unread(): readonly AgentSignal[] {
    const error = new Error(`it has sent ${MAX_UNANSWERED} requests whose answers it does not read`);
    this.#connection.close(error);
    return [errorSignal(error)];
  }

  #say(...signals: readonly AgentSignal[]): void {
    if (signals.length === 0) return;
    this.#queued.push(...signals);
    this.#io.onQueued();
  }
}

const TOO_DEEP: AgentSignal = { is: 'text', text: '[a message that is nested too deeply]' };
