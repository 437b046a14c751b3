import type { CliffordError } from '../errors.ts';
import type { StoredEvent } from '../events/envelope.ts';
import { SprintRunner, type SprintRunnerOptions } from '../runner/sprint/sprint-runner.ts';
import { chooseSprint, enterChosenSprint, knownSprints } from '../workflow/sprint/choose-sprint.ts';
import { retryTasks } from '../workflow/sprint/control.ts';
import { rootOf, type ProjectOptions } from '../workflow/project/project-options.ts';
import { openProject, type Project } from '../workflow/project/project.ts';
import { requireHuman } from '../workflow/project/require-human.ts';
import { dismissRequest } from '../workflow/requests/answer.ts';
import { answerByTitles, answerInWords, apiAnswerer } from '../workflow/requests/answer-in-words.ts';
import { answerOutcome, type AnswerOutcome } from '../views/requests/answer-outcome.ts';
import { approve, deny } from '../workflow/requests/approval.ts';
import { knownRequest, type Answerer, type CloseOutcome } from '../workflow/requests/close-request.ts';
import { decideAll, type WordToAll } from '../workflow/requests/decide-all.ts';
import { explainFirst } from '../workflow/requests/explain-first.ts';
import { openRequests } from '../workflow/requests/find-request.ts';
import { questionRecord, type QuestionRecord } from '../workflow/requests/question-record.ts';
import { listSprintFolders } from '../workflow/sprint/sprint-folders.ts';
import { editCallOf, type CallEdit } from './edit-call.ts';
import { followEvents } from './follow-events.ts';
import { sprintRecord, type SprintRecord } from './sprint-record.ts';

/** An event of the log, see docs/events.md. */
export type RecordedEvent = {
  readonly id: string;
  readonly type: string;
  /** `sprint` or `sprint/task`. */
  readonly subject: string;
  /** RFC 3339. */
  readonly time: string;
  readonly source: string;
  /** Its place in its stream: 1, 2, 3 … */
  readonly streamversion: number;
  readonly data: object;
};

/** Which events: of one sprint, or of all; with a signal also those to come, until it aborts. */
export type EventFilter = {
  readonly sprint?: string | undefined;
  readonly follow?: AbortSignal;
  /** Called once for each trouble that keeps events from being followed for now. Default: `process.emitWarning`. */
  readonly onProblem?: (problem: CliffordError) => void;
};

/** How far a yes to a tool call reaches: this call, or each call of the tool in its task, its sprint or from now on. */
export type ApproveOptions = { readonly scope?: 'once' | 'task' | 'sprint' | 'always' };

/** Which tasks to do again: one, or without `task` all that failed. Default sprint: the only unfinished one. */
export type RetryOptions = {
  readonly sprint?: string | undefined;
  readonly task?: string | undefined;
  readonly reason?: string | undefined;
};

/**
 * A project, open: its sprints, questions and events, and a human's decisions about them. Whatever runs it, in this
 * process or another, sees what is decided here, and what it does is seen here.
 */
export class CliffordProject {
  readonly #project: Project;
  readonly #options: ProjectOptions;

  private constructor(project: Project, options: ProjectOptions) {
    this.#project = project;
    this.#options = options;
  }

  /**
   * Opens a project. `.clifford/` is made with the first event. Close it when done.
   *
   * @throws {CliffordError} `STATE_DIR_INVALID`, `ROOT_MISSING`, or why its log cannot be read.
   */
  static async open(options: ProjectOptions = {}): Promise<CliffordProject> {
    const { env = process.env } = options;
    const project = await openProject({ root: rootOf(options), source: '/clifford/api', env });
    return new CliffordProject(project, options);
  }

  /** The folder of the project, absolute. */
  get root(): string {
    return this.#project.root;
  }

  /** Every sprint, those with a folder first. */
  async sprints(): Promise<SprintRecord[]> {
    const state = await this.#project.refresh();
    const index = await listSprintFolders(this.root);
    return knownSprints(state, index).map((sprint) => sprintRecord(sprint, state));
  }

