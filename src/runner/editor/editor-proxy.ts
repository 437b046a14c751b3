import type { Writable } from 'node:stream';
import { CliffordError } from '../../errors.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { isDeeper } from '../../lib/json/json-value.ts';
import { cleanLine } from '../../lib/text/hidden-characters.ts';
import type { Agent } from '../../workflow/project/agent.ts';
import {
  CANCEL,
  CANCEL_REQUEST,
  CREATE_TERMINAL,
  errorCode,
  INITIALIZE,
  keyOf,
  opensSession,
  paramsOf,
  PROMPT,
  REQUEST_PERMISSION,
  UPDATE,
  wireText,
  without,
  WRITE_FILE,
  type AcpAnswer,
  type AcpMessage,
} from './acp-message.ts';
import type { EditorBackend } from './editor-backend.ts';
import { EditorSessions } from './editor-sessions.ts';

/** What no agent says of a call, and what would cost a stack frame for each level. */
const MAX_DEPTH = 100;

/** Longest text that is told to whoever sits at the editor, in UTF-16 units. */
const MAX_TOLD = 2_000;

/** So much may wait for what is being loaded before the agent has to. */
const MAX_WAITING = 500;

const SAME_ID = { code: errorCode.invalidRequest, message: 'A request with this id is under way' };

/** What an {@link EditorProxy} needs. */
export type EditorProxyDeps = {
  readonly agent: Agent;
  /** How rules and the log call the agent. */
  readonly name: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the agent was started, absolute. */
  readonly cwd: string;
  /** Who sits at the editor, as the log names them. */
  readonly by: string;
  readonly report: (problem: unknown) => void;
  readonly toAgent: Writable;
  readonly toEditor: Writable;
};

/**
 * Stands between an editor and an agent that speak the Agent Client Protocol (stable v1). What either says goes on as it
 * is, but for the agent's prompts for permission, which are decided here, and the answers to those, and for what it would
 * have the editor start or write, which is decided, too; what is started gets the mark of what the agent starts itself.
 *
 * What decides and records is loaded while the two get to know each other.
 */
export class EditorProxy {
  readonly #deps: EditorProxyDeps;
  readonly #sessions: EditorSessions;
  /** What the agent asks and is decided here, until it is: its prompts for permission, and what its editor is to do. */
  readonly #asking = new Set<string>();
  #backend: EditorBackend | undefined;
  #loading: Promise<void> | undefined;
  #waiting: ((backend: EditorBackend) => void)[] = [];
  /** The editor shows notices. */
  #showsNotices = false;

  constructor(deps: EditorProxyDeps) {
    this.#deps = deps;
    this.#sessions = new EditorSessions(deps);
  }

  /** A line of the editor's: what of it goes on to the agent. */
  readonly fromEditor = (line: Buffer): Buffer | undefined =>
    without(line, (message) => {
      const { method } = message;
      if (method === undefined) return this.#backend?.prompts.answered(message) ?? false;
      if (opensSession(method)) return !this.#opens(message);
      if (method === CANCEL && this.#asking.size > 0)
        this.#later(({ prompts }) => prompts.turnCancelled(paramsOf(message)['sessionId']));
      if (method === PROMPT) this.#sessions.beginTurn(paramsOf(message)['sessionId']);
      if (method === INITIALIZE) this.#noteClient(paramsOf(message)['clientCapabilities']);
      return false;
    });

  /** A line of the agent's: what of it goes on to the editor. */
  readonly fromAgent = (line: Buffer): Buffer | undefined =>
    without(line, (message) => {
      const { method, id } = message;
      if (method === undefined) {
        const session = this.#sessions.answered(message);
        // Its policy holds from here on.
        if (session) this.#later(({ record }) => void record.of(session));
        this.#loading ??= this.#load();
      }
      if (method === UPDATE) this.#noteUpdate(paramsOf(message));
      if (method === CANCEL_REQUEST) return this.#takesBack(paramsOf(message)['requestId']);
      const isWork = method === CREATE_TERMINAL || method === WRITE_FILE;
      if (method !== REQUEST_PERMISSION && !isWork) return false;
      // Nobody can be answered: what asks nobody does nothing.
      if (id === undefined) return isWork;
      this.#decide(isDeeper(message, MAX_DEPTH) ? { id, method } : message);
      return true;
    });

  /** Waited for before more of the agent is read: what it does is to be in the log. */
  readonly pace = (): Promise<void> | undefined =>
    this.#waiting.length > MAX_WAITING ? this.#loading : this.#backend?.record.pace();

  /** Nothing more comes. Questions stay open. */
  async close(): Promise<void> {
    await this.#loading;
    await this.#backend?.prompts.end();
    await this.#backend?.record.close();
  }

  #decide(message: AcpMessage): void {
    const { id, method } = message;
    // The first one is still to be withdrawn by its id.
    if (this.#asking.has(keyOf(id))) return this.#write({ id, error: SAME_ID });
    this.#asking.add(keyOf(id));
    this.#later(({ prompts }) =>
      method === REQUEST_PERMISSION ? prompts.ask(message) : prompts.does(message),
    );
  }

