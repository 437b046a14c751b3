import { RequestError, type RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { PermissionWord } from '../../gateway/permission/agent-call.ts';
import { messageOf } from '../../lib/message-of.ts';
import { within } from '../../lib/processes/settled-within.ts';
import type { AcpSpeech, ConversationIo, LaunchOrder } from '../agents/agent-adapter.ts';
import type { AgentSignal } from '../agents/output/agent-signal.ts';
import type { AcpCall } from './acp-call.ts';
import type { AcpCalls } from './acp-calls.ts';
import { agentCallOf } from './agent-call-of.ts';
import type { PermissionRequest } from './permission-request.ts';
import { refusalPrompt, type Refusal } from './refusal-prompt.ts';
import type { SessionUpdates } from './session-update.ts';

/** So many calls may wait for a word at once. */
const MAX_ASKED = 50;

/** So long a refused agent may take to end its turn before it has its answer, in ms: one of five waits for the answer. */
const TURN_END_MS = 500;

const CANCELLED: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };

/** A turn that goes on and that nobody has cancelled. */
export type OpenTurn = {
  /** Aborts when it ends. */
  readonly over: AbortController;
  /** The agent's word that it is over. */
  readonly ended: Promise<unknown>;
};

/** The conversation that the agent asks in. */
export type PromptPlace = Pick<ConversationIo, 'permit' | 'isWanted'> & {
  readonly speech: Pick<AcpSpeech, 'isOwnTool'>;
  readonly projectRoot: LaunchOrder['projectRoot'];
  readonly calls: Pick<AcpCalls, 'asked' | 'allowed' | 'refused'>;
  readonly updates: Pick<SessionUpdates, 'said'>;
  /** `undefined`: none is open yet. */
  readonly sessionId: () => string | undefined;
  readonly say: (...signals: readonly AgentSignal[]) => void;
  /** `undefined`: nothing may be asked. */
  readonly turn: () => OpenTurn | undefined;
  /** Cancels the turn. */
  readonly endTurn: () => Promise<void>;
  /** Resolves at once, or, where the agent is being ended, when it is gone. */
  readonly untilLeft: () => Promise<void>;
};

/** What an agent asks permission for, until it has its answer. */
export class PermissionPrompts {
  readonly #place: PromptPlace;
  /** The calls that wait for a word, and how the agent calls them. */
  readonly #waiting = new Map<string, string>();
  readonly #refusals = new Map<string, Refusal>();
  readonly #answering = new Set<Promise<unknown>>();
  /** What ended without a word since something else was refused. */
  readonly #brokenOff = new Map<string, string>();
  readonly #said = new Set<string>();

  constructor(place: PromptPlace) {
    this.#place = place;
  }

  /** A call waits for a word. */
  get isAnyOpen(): boolean {
    return this.#waiting.size > 0;
  }

  /** Something was refused, and the agent does not know why yet. */
  get hasRefused(): boolean {
    return this.#refusals.size > 0;
  }

