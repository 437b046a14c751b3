import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CliffordError } from '../../errors.ts';
import { serveSignals } from '../../signals/serve-signals.ts';
import { rootOf, type ProjectOptions } from '../../workflow/project/project-options.ts';
import type { Project } from '../../workflow/project/project.ts';
import { dismissRequest } from '../../workflow/requests/answer.ts';
import { answerInWords, apiAnswerer } from '../../workflow/requests/answer-in-words.ts';
import { answerOutcome, type AnswerOutcome } from '../../views/requests/answer-outcome.ts';
import type { CloseOutcome } from '../../workflow/requests/close-request.ts';
import { openRequests } from '../../workflow/requests/find-request.ts';
import { questionRecord, type QuestionRecord } from '../../workflow/requests/question-record.ts';
import { respondByFile } from '../../workflow/requests/signal-files.ts';
import { AgentSession } from './agent-session.ts';
import { OpenBlocks } from './open-blocks.ts';
import type { AgentTransport } from '../transport/agent-transport.ts';
import { ProjectHandle } from './project-handle.ts';
import { ConfigMemory } from '../../workflow/config/config-file.ts';
import { createSession } from '../../gateway/session/session.ts';
import { StdioTransport } from '../transport/stdio-transport.ts';

/** How to start a {@link CliffordMcpServer}. */
export type CliffordMcpServerOptions = ProjectOptions & {
  /** The connection to the agent. Default: the standard streams, which then carry nothing else. */
  readonly transport?: AgentTransport | undefined;
  /** Show questions as files, and take answers from files (docs/file-ipc.md). Default true. */
  readonly questionFiles?: boolean | undefined;
};

/** What a {@link CliffordMcpServer} emits, whichever process caused it. */
export type CliffordMcpServerEvents = {
  /** A question waits for a human: at `start` those that are open, then each new one. */
  block: [QuestionRecord];
  /** It was answered. `response` is the answer that won. */
  'block-resolved': [{ readonly requestId: string; readonly task: string; readonly response: string }];
  /** It ended without an answer: dismissed, or its task or sprint ended. */
  'block-dismissed': [{ readonly requestId: string; readonly task: string }];
  /** An answer could not be written, the log cannot be read, or a tool call failed by a fault of ours. */
  error: [unknown];
};

/** How often is looked whether a project that is gone is there again, in ms. */
const REOPEN_MS = 500;

type Running = {
  readonly handle: ProjectHandle;
  readonly session: AgentSession;
  readonly files: { readonly stop: () => Promise<void> } | undefined;
};

/** The project that is looked at: another one when its log had to be opened anew. */
type Watched = { readonly project: Project; readonly unsubscribe: () => void };

/**
 * Clifford's MCP server for one agent, inside another program, and the human's side of its questions.
 *
 * What it says is a view of the project's log as far as it has been read, also of questions that
 * agents of other processes asked. The current block is the oldest open one. Before `start` and after
 * `stop` everything is false or null.
 */