  /** Has it done in its turn, now or once it is loaded who does it. */
  #later(work: (backend: EditorBackend) => void): void {
    if (this.#backend) return work(this.#backend);
    this.#waiting.push(work);
    this.#loading ??= this.#load();
  }

  async #load(): Promise<void> {
    const { EditorBackend } = await import('./editor-backend.ts');
    const backend = new EditorBackend({
      ...this.#deps,
      session: (id) => this.#sessions.get(id),
      toAgent: (answer) => this.#toAgent(answer),
      toEditor: (message) => this.#toEditor(message),
      handOn: (request) => {
        this.#asking.delete(keyOf(request['id']));
        this.#toEditor(request);
      },
      tell: (sessionId, text) => this.#tell(sessionId, text),
    });
    this.#backend = backend;
    for (const work of this.#waiting.splice(0)) work(backend);
  }

  /** Whether the session may be opened; else the editor is told why not. */
  #opens(message: AcpMessage): boolean {
    try {
      this.#sessions.requested(message);
      return true;
    } catch (error) {
      if (!(error instanceof CliffordError)) throw error;
      this.#toEditor({
        id: message['id'],
        error: { code: errorCode.invalidParams, message: error.inOneLine },
      });
      return false;
    }
  }

  /** Whether it is a request that is decided here, and that the agent does not want an answer to any more. */
  #takesBack(id: unknown): boolean {
    if (!this.#asking.has(keyOf(id))) return false;
    this.#later(({ prompts }) => prompts.withdrawn(id));
    return true;
  }

  #noteClient(capabilities: unknown): void {
    const session = isJsonObject(capabilities) ? capabilities['session'] : undefined;
    this.#showsNotices = isJsonObject(session) && isJsonObject(session['notices']);
  }

  #noteUpdate({ sessionId, update }: AcpMessage): void {
    if (!isJsonObject(update) || typeof sessionId !== 'string') return;
    const kind = String(update['sessionUpdate']);
    if (kind === 'agent_message_chunk') return this.#sessions.said(sessionId, update['content']);
    if (!/^tool_call(_update)?$/.test(kind) || isDeeper(update, MAX_DEPTH)) return;
    const session = this.#sessions.get(sessionId);
    if (!session.isReplayed) this.#later(({ record }) => record.note(session, update));
  }

  /** The answer to a prompt. */
  #toAgent(answer: AcpAnswer): void {
    this.#asking.delete(keyOf(answer.id));
    this.#write(answer);
  }

  #write(answer: AcpAnswer): void {
    this.#deps.toAgent.write(wireText(answer));
  }

  #toEditor(message: object): void {
    this.#deps.toEditor.write(wireText(message));
  }

  /** As a notice, else as a thought: not in the agent's own words. */
  #tell(sessionId: string, text: string): void {
    const told = `Clifford: ${cleanLine(text, MAX_TOLD)}`;
    const update = this.#showsNotices
      ? { sessionUpdate: 'notice', severity: 'info', title: told }
      : { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: `\n${told}\n` } };
    this.#toEditor({ method: UPDATE, params: { sessionId, update } });
  }
}