  /** The words that a turn after a refusal begins with, once: the protocol has no place for the reason of one. */
  takeReasons(): string | undefined {
    const refusals = new Map(this.#refusals);
    const brokenOff = [...this.#brokenOff].filter(([id]) => !refusals.has(id)).map(([, title]) => title);
    this.#refusals.clear();
    this.#brokenOff.clear();
    return refusals.size === 0 ? undefined : refusalPrompt([...refusals.values()], brokenOff);
  }

  /** Answers the agent's question. `signal`: it takes the question back. */
  answer(request: PermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse> {
    const answering = this.#answer(request, signal).finally(() => this.#answering.delete(answering));
    this.#answering.add(answering);
    return answering;
  }

  /** Resolves when all that was asked so far has its answer, and what became of it is in the log. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#answering);
  }

  async #answer(
    { sessionId, toolCall: update, options }: PermissionRequest,
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse> {
    // Before its own is open nothing may be asked.
    if (sessionId !== (this.#place.sessionId() ?? sessionId)) {
      this.#sayOnce(
        'It asks for permission in a session that is not its own: it gets an error, and nobody is asked',
      );
      throw RequestError.sessionNotFound(sessionId);
    }
    const { toolCallId } = update;
    // Once, however far the human's word goes: the rest of it is Clifford's policy, not the agent's memory.
    const option = options.find(({ kind }) => kind === 'allow_once');
    const turn = this.#place.turn();
    // Nobody is asked for a word that the agent has no use for, or twice for one call at the same time.
    if (!option || !turn || this.#waiting.has(toolCallId) || this.#waiting.size >= MAX_ASKED) {
      if (!option) this.#sayOnce('It asks, and offers no "allow once": it is told no, and nobody is asked');
      else if (turn && this.#waiting.size >= MAX_ASKED)
        this.#sayOnce(
          `It asks about more than ${MAX_ASKED} calls at once: it is told no to what is beyond that`,
        );
      await this.#place.untilLeft();
      return CANCELLED;
    }
    const over = turn.over.signal;
    const isVain = AbortSignal.any([signal, over]);
    this.#waiting.set(toolCallId, update.title ?? '');
    try {
      const { call, name, folder, isRecorded, signals } = this.#place.calls.asked(update);
      this.#waiting.set(toolCallId, call.title ?? '');
      this.#place.say(...signals);
      const word = await this.#word(call, { id: name, folder, isRecorded }, isVain);
      // Decided and answered in one go: a yes counts as used exactly if the agent is told.
      if (word.is === 'allowed' && !isVain.aborted) {
        this.#place.calls.allowed(toolCallId);
        return { outcome: { outcome: 'selected', optionId: option.optionId } };
      }
      if (word.is === 'allowed') await this.#giveBack(word);
      if (word.is === 'refused') await this.#refused(toolCallId, { ...word, call: call.title ?? '' });
      await this.#place.untilLeft();
      if (over.aborted) await within(TURN_END_MS, [turn.ended]);
      return CANCELLED;
    } finally {
      this.#waiting.delete(toolCallId);
    }
  }

  /** To whoever wonders why nothing is asked. */
  #sayOnce(text: string): void {
    if (!this.#said.has(text)) this.#place.say({ is: 'text', text });
    this.#said.add(text);
  }

  async #word(
    call: AcpCall,
    {
      folder,
      ...known
    }: Pick<ReturnType<AcpCalls['asked']>, 'folder' | 'isRecorded'> & { readonly id: string },
    signal: AbortSignal,
  ): ReturnType<ConversationIo['permit']> {
    const { speech, isWanted, projectRoot, permit, updates, say } = this.#place;
    if (speech.isOwnTool?.(call)) return { is: 'allowed' };
    // Its attempt is over: what it still does is nobody's task.
    if (!isWanted()) return { is: 'cancelled' };
    const wanted = agentCallOf(call, projectRoot, { told: folder });
    try {
      return await permit(wanted, { ...known, said: updates.said }, signal);
    } catch (error) {
      const text = `Clifford could not decide on ${wanted.kind}, so it is not done: ${messageOf(error)}`;
      say({ is: 'text', text });
      return { is: 'cancelled' };
    }
  }

  /**
   * A refusal has no place for its reason, and some agents go on without one: the turn is cancelled before the agent
   * has its answer, and the next one begins with the reason. With its answer some go on before the cancel has reached
   * their model: they have it once the turn is over.
   */
  async #refused(id: string, refusal: Refusal): Promise<void> {
    this.#refusals.set(id, refusal);
    this.#place.calls.refused(id);
    for (const [other, title] of this.#waiting) this.#brokenOff.set(other, title);
    await this.#place.endTurn();
  }

  async #giveBack({ giveBack }: PermissionWord & { is: 'allowed' }): Promise<void> {
    try {
      await giveBack?.();
    } catch (error) {
      const text = `Clifford could not keep the yes to a call that was broken off: ${messageOf(error)}`;
      this.#place.say({ is: 'text', text });
    }
  }
}
