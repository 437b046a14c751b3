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
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { isDeeper, jsonValue } from '../../lib/json/json-value.ts';
import { messageOf } from '../../lib/message-of.ts';
import { within } from '../../lib/processes/settled-within.ts';
import { version } from '../../version.ts';
import type {
  AcpSpeech,
  Conversation,
  ConversationIo,
  Launch,
  LaunchOrder,
} from '../agents/agent-adapter.ts';
import type { AgentSignal } from '../agents/output/agent-signal.ts';
import { acpCallSchema, type AcpCall } from './acp-call.ts';
import { AcpCalls } from './acp-calls.ts';
import { endProblem, errorSignal } from './acp-problem.ts';
import { agentCallOf } from './agent-call-of.ts';
import { refusalPrompt, type Refusal } from './refusal-prompt.ts';
import { turnUsage } from './turn-usage.ts';
import { SessionUpdates } from './session-update.ts';
import { UnaskedCalls } from './unasked-calls.ts';

/** What is particular to the agent, and what it was started for. */
export type AcpOrder = Pick<LaunchOrder, 'prompt' | 'sessionId' | 'mcp' | 'projectRoot'> & {
  readonly speech: AcpSpeech;
} & Pick<Launch, 'sessionMeta'>;

/** What no agent says, and what would cost a stack frame for each level. */
const MAX_DEPTH = 100;

/** So many calls may wait for a word at once. */
const MAX_ASKED = 50;

/** So many requests of the agent may be without their answers: one that does not read them is not to fill the memory. */
const MAX_UNANSWERED = 1_000;

/** So long a refused agent may take to end its turn before it has its answer, in ms: one of five waits for the answer. */
const TURN_END_MS = 500;

