import { methods, type ClientContext, type PromptRequest } from '@agentclientprotocol/sdk';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { isDeeper, jsonValue } from '../../lib/json/json-value.ts';
import type { Conversation, ConversationIo, LaunchOrder } from '../agents/agent-adapter.ts';
import type { AgentSignal } from '../agents/output/agent-signal.ts';
import type { AcpCall } from './acp-call.ts';
import { AcpCalls, type Unasked } from './acp-calls.ts';
import { AcpNotes } from './acp-notes.ts';
import { AcpConnection } from './acp-connection.ts';
import { endProblem, errorSignal } from './acp-problem.ts';
import { agentCallOf } from './agent-call-of.ts';
import { openSession, type SessionOrder } from './open-session.ts';
import { PermissionPrompts, type OpenTurn } from './permission-prompts.ts';
import { turnUsage } from './turn-usage.ts';
import { SessionUpdates } from './session-update.ts';
import { UnaskedCalls } from './unasked-calls.ts';

/** What is particular to the agent, and what it was started for. */
export type AcpOrder = SessionOrder & Pick<LaunchOrder, 'prompt'>;

/** What no agent says, and what would cost a stack frame for each level. */
const MAX_DEPTH = 100;

/**
 * One turn of an agent that speaks the Agent Client Protocol (stable v1, agentclientprotocol.com) on its stdin and
 * stdout: a session is opened or gone on with, the prompt is sent, permissions are asked for until the turn is over.
 *
 * What it tells of the turn (`session/update`) is read as it comes, line by line; requests and their answers go through
 * the SDK's connection.
 */
export class AcpConversation implements Conversation {
  /** It says nothing to people there. */
  readonly logsOnStderr = true;
  readonly #order: AcpOrder;
  readonly #io: ConversationIo;
  readonly #calls: AcpCalls;
  readonly #updates: SessionUpdates;
  readonly #queued: AgentSignal[] = [];
  readonly #connection: AcpConnection;
  #sessionId: string | undefined;
  /** Before the first prompt a session that is loaded tells its whole past again. */
  #isBefore = true;
  #isCancelled = false;
  /** While one goes on that nobody has cancelled. `undefined`: nothing may be asked. */
  #turn: OpenTurn | undefined;
  readonly #prompts: PermissionPrompts;
  readonly #done: UnaskedCalls;
  readonly #notes: AcpNotes;

