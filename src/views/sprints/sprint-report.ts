import type { Mark } from '../../events/descriptor.ts';
import type { StoredEvent } from '../../events/envelope.ts';
import { markOf } from '../../events/mark-of.ts';
import { createSprintState, type ProjectState, type SprintState } from '../../machines/project-state.ts';
import type { Uncommitted } from '../../workflow/commit/uncommitted-changes.ts';
import { eventLine } from '../events/event-line.ts';
import { eventTitle } from '../events/event-title.ts';
import { readableEvent } from '../events/readable-event.ts';
import { reportRequests, type ReportedRequest } from '../requests/reported-request.ts';
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
  /** Its earliest time and its latest one, RFC 3339. */
  readonly from: string;
  readonly to: string;
  /** More has happened since. */
  readonly isPast: boolean;
  readonly isOver: boolean;
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
  /** The latest of what was asked, the oldest first, and how many were before. */
  readonly asked: readonly ReportedRequest[];
  readonly askedBefore: number;
  readonly commits: readonly MadeCommit[];
  /** Events that stand out, the oldest first: the first ones, and the last ones. */
  readonly happened: readonly ReportedEvent[];
  readonly happenedLast: readonly ReportedEvent[];
  /** How many stand out between these. */
  readonly between: number;
};

/** A task, with when it was worked on and what came of it. */
export type ReportedTask = {
  readonly item: TaskItem;
  readonly spans: readonly TaskSpan[];
  /** Why it failed, and why there was no other attempt. */
  readonly failed: readonly string[];
};

export type ReportedEvent = {
  readonly version: number;
  readonly time: string;
  readonly mark: Mark;
  readonly title: string;
  readonly task: string | undefined;
  readonly text: string;
};

/** So many of the first events that stand out are in a report, and so many of the last: it is read by people. */
const MOST_EVENTS = 1_000;
/** So many requests are in it. */
const MOST_ASKED = 1_000;

/** Makes a report from the events of a sprint, in their order. */
export class ReportMaker {
  readonly #stream: string;
  readonly #meter = new WorkMeter();
  readonly #spans = new TaskSpans();
  readonly #happened: ReportedEvent[] = [];
  readonly #happenedLast: ReportedEvent[] = [];
  #between = 0;
  #from = '';
  #to = '';
  #version = 0;
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
    const { time, streamversion } = event;
    // Of several machines each has its own clock.
    if (this.#version === 0 || time < this.#from) this.#from = time;
    if (time > this.#to) this.#to = time;
    this.#version = streamversion;
    this.#meter.take([event]);
    this.#sprint = state.streams.get(this.#stream) ?? this.#sprint;
    this.#spans.take(event, this.#sprint);
    const mark = markOf(event);
    if (mark === undefined) return;
    const sprintAsked = askedIn(state, event);
    const { task, text } = eventLine(readableEvent(event, sprintAsked), sprintAsked);
    const happened = { version: streamversion, time, mark, title: eventTitle(event), task, text };
    if (this.#happened.length < MOST_EVENTS) {
      this.#happened.push(happened);
      return;
    }
    this.#happenedLast.push(happened);
    if (this.#happenedLast.length <= MOST_EVENTS) return;
    this.#happenedLast.shift();
    this.#between += 1;
  }

  /**
   * The report of all that was taken.
   *
   * @param known.titles - First headings of the files of tasks, by id.
   * @param known.uncommitted - What there is in the working tree, where somebody has looked.
   * @param known.isPast - More has happened since.
   * @param known.hasRunner - A runner is at work on the sprint. Default: as far as its events say.
   */
  report({
    titles,
    uncommitted,
    isPast,
    hasRunner = hadRunner(this.#sprint),
  }: {
    readonly titles: ReadonlyMap<string, string>;
    readonly uncommitted: Uncommitted | undefined;
    readonly isPast: boolean;
    readonly hasRunner?: boolean | undefined;
  }): SprintReport {
    const sprint = this.#sprint;
    const view = describeSprint(sprint);
    const summary = summarise(sprint, this.#meter, uncommitted);
    const now = Date.parse(this.#to);
    const isOver = view.state === 'done';
    const ended = (how: string) => countEnded(view.tasks, how);
    const blocked = view.tasks.filter(({ state }) => state === 'blocked').length;
    const asked = [...sprint.requests.values()].slice(-MOST_ASKED);
    return {
      id: view.id,
      name: view.name,
      word: sprintWord(view, hasRunner),
      from: this.#from,
      to: this.#to,
      isPast,
      isOver,
      progress: {
        total: view.tasks.length,
        done: ended('completed'),
        failed: ended('failed'),
        otherwise: ended('skipped') + ended('cancelled'),
        blocked,
      },
      progressText: [
        view.tasks.length === 0 ? '' : progressText(view.tasks),
        blocked === 0 ? '' : `${blocked} blocked`,
      ]
        .filter((text) => text !== '')
        .join(', '),
      events: this.#version,
      why: view.detail === 'failed' ? view.lastFailure : isOver ? undefined : view.left?.reason,
      facts: summaryFacts(summary, isOver),
      tasks: view.tasks.map((task) => ({
        item: taskItem(task, { now, titles, hasRunner, isQueued: view.queuedAt !== undefined }),
        spans: this.#spans.of(task.id),
        failed: task.detail === 'failed' ? [task.lastFailure, task.gaveUp].flatMap((why) => why ?? []) : [],
      })),
      asked: reportRequests(asked, summary.decisions),
      askedBefore: sprint.requests.size - asked.length,
      commits: summary.commitsMade,
      happened: this.#happened,
      happenedLast: this.#happenedLast,
      between: this.#between,
    };
  }
}