export class CliffordMcpServer extends EventEmitter<CliffordMcpServerEvents> {
  readonly #options: CliffordMcpServerOptions;
  readonly #blocks = new OpenBlocks({
    opened: (record) => this.emit('block', record),
    resolved: (end) => this.emit('block-resolved', end),
    dismissed: (end) => this.emit('block-dismissed', end),
  });
  /** Answers on their way into the log. */
  readonly #handed = new Set<Promise<CloseOutcome>>();
  #starting: Promise<Running> | undefined;
  #running: Running | undefined;
  #watched: Watched | undefined;

  constructor(options: CliffordMcpServerOptions = {}) {
    super();
    this.#options = options;
  }

  /**
   * Answers the question in `.clifford/mcp-block.json`, from any process, by writing
   * `.clifford/mcp-response.json`. Default project: as for a server.
   *
   * @returns `false` when no question is shown there: nothing was written. `true` says that the response
   *   lies there, not that it was the first answer.
   * @throws {CliffordError} `ROOT_MISSING` or `STATE_DIR_INVALID`; an error of the file system when it cannot be written.
   */
  static resolveViaFile(response: string, options: ProjectOptions = {}): boolean {
    return respondByFile(rootOf(options), response);
  }

  /**
   * Opens the project and begins to serve. Safe to call twice.
   *
   * @throws {CliffordError} when the project's log cannot be read; it can be started again.
   */
  async start(): Promise<void> {
    this.#starting ??= this.#start();
    try {
      this.#running = await this.#starting;
    } catch (error) {
      this.#starting = undefined;
      throw error;
    }
  }

  /** Ends the connection to the agent, after answers under way are in the log. Questions stay open. Safe to call twice. */
  async stop(): Promise<void> {
    const starting = this.#starting;
    this.#starting = undefined;
    const [started] = await Promise.allSettled([starting]);
    if (started.status === 'rejected' || !started.value) return;
    const { session, handle, files } = started.value;
    this.#running = undefined;
    this.#watched?.unsubscribe();
    this.#watched = undefined;
    this.#blocks.clear();
    await Promise.all([session.end('the server was stopped'), files?.stop()]);
    await Promise.allSettled(this.#handed);
    await handle.close();
  }

  isBlocked(): boolean {
    return this.getCurrentBlock() !== null;
  }

  getCurrentBlock(): QuestionRecord | null {
    const [oldest] = this.#watched ? openRequests(this.#watched.project.state) : [];
    return oldest ? questionRecord(oldest) : null;
  }

  /**
   * Answers the current block. `true`: one was open, and the answer was handed to the log; whether it
   * was the first is told by `block-resolved`, or by {@link answer}. What is refused is told by `error`.
   */
  resolveCurrentBlock(response: string): boolean {
    return this.#close((project, { requestId }) =>
      answerInWords(project, requestId, { response }, this.#options),
    );
  }

  /** Dismisses the current block: the agent is told so. `true`: one was open, and it was handed to the log. */
  dismissCurrentBlock(): boolean {
    return this.#close((project, { requestId }) =>
      dismissRequest(project, requestId, apiAnswerer(this.#options, project)),
    );
  }

  /**
   * Answers a request, and tells what became of it. The first answer wins. The words of an option choose it; to a tool
   * call that waits, yes or no.
   *
   * @throws {CliffordError} `APPROVAL_UNCLEAR` when a tool call waits and the words are neither yes nor no,
   *   `NOT_A_HUMAN` when it waits and an agent of a runner answers.
   */
  async answer(requestId: string, response: string): Promise<AnswerOutcome> {
    if (!this.#running) return { accepted: false, because: 'unknown' };
    const outcome = await this.#hand(this.#running, (project) =>
      answerInWords(project, requestId, { response }, this.#options),
    );
    return answerOutcome(outcome, response);
  }

  async #start(): Promise<Running> {
    const { env = process.env, transport, questionFiles = true } = this.#options;
    const root = rootOf(this.#options);
    const handle = new ProjectHandle({ root, env });
    const place = { root, env, report: this.#report.bind(this), configMemory: new ConfigMemory() };
    const session = new AgentSession({
      project: handle,
      session: createSession(place),
      // Structurally the same; the SDK's own type stays out of our declarations.
      transport: (transport as Transport | undefined) ?? this.#stdio(),
    });
    try {
      this.#watch(handle, await handle.get());
      await session.start();
      const files = questionFiles ? serveSignals({ ...place, ...handle.forSignals() }) : undefined;
      return { handle, session, files };
    } catch (error) {
      this.#watched?.unsubscribe();
      this.#watched = undefined;
      await handle.close();
      throw error;
    }
  }

  #stdio(): Transport {
    const { stdin, stdout } = process;
    return new StdioTransport({ stdin, stdout, onLeft: () => void this.stop() });
  }

  #close(how: (project: Project, block: QuestionRecord) => Promise<CloseOutcome>): boolean {
    const block = this.getCurrentBlock();
    if (!this.#running || !block) return false;
    this.#hand(this.#running, (project) => how(project, block)).catch((error: unknown) =>
      this.#report(error),
    );
    return true;
  }

  /** Stopping waits for it. When the log has to be opened anew, the next one does. */
  #hand({ handle }: Running, how: (project: Project) => Promise<CloseOutcome>): Promise<CloseOutcome> {
    const outcome = this.#current(handle).then((project) =>
      how(project.as('/clifford/api')).catch((error: unknown) => {
        if (mustReopen(error)) handle.giveUp(project);
        throw error;
      }),
    );
    this.#handed.add(outcome);
    const done = () => this.#handed.delete(outcome);
    outcome.then(done, done);
    return outcome;
  }

  /** The project as it is open now, from here on the one that is looked at. */
  async #current(handle: ProjectHandle): Promise<Project> {
    const project = await handle.get();
    if (this.#watched && this.#watched.project !== project) this.#watch(handle, project);
    return project;
  }

  #watch(handle: ProjectHandle, project: Project): void {
    this.#watched?.unsubscribe();
    const unsubscribe = project.subscribe((events, state) => {
      this.#blocks.tell(events, state);
      // Woken without an event: the log cannot be read any more, and reading it says why.
      if (events.length === 0) this.#cannotRead(handle, project);
    });
    this.#watched = { project, unsubscribe };
    this.#blocks.tellAll(project.state);
  }

  #cannotRead(handle: ProjectHandle, project: Project): void {
    const reopened = project.refresh().catch((error: unknown) => {
      this.#report(error);
      if (!mustReopen(error) || this.#watched?.project !== project) return;
      handle.giveUp(project);
      return this.#reopen(handle, project);
    });
    reopened.catch((error: unknown) => this.#report(error));
  }

  /** Opens the project instead of `before`: at once, or once it is there again, where it was deleted or moved away. */
  async #reopen(handle: ProjectHandle, before: Project): Promise<void> {
    for (let isNews = true; this.#watched?.project === before; isNews = false) {
      try {
        await this.#current(handle);
      } catch (error) {
        if (isNews) this.#report(error);
        await sleep(REOPEN_MS, undefined, { ref: false });
      }
    }
  }

  #report(problem: unknown): void {
    if (this.listenerCount('error') > 0) this.emit('error', problem);
    else process.emitWarning(problem instanceof Error ? problem : String(problem));
  }
}

function mustReopen(error: unknown): boolean {
  return error instanceof CliffordError && error.recovery === 'reopen';
}