  constructor(order: AcpOrder, io: ConversationIo) {
    this.#order = order;
    this.#io = io;
    this.#sessionId = order.sessionId;
    this.#done = new UnaskedCalls(io.unasked, (text) => this.#say({ is: 'text', text }));
    this.#notes = new AcpNotes(io.notes);
    this.#calls = new AcpCalls(order.speech.namesOwnTool, (call, how) => this.#unasked(call, how));
    this.#updates = new SessionUpdates(this.#calls, { isNew: order.sessionId === undefined });
    this.#prompts = new PermissionPrompts({
      ...order,
      calls: this.#calls,
      updates: this.#updates,
      sessionId: () => this.#sessionId,
      permit: io.permit,
      isWanted: io.isWanted,
      say: (...signals) => this.#say(...signals),
      turn: () => this.#turn,
      endTurn: () => this.#endTurn(),
      untilLeft: () => this.#untilLeft(),
    });
    this.#connection = new AcpConnection(io.write, this.#prompts);
  }

  // Taken out of the object by who reads the output.
  readonly line = (line: string): readonly AgentSignal[] | undefined => {
    const message = jsonValue(line);
    if (!isJsonObject(message)) return undefined;
    if (isDeeper(message, MAX_DEPTH)) return this.#tooDeep(message);
    if (message['method'] !== methods.client.session.update) return this.#connection.take(message);
    const { params } = message;
    if (!isJsonObject(params) || params['sessionId'] !== this.#sessionId) return [];
    const update = params['update'];
    if (!this.#isBefore) {
      if (this.#turn) this.#notes.noteSign();
      return this.#updates.read(update);
    }
    this.#updates.noteBefore(update);
    return [];
  };

  readonly longLine = (beginning: string): readonly AgentSignal[] => this.#connection.takeLong(beginning);

  readonly queued = (): readonly AgentSignal[] => this.#queued.splice(0);

  readonly end = (): readonly AgentSignal[] => {
    this.#connection.close();
    return this.queued();
  };

  async converse(): Promise<void> {
    try {
      await this.#talk(this.#connection.agent);
    } catch (error) {
      if (!this.#isCancelled && !this.#connection.isClosed) this.#say(errorSignal(error));
    }
    this.noteExit();
    this.#say({ is: 'turn-over' });
    this.#io.hangUp();
  }

  noteExit(): void {
    this.#turn?.over.abort();
    this.#turn = undefined;
  }

  readonly canSteer = (): boolean => this.#turn !== undefined && !this.#isCancelled && this.#notes.canSteer;

  readonly steer = (): Promise<void> => this.#notes.steer();

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
    const { sessionId, canSteer } = await openSession(agent, this.#order);
    this.#sessionId = sessionId;
    if (canSteer) this.#notes.open(agent, sessionId);
    this.#say({ is: 'session', sessionId });
    const { mode } = this.#order.speech;
    if (mode !== undefined) await agent.request(methods.agent.session.setMode, { sessionId, modeId: mode });
    for (let text: string | undefined = this.#order.prompt; text !== undefined; text = await this.#next()) {
      if (this.#isCancelled) return;
      await this.#prompt(agent, { sessionId, prompt: [{ type: 'text', text }] });
    }
  }

  /** One turn of the agent, to its end. */
  async #prompt(agent: ClientContext, asked: PromptRequest): Promise<void> {
    this.#isBefore = false;
    this.#updates.beginTurn();
    const ended = agent.request(methods.agent.session.prompt, asked);
    const turn = { over: new AbortController(), ended };
    this.#turn = turn;
    this.#io.notes.wake();
    const end = await ended;
    this.#turn = undefined;
    turn.over.abort();
    this.#notes.noteSign();
    this.#say(...turnUsage(end, this.#order.speech));
    const problem = endProblem(end.stopReason);
    const isOurs = this.#isCancelled || (this.#prompts.hasRefused && end.stopReason === 'cancelled');
    if (problem !== undefined && !isOurs) this.#say(problem);
  }

  async #next(): Promise<string | undefined> {
    // What is asked in the next turn finds in the log what became of this one.
    if (this.#prompts.hasRefused && !this.#isCancelled) await this.#prompts.settled();
    const reasons = this.#prompts.takeReasons();
    if (this.#isCancelled || !this.#io.isWanted()) return undefined;
    const notes = await this.#notes.forNextTurn();
    if (this.#isCancelled || !this.#io.isWanted()) return undefined;
    return reasons === undefined ? notes : [reasons, ...(notes === undefined ? [] : [notes])].join('\n\n');
  }

  /** What it has asked stays open while it is being ended. */
  async #untilLeft(): Promise<void> {
    if (this.#isCancelled) await this.#connection.untilClosed();
  }

  #unasked(call: AcpCall, { name, folder, hasFailed, wasRefused }: Unasked): void {
    // What a turn that was cancelled has broken off has failed, too.
    if (hasFailed && !this.#turn) return;
    this.#done.take(agentCallOf(call, this.#order.projectRoot, { told: folder }), {
      id: name,
      hasFailed,
      wasRefused,
    });
  }

  #tooDeep({ id, method }: Readonly<Record<string, unknown>>): readonly AgentSignal[] {
    const what = 'a message that is nested too deeply';
    const isRequest = typeof method === 'string' && (typeof id === 'string' || typeof id === 'number');
    const refused = isRequest ? this.#connection.refuse(id, what) : [];
    return [{ is: 'text', text: `[${what}]` }, ...refused];
  }

  #say(...signals: readonly AgentSignal[]): void {
    if (signals.length === 0) return;
    this.#queued.push(...signals);
    this.#io.onQueued();
  }
}