  /**
   * A sprint by its id or folder name; without a name the only one that is not finished.
   *
   * @throws {CliffordError} `SPRINT_UNKNOWN`, `SPRINT_UNCLEAR`, or why its manifest cannot be read.
   */
  async sprint(name?: string): Promise<SprintRecord> {
    const state = await this.#project.refresh();
    return sprintRecord(await chooseSprint(this.#project, name), state);
  }

  /** The questions that wait for a human, oldest first, those of every sprint and of none. */
  async questions(): Promise<QuestionRecord[]> {
    return openRequests(await this.#project.refresh()).map(questionRecord);
  }

  /**
   * Events in the order of the log. One that is followed and cannot be read, or is damaged, is read again until it can be.
   *
   * @throws {CliffordError} `LOG_CORRUPT` or `LOG_NEWER`, with the line; `LOG_REPLACED` when the log that is followed is
   *   another one.
   */
  async *events({ sprint, follow, onProblem = warn }: EventFilter = {}): AsyncGenerator<RecordedEvent> {
    const batches = follow
      ? followEvents(this.#project, { signal: follow, onProblem })
      : this.#history(sprint);
    for await (const events of batches) {
      for (const { id, type, subject, time, source, streamversion, data } of events) {
        const isWanted = sprint === undefined || subject === sprint || subject.startsWith(`${sprint}/`);
        if (isWanted) yield { id, type, subject, time, source, streamversion, data };
      }
    }
  }

  /**
   * Answers a question. The first answer wins. The words of an option choose it; to a tool call that waits, yes or
   * no.
   *
   * @throws {CliffordError} `APPROVAL_UNCLEAR` when a tool call waits and the words are neither yes nor no,
   *   `NOT_A_HUMAN` when it waits and an agent of a runner answers.
   */
  async answer(requestId: string, response: string): Promise<AnswerOutcome> {
    return this.#outcome(answerInWords(this.#project, requestId, { response }, this.#options), response);
  }

  /**
   * Answers several questions that were asked at once: by the title of each, or its number from 1, the label or the number of an
   * option, other words, a list of these, or `{ options, words }`.
   *
   * @throws {CliffordError} `ANSWERS_UNFIT` when one that has to be answered is not, or an answer does not fit its question.
   */
  async answerForm(requestId: string, answers: Readonly<Record<string, unknown>>): Promise<AnswerOutcome> {
    return this.#outcome(answerByTitles(this.#project, requestId, answers, this.#options), '');
  }

  /** Asks for a question in other words. The agent is told what is unclear. */
  async rephrase(requestId: string, how: string): Promise<AnswerOutcome> {
    const said = { response: how, rephrase: true } as const;
    return this.#outcome(answerInWords(this.#project, requestId, said, this.#options), how);
  }

  /**
   * Turns a question down. The agent is told why.
   *
   * @throws {CliffordError} `NOT_A_HUMAN` when a tool call waits and an agent of a runner says so.
   */
  async reject(requestId: string, why: string): Promise<AnswerOutcome> {
    const said = { response: why, rejected: true } as const;
    return this.#outcome(answerInWords(this.#project, requestId, said, this.#options), why);
  }

  /** Ends a question without an answer. The agent is told. */
  async dismiss(requestId: string): Promise<AnswerOutcome> {
    return this.#outcome(dismissRequest(this.#project, requestId, this.#answerer), '');
  }

  /**
   * Allows a tool call that waits.
   *
   * @throws {CliffordError} `NOT_AN_APPROVAL` for any other question, `SCOPE_IMPOSSIBLE` for a task or sprint that
   *   the call is not part of, `NOT_A_HUMAN` in a process of an agent of a runner.
   */
  async approve(requestId: string, { scope = 'once' }: ApproveOptions = {}): Promise<AnswerOutcome> {
    this.#requireHuman(`approve ${requestId}`);
    return this.#outcome(approve(this.#project, requestId, { scope, ...this.#answerer }), 'yes');
  }

  /**
   * Refuses a tool call that waits. The agent is told why.
   *
   * @throws {CliffordError} `NOT_AN_APPROVAL` for any other question.
   */
  async deny(requestId: string, reason = 'no'): Promise<AnswerOutcome> {
    return this.#outcome(deny(this.#project, requestId, { reason, ...this.#answerer }), reason);
  }

  /**
   * Allows a tool call that waits as a person has changed it, once: one of a server's tool runs so; of a tool of its own an
   * agent is refused the call and told to make the changed one, which then runs unasked. `reason` is for the log.
   *
   * @throws {CliffordError} `NOT_AN_APPROVAL`, `NOT_A_HUMAN` as {@link approve}; `EDIT_INVALID` when the call has no such
   *   command, `EDIT_SAME`, `EDIT_HIDDEN` when the log has only a part of it, `EDIT_SECRET`, `EDIT_DENIED` by the policy: it
   *   waits on.
   */
  async approveEdited(requestId: string, edit: CallEdit, reason?: string): Promise<AnswerOutcome> {
    this.#requireHuman(`approve ${requestId}`);
    const { env = process.env } = this.#options;
    const answer = { ...this.#answerer, env, response: reason };
    return this.#outcome(editCallOf(this.#project, requestId, edit, answer), 'yes');
  }

  /**
   * Sends a tool call that waits back with a question, by default why the agent wants it. It does not run for now; made
   * again, it is a question whose `call.explanation` has what the agent says.
   *
   * @throws {CliffordError} `NOT_AN_APPROVAL`, `NOT_A_HUMAN` as {@link approve}.
   */
  async explain(requestId: string, question = ''): Promise<AnswerOutcome> {
    this.#requireHuman(`ask about ${requestId}`);
    return this.#outcome(explainFirst(this.#project, requestId, { question, ...this.#answerer }), question);
  }

  /**
   * Allows several tool calls of one sprint that wait, each once: all that somebody else has not decided, or none.
   *
   * @returns what became of each, in the order of the ids.
   * @throws {CliffordError} `NOT_AN_APPROVAL`, `NOT_A_HUMAN` as {@link approve}, `CALLS_APART` for calls of several sprints.
   */
  async approveAll(requestIds: readonly string[]): Promise<AnswerOutcome[]> {
    this.#requireHuman(`approve ${requestIds.join(', ')}`);
    return this.#decideAll(requestIds, { verdict: 'approved', response: 'yes' });
  }

  /** Refuses several tool calls, as {@link approveAll} allows them. The agents are told why. */
  async denyAll(requestIds: readonly string[], reason = 'no'): Promise<AnswerOutcome[]> {
    return this.#decideAll(requestIds, { verdict: 'denied', response: reason });
  }

  /**
   * Makes failed, skipped or cancelled tasks pending again, for a runner to start.
   *
   * @returns their ids.
   * @throws {CliffordError} `NOTHING_FAILED` when no task was named and none has failed; `SPRINT_UNKNOWN` and its like;
   *   `NOT_A_HUMAN` in a process of an agent of a runner.
   */
  async retry({ sprint, task, reason }: RetryOptions = {}): Promise<string[]> {
    this.#requireHuman(task === undefined ? 'retry tasks' : `retry ${task}`);
    const stream = await enterChosenSprint(this.#project, sprint);
    return retryTasks(this.#project, {
      stream,
      by: this.#answerer.by,
      taskId: task,
      reason,
    });
  }

  /** A runner on this project as it is open here, with the same environment. It ends before the project is closed. */
  runner(options: Omit<SprintRunnerOptions, keyof ProjectOptions> = {}): SprintRunner {
    const project = this.#project.as('/clifford/runner');
    return new SprintRunner({ ...options, env: this.#options.env, project });
  }

  /** Closes the log. Safe to call twice. */
  close(): Promise<void> {
    return this.#project.close();
  }

  async *#history(stream: string | undefined): AsyncGenerator<readonly StoredEvent[]> {
    const { log } = this.#project;
    for await (const { events } of log.read(stream === undefined ? {} : { stream })) yield events;
  }

  #requireHuman(action: string): void {
    requireHuman({ env: this.#options.env ?? process.env }, action, this.#project);
  }

  get #answerer(): Answerer {
    return apiAnswerer(this.#options, this.#project);
  }

  async #decideAll(ids: readonly string[], word: Required<WordToAll>): Promise<AnswerOutcome[]> {
    const found = await Promise.all([...new Set(ids)].map((id) => knownRequest(this.#project, id)));
    const calls = found.filter((call) => call !== undefined);
    const { decided, lost } = await decideAll(this.#project, calls, { ...word, ...this.#answerer });
    return ids.map((id) => {
      const ours = decided.find((call) => call.id === id);
      const outcome = ours
        ? ({ accepted: true, request: ours } as const)
        : ({ accepted: false, request: lost.find((call) => call.id === id) } as const);
      return answerOutcome(outcome, word.response ?? '');
    });
  }

  async #outcome(closing: Promise<CloseOutcome>, response: string): Promise<AnswerOutcome> {
    return answerOutcome(await closing, response);
  }
}

function warn(problem: CliffordError): void {
  process.emitWarning(problem);
}
