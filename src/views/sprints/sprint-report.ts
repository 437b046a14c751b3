import type { Mark } from '../../events/descriptor.ts';
import type { StoredEvent } from '../../events/envelope.ts';
import { markOf } from '../../events/mark-of.ts';
import { createSprintState, type ProjectState, type SprintState } from '../../machines/project-state.ts';
import { duration } from '../../lib/time/duration.ts';
import type { Uncommitted } from '../../workflow/commit/uncommitted-changes.ts';
import { shownArgs } from '../calls/args-text.ts';
import { maskSecrets } from '../calls/masked.ts';
import { decidedParts } from '../events/decided-text.ts';
import type { Decision } from '../events/decisions.ts';
import { eventLine } from '../events/event-line.ts';
import { eventTitle } from '../events/event-title.ts';
import { describeRequest } from '../requests/describe-request.ts';
import { formLines } from '../requests/form-text.ts';
import { requestTitle } from '../requests/request-title.ts';
import { askedIn } from './task-about.ts';
import { describeSprint } from './describe-sprint.ts';
import { countEnded, progressText } from './progress.ts';
import { hadRunner, sprintWord } from './standing.ts';
import { summarise, WorkMeter, type MadeCommit } from './sprint-summary.ts';
import { summaryFacts } from './summary-facts.ts';
import type { TaskFact } from './task-facts.ts';
import { taskItem, type TaskItem } from './task-items.ts';
import { TaskSpans, type TaskSpan } from './task-spans.ts';

/** A sprint as a document: what it took, what became of its tasks, what was asked and decided. Words of others in it are not escaped yet. */
export type SprintReport = {
  readonly id: string;
  readonly name: string;
  /** The one word that people read. */
  readonly word: string;
  /** Of its first and its last event, RFC 3339; absent: it has none. */
  readonly from?: string;
  readonly to?: string;
  /** How far it is: how many tasks it has, and how many of them ended how or wait. */
  readonly progress: {
    readonly total: number;
    readonly done: number;
    readonly failed: number;
    readonly otherwise: number;
    readonly blocked: number;
  };
  /** The same in words; empty: it has no tasks. */
  readonly progressText: string;
  /** How many events it has. */
  readonly events: number;
  /** Why it failed, or nobody runs it. */
  readonly why: string | undefined;
  readonly facts: readonly TaskFact[];
  readonly tasks: readonly ReportedTask[];
  /** The oldest first. */
  readonly asked: readonly ReportedRequest[];
  readonly commits: readonly MadeCommit[];
  /** Events that stand out, the oldest first, up to a number. */
  readonly happened: readonly ReportedEvent[];
  /** Of those that stand out, how many came after them. */
  readonly later: number;
};

/** A task, with when it was worked on and what came of it. */
export type ReportedTask = {
  readonly item: TaskItem;
  readonly spans: readonly TaskSpan[];
  /** Why it failed, and why there was no other attempt. */
  readonly failed: readonly string[];
};

/** What was asked, and what became of it. Times are RFC 3339. */
export type ReportedRequest = {
  readonly id: string;
  readonly isCall: boolean;
  /** On one line. */
  readonly title: string;
  readonly task: string | undefined;
  readonly askedAt: string;
  /** In Markdown, where there is more than its title. */
  readonly question: string;
  readonly reason: string | undefined;
  readonly context: string | undefined;
  /** What could be chosen, or the questions of a form. */
  readonly choices: readonly string[];
  /** Of a call, as one line. */
  readonly args: string | undefined;
  /** Absent: nobody has decided it. */
  readonly decided?: {
    readonly outcome: Decision['outcome'];
    readonly said: string;
    readonly who: string;
    readonly via: string;
    readonly at: string;
  };
  readonly isOpen: boolean;
  /** How long it waited, in words; absent: it still does, or ended with nobody's word. */
  readonly waited?: string;
};

export type ReportedEvent = {
  readonly version: number;
  readonly time: string;
  readonly mark: Mark;
  readonly title: string;
  readonly task: string | undefined;
  readonly text: string;
};

/** So many of the events that stand out are in a report: it is read by people. */
const MOST_EVENTS = 2_000;

