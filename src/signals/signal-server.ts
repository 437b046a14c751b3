import type { ConfigSource } from '../workflow/config/load-config.ts';
import { existsSync } from 'node:fs';
import { FolderWatch } from '../lib/files/folder-watch.ts';
import type { StoredEvent } from '../events/envelope.ts';
import { BLOCK_FILE, RESPONSE_FILE } from '../workflow/requests/signal-files.ts';
import { AutoResetEvent } from '../lib/time/auto-reset-event.ts';
import { BlockProtocol } from './block-protocol.ts';
import { Claims } from './claims.ts';
import type { SignalDeps } from './signal-deps.ts';
import { recordGone } from './foreign-question.ts';
import { sweepTemporaries } from '../lib/files/sweep-temporaries.ts';
import { QuestionProtocol } from './question-protocol.ts';
import { questionsFolder } from './questions-folder.ts';

/** An agent that waits for an answer goes first: files follow the log after so many ms. */
const AFTER_LOG_MS = 50;

/** What arrives together is looked at together, within so many ms. */
const AFTER_FILE_MS = 5;

/**
 * Keeps the files of a project and its log in step, one round after another: takes what others have
 * written, then shows what the log says. Woken by notifications of both, and once a second.
 */
export class SignalServer {
  readonly #deps: SignalDeps;
  readonly #config: Pick<ConfigSource, 'env' | 'configMemory'>;
  readonly #due = new AutoResetEvent();
  readonly #claims: Claims;
  readonly #block: BlockProtocol;
  readonly #questions: QuestionProtocol;
  #questionsWatch: { readonly folder: string; readonly watch: FolderWatch } | undefined;

  constructor(deps: SignalDeps, config: Pick<ConfigSource, 'env' | 'configMemory'>) {
    this.#deps = deps;
    this.#config = config;
    this.#claims = new Claims(deps);
    this.#block = new BlockProtocol(deps, this.#claims);
    this.#questions = new QuestionProtocol(deps, this.#claims);
    sweepTemporaries(deps.project.dir, (name) => name === BLOCK_FILE || name === RESPONSE_FILE);
  }

  /**
   * Serves until `signal` aborts.
   *
   * @throws {CliffordError} when the log cannot be read or written.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { project } = this.#deps;
    const due = this.#due;
    const onAbort = () => due.set();
    signal.addEventListener('abort', onAbort, { once: true });
    const unsubscribe = project.subscribe((events) => {
      if (events.length === 0 || events.some(matters)) due.setIn(AFTER_LOG_MS);
    });
    const watch = new FolderWatch(project.dir, {
      onChange: (name) => {
        if (name === null || name === BLOCK_FILE || name === RESPONSE_FILE) due.setIn(AFTER_FILE_MS);
      },
      onLook: () => due.set(),
    });
    try {
      while (!signal.aborted) {
        await this.#round();
        const checkIn = this.#deps.reader.nextCheckIn();
        if (checkIn !== undefined) due.setIn(checkIn);
        await due.wait();
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      unsubscribe();
      watch.close();
      this.#questionsWatch?.watch.close();
      due.clear();
    }
  }

  /** Takes the files away that show questions. The questions stay. */
  withdraw(): void {
    this.#block.withdraw();
    this.#questions.withdraw();
  }

  async #round(): Promise<void> {
    const { project, problems } = this.#deps;
    // A project that was deleted must not come back by what is shown in it.
    if (!existsSync(project.dir)) return;
    await project.refresh();
    await this.#claims.settle();
    const isAtBlock = await this.#block.serve();
    const folder = await questionsFolder(this.#deps, this.#config);
    this.#watchQuestions(folder);
    const isInFolder = await this.#questions.serve(folder);
    await recordGone(this.#deps, (label, request) => {
      const isThere = label === this.#block.label ? isAtBlock : isInFolder;
      return isThere?.(label, request) ?? true;
    });
    problems.forget('log');
  }

  #watchQuestions(folder: string | undefined): void {
    if (folder === this.#questionsWatch?.folder) return;
    this.#questionsWatch?.watch.close();
    this.#questionsWatch = undefined;
    if (folder === undefined) return;
    const watch = new FolderWatch(folder, {
      onChange: (name) => {
        if (name === null || name.endsWith('.json')) this.#due.setIn(AFTER_FILE_MS);
      },
      onLook: () => undefined,
    });
    this.#questionsWatch = { folder, watch };
  }
}

/** Whether an event may open or close a request, or say which sprint is under way. */
function matters({ type }: StoredEvent): boolean {
  return /^(help\.(requested|answered|dismissed)$|task\.|sprint\.)/.test(type);
}
