import { randomInt } from 'node:crypto';
import { isJsonObject } from '../../lib/json/json-object.ts';
import {
  CANCEL_REQUEST,
  CREATE_TERMINAL,
  errorCode,
  keyOf,
  paramsOf,
  REQUEST_PERMISSION,
  type AcpAnswer,
  type AcpMessage,
} from './acp-message.ts';
import { EditorPrompt, wantedOf, type PromptDeps, type PromptEnd } from './editor-prompt.ts';
import type { SessionRecord } from './editor-record.ts';
import { markedTerminal, terminalCall } from './terminal-call.ts';
import { writeCall } from './write-call.ts';
import { permissionSchema, yesOf, type PermissionParams, type PromptOption } from './prompt-options.ts';

/** So many calls may wait for a word at once. */
const MAX_ASKED = 50;

/**
 * The editor gets prompts with ids of ours, above all that agents count up to, and where nobody can tell: the editor's answer to
 * another request of the agent's is not to be taken for one to a prompt. Below what 32 bits hold.
 */
const FIRST_IDS = [1_000_000_000, 2_000_000_000] as const;

/** What a {@link EditorPrompts} needs. */
export type PromptsDeps = Omit<PromptDeps, 'show'> & {
  readonly session: (id: string) => SessionRecord;
  readonly toAgent: (answer: AcpAnswer) => void;
  readonly toEditor: (message: object) => void;
  /** Passes a request of the agent's on, after all: it is the editor's from then on. */
  readonly handOn: (request: AcpMessage) => void;
};

/** Where the permission prompts of an agent come in, and the editor's answers. */
export class EditorPrompts {
  readonly #deps: PromptsDeps;
  /** By the agent's ids. */
  readonly #prompts = new Map<string, EditorPrompt>();
  /** By the ids that the editor has. */
  readonly #shown = new Map<number, EditorPrompt>();
  readonly #deciding = new Set<Promise<void>>();
  readonly #firstId = randomInt(...FIRST_IDS);
  #nextId = this.#firstId;
  #hasEnded = false;

  constructor(deps: PromptsDeps) {
    this.#deps = deps;
  }

  /** Takes a request of the agent's for permission, and sees to it that it is answered. */
  ask({ id, params }: AcpMessage): void {
    const { toAgent } = this.#deps;
    const read = permissionSchema.safeParse(params);
    if (!read.success) return toAgent({ id, error: NO_PERMISSION_REQUEST });
    this.#decide(id, read.data, paramsOf({ params }), (end) => {
      toAgent(answerOf(id, end));
      return typeof end === 'object' && end.optionId === yesOf(read.data);
    });
  }

  /**
   * Takes a request of the agent's to have the editor start a program, or write a file. One for what was allowed goes on,
   * once; any other is asked about as if the agent had.
   */
  does(message: AcpMessage): void {
    const { toAgent, handOn, session, agent } = this.#deps;
    const { id } = message;
    const isStart = message['method'] === CREATE_TERMINAL;
    const asked = isStart ? terminalCall(message) : writeCall(message);
    if (!asked) return toAgent({ id, error: NOTHING_TO_DO });
    const record = session(asked.sessionId);
    const goesOn = () => handOn(isStart ? markedTerminal(message, agent.id) : message);
    if (record.allowed.use(wantedOf(asked.toolCall, record))) return goesOn();
    this.#decide(id, asked, asked, (end) => {
      if (typeof end === 'object' && end.optionId === yesOf(asked)) {
        goesOn();
        record.done.add(wantedOf(asked.toolCall, record), asked.toolCall.toolCallId);
        record.note(record.calls.take({ toolCallId: asked.toolCall.toolCallId, status: 'completed' }));
      } else toAgent({ id, error: end === 'withdrawn' ? CANCELLED : REFUSED });
      return false;
    });
  }

  /** @param answer - Tells the agent. Returns whether it now has a yes that it has not used. */
  #decide(id: unknown, asked: PermissionParams, sent: AcpMessage, answer: (end: PromptEnd) => boolean): void {
    const { session } = this.#deps;
    const key = keyOf(id);
    const isAsking = [...this.#prompts.values()].some((each) => isSameCall(each.params, asked));
    // Two prompts for one call would take the same yes.
    if (this.#hasEnded || isAsking || this.#prompts.size >= MAX_ASKED) return void answer('cancelled');
    // As the agent has sent it but for the answers, and where it is made if only the agent has said so before.
    const show = (shown: EditorPrompt, options: readonly PromptOption[]) =>
      this.#show(shown, { ...sent, toolCall: { ...toolCallOf(sent), ...shown.shownAs }, options });
    const prompt = new EditorPrompt(asked, session(asked.sessionId), { ...this.#deps, show });
    this.#prompts.set(key, prompt);
    const deciding = prompt
      .decide((end) => {
        this.#prompts.delete(key);
        if (answer(end)) prompt.session.allowed.add(prompt.wanted, asked.toolCall.toolCallId);
      })
      .finally(() => this.#deciding.delete(deciding));
    this.#deciding.add(deciding);
  }

  /** Takes the editor's answer to a prompt. False: it answers something else. */
  answered({ id, result }: AcpMessage): boolean {
    if (typeof id !== 'number' || id < this.#firstId || id >= this.#nextId) return false;
    const prompt = this.#shown.get(id);
    this.#shown.delete(id);
    // Else it comes too late, and the editor has been told.
    prompt?.answered(result);
    return true;
  }

  /** The agent takes a request back. */
  withdrawn(id: unknown): void {
    this.#prompts.get(keyOf(id))?.withdraw('agent');
  }

  /** The turn was cancelled in the editor. */
  turnCancelled(sessionId: unknown): void {
    for (const prompt of this.#prompts.values())
      if (prompt.session.id === sessionId) prompt.withdraw('editor');
  }

  /** Nobody waits for answers any more; the questions stay open. Resolves when that is recorded. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    for (const prompt of this.#prompts.values()) prompt.abandon();
    await Promise.all(this.#deciding);
  }

  #show(prompt: EditorPrompt, params: object): () => void {
    const { toEditor } = this.#deps;
    const id = this.#nextId;
    this.#nextId += 1;
    this.#shown.set(id, prompt);
    toEditor({ id, method: REQUEST_PERMISSION, params });
    return () => {
      if (this.#shown.delete(id)) toEditor({ method: CANCEL_REQUEST, params: { requestId: id } });
    };
  }
}

const NO_PERMISSION_REQUEST = { code: errorCode.invalidParams, message: 'This is no request for permission' };
const NOTHING_TO_DO = {
  code: errorCode.invalidParams,
  message: 'This is no command to start, or file to write',
};
const REFUSED = { code: errorCode.invalidRequest, message: 'Clifford: this was not allowed' };
const CANCELLED = { code: errorCode.cancelled, message: 'Request cancelled' };

function toolCallOf({ toolCall }: AcpMessage): AcpMessage {
  return isJsonObject(toolCall) ? toolCall : {};
}

function isSameCall(one: PermissionParams, other: PermissionParams): boolean {
  return one.sessionId === other.sessionId && one.toolCall.toolCallId === other.toolCall.toolCallId;
}

function answerOf(id: unknown, end: PromptEnd): AcpAnswer {
  if (end === 'withdrawn') return { id, error: CANCELLED };
  const outcome =
    end === 'cancelled' ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: end.optionId };
  return { id, result: { outcome } };
}