/** Makes a report from the events of a sprint, in their order. */
export class ReportMaker {
  readonly #stream: string;
  readonly #meter = new WorkMeter();
  readonly #spans = new TaskSpans();
  readonly #happened: ReportedEvent[] = [];
  #later = 0;
  #first: StoredEvent | undefined;
  #last: StoredEvent | undefined;
  #sprint: SprintState;

  constructor(stream: string) {
    this.#stream = stream;
    this.#sprint = createSprintState(stream);
  }

  /** How many commits were made of its tasks. */
  get commits(): number {
    return this.#meter.commits.commits;
  }

  /** Takes the next event, and the state right after it. */
  take(event: StoredEvent, state: ProjectState): void {
    this.#first ??= event;
    this.#last = event;
    this.#meter.take([event]);
    this.#sprint = state.streams.get(this.#stream) ?? this.#sprint;
    this.#spans.take(event, this.#sprint);
    const mark = markOf(event);
    if (mark === undefined) return;
    if (this.#happened.length === MOST_EVENTS) {
      this.#later += 1;
      return;
    }
    const { version, time, task, text } = eventLine(event, askedIn(state, event));
    this.#happened.push({ version, time, mark, title: eventTitle(event), task, text });
  }

  /**
   * The report of all that was taken.
   *
   * @param known.titles - First headings of the files of tasks, by id.
   * @param known.uncommitted - What there is in the working tree, where somebody has looked.
   */
  report({
    titles,
    uncommitted,
  }: {
    readonly titles: ReadonlyMap<string, string>;
    readonly uncommitted?: Uncommitted | undefined;
  }): SprintReport {
    const sprint = this.#sprint;
    const view = describeSprint(sprint);
    const hasRunner = hadRunner(sprint);
    const summary = summarise(sprint, this.#meter, uncommitted);
    const now = Date.parse(this.#last?.time ?? '');
    const ended = (how: string) => countEnded(view.tasks, how);
    const decisions = new Map(summary.decisions.map((each) => [each.requestId, each]));
    return {
      id: view.id,
      name: view.name,
      word: sprintWord(view, hasRunner),
      ...(this.#first && this.#last ? { from: this.#first.time, to: this.#last.time } : {}),
      progress: {
        total: view.tasks.length,
        done: ended('completed'),
        failed: ended('failed'),
        otherwise: ended('skipped') + ended('cancelled'),
        blocked: view.tasks.filter(({ state }) => state === 'blocked').length,
      },
      progressText: view.tasks.length === 0 ? '' : progressText(view.tasks),
      events: this.#last?.streamversion ?? 0,
      why: view.state === 'done' ? view.lastFailure : view.left?.reason,
      facts: summaryFacts(summary),
      tasks: view.tasks.map((task) => ({
        item: taskItem(task, { now, titles, hasRunner, isQueued: view.queuedAt !== undefined }),
        spans: this.#spans.of(task.id),
        failed: task.detail === 'failed' ? [task.lastFailure, task.gaveUp].flatMap((why) => why ?? []) : [],
      })),
      asked: [...sprint.requests.values()].map((request) =>
        reportRequest(describeRequest(request), decisions.get(request.id)),
      ),
      commits: summary.commitsMade,
      happened: this.#happened,
      later: this.#later,
    };
  }
}

function reportRequest(
  request: ReturnType<typeof describeRequest>,
  decision: Decision | undefined,
): ReportedRequest {
  const { id, task, kind, question, reason, context, options, questions, approval, askedAt, phase } = request;
  return {
    id,
    isCall: approval !== undefined,
    title: requestTitle({ kind, question, ...(approval && { approval }) }),
    task,
    askedAt,
    question: approval ? (approval.explanation?.words ?? '') : question,
    reason,
    context,
    choices: questions ? formLines(questions) : options,
    args: approval && shownArgs(maskSecrets(approval.args)),
    isOpen: phase === 'open',
    ...(decision && {
      decided: {
        ...decidedParts(decision),
        outcome: decision.outcome,
        via: decision.via,
        at: decision.at,
      },
      waited: duration(Math.max(0, Date.parse(decision.at) - Date.parse(askedAt))),
    }),
  };
}