const CANCELLED: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };

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
  readonly #refusals: Refusal[] = [];
  /** While a turn goes on that nobody has cancelled; aborts when it ends. `undefined`: nothing may be asked. */
  #turn: AbortController | undefined;
  /** The agent's word that its turn is over. */
  #turnEnd: Promise<unknown> = Promise.resolve();
  /** Requests of the agent whose answers it has not taken. */
  #unanswered = 0;
  /** The calls that wait for a word. */
  readonly #asking = new Set<string>();
  readonly #done: UnaskedCalls;

  constructor(order: AcpOrder, io: ConversationIo) {
    this.#order = order;
    this.#io = io;
    this.#done = new UnaskedCalls(io.unasked, (text) => this.#say({ is: 'text', text }));
    this.#calls = new AcpCalls(order.speech.namesOwnTool, (call, how) => this.#unasked(call, how));
    this.#updates = new SessionUpdates(this.#calls, { isNew: order.sessionId === undefined });
    this.#connection = client({ name: 'clifford' })
      .onRequest(methods.client.session.requestPermission, ({ params, signal }) =>
        this.#asked(params, signal),
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
    this.#turn?.abort();
    this.#turn = undefined;
    this.#say({ is: 'turn-over' });
    this.#io.hangUp();
  }

  noteExit(): void {
    this.#turn?.abort();
    this.#turn = undefined;
  }

  readonly settled = (): Promise<void> => this.#done.settled();

  async cancel(): Promise<void> {
    this.#isCancelled = true;
    if (this.#asking.size === 0) return this.#endTurn();
    this.leave();
  }

  // Ended with its question open it asks again when its session is gone on with; cancelled it would take it for a no.
  leave(): void {
    this.#isCancelled = true;
    this.noteExit();
  }

  /** Whatever else it asks in this turn is cancelled with it: an agent that stops does nothing that it waits for. */
  async #endTurn(): Promise<void> {
    const turn = this.#turn;
    this.#turn = undefined;
    const sessionId = this.#sessionId;
    try {
      if (sessionId !== undefined && turn)
        await this.#connection.agent.notify(methods.agent.session.cancel, { sessionId });
    } catch {
      // It is gone, and its turn with it.
    } finally {
      turn?.abort();
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
    for (let text: string | undefined = this.#order.prompt; text !== undefined; text = this.#next()) {
      if (this.#isCancelled) return;
      const turn = new AbortController();
      [this.#turn, this.#isBefore] = [turn, false];
      this.#updates.beginTurn();
      const asked: PromptRequest = { sessionId, prompt: [{ type: 'text', text }] };
      const answered = agent.request(methods.agent.session.prompt, asked);
      this.#turnEnd = answered;
      const end = await answered;
      this.#turn = undefined;
      turn.abort();
      this.#say(...turnUsage(end, this.#order.speech));
      const problem = endProblem(end.stopReason);
      const isOurs = this.#isCancelled || (this.#refusals.length > 0 && end.stopReason === 'cancelled');
      if (problem !== undefined && !isOurs) this.#say(problem);
    }
  }

  /** The words that a turn after a refusal begins with: the protocol has no place for the reason of one. */
  #next(): string | undefined {
    const refusals = this.#refusals.splice(0);
    if (refusals.length === 0 || this.#isCancelled || !this.#io.isWanted()) return undefined;
    return refusalPrompt(refusals);
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

  async #asked(
    { toolCall, options }: RequestPermissionRequest,
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse> {
    const update = acpCallSchema.parse(toolCall);
    const { toolCallId } = update;
    // Once, however far the human's word goes: the rest of it is Clifford's policy, not the agent's memory.
    const option = options.find(({ kind }) => kind === 'allow_once');
    const [turn, turnEnd] = [this.#turn, this.#turnEnd];
    // Nobody is asked for a word that the agent has no use for, or twice for one call at the same time.
    if (!option || !turn || this.#asking.has(toolCallId) || this.#asking.size >= MAX_ASKED) return CANCELLED;
    this.#asking.add(toolCallId);
    try {
      const { call, isRecorded, signals } = this.#calls.asked(update);
      this.#say(...signals);
      const word = await this.#word(call, isRecorded, AbortSignal.any([signal, turn.signal]));
      if (word.is === 'refused') await this.#refused({ ...word, call: call.title ?? '' });
      if (this.#isCancelled) await once(this.#connection.signal, 'abort');
      if (turn.signal.aborted) await within(TURN_END_MS, [turnEnd]);
      if (word.is !== 'allowed' || turn.signal.aborted) return CANCELLED;
      return { outcome: { outcome: 'selected', optionId: option.optionId } };
    } finally {
      this.#asking.delete(toolCallId);
    }
  }

  /**
   * A refusal has no place for its reason, and some agents go on without one: the turn is cancelled before the agent
   * has its answer, and the next one begins with the reason. With its answer some go on before the cancel has reached
   * their model: they have it once the turn is over.
   */
  async #refused(refusal: Refusal): Promise<void> {
    this.#refusals.push(refusal);
    await this.#endTurn();
  }

  async #word(call: AcpCall, isRecorded: boolean, signal: AbortSignal): ReturnType<ConversationIo['permit']> {
    if (this.#order.speech.isOwnTool?.(call)) return { is: 'allowed' };
    // Its attempt is over: what it still does is nobody's task.
    if (!this.#io.isWanted()) return { is: 'cancelled' };
    const wanted = agentCallOf(call, this.#order.projectRoot);
    try {
      return await this.#io.permit(
        wanted,
        { id: call.toolCallId, isRecorded, said: this.#updates.said },
        signal,
      );
    } catch (error) {
      const text = `Clifford could not decide on ${wanted.kind}, so it is not done: ${messageOf(error)}`;
      this.#say({ is: 'text', text });
      return { is: 'cancelled' };
    }
  }

  #unasked(call: AcpCall, { hasFailed }: { readonly hasFailed: boolean }): void {
    // What a turn that was cancelled has broken off has failed, too.
    if (hasFailed && !this.#turn) return;
    this.#done.take(agentCallOf(call, this.#order.projectRoot), { id: call.toolCallId, hasFailed });
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
