import type { Mark } from '../../events/descriptor.ts';
import type { StoredEvent } from '../../events/envelope.ts';
import { markOf } from '../../events/mark-of.ts';
import {
  createSprintState,
  type ProjectState,
  type RequestState,
  type SprintState,
} from '../../machines/project-state.ts';
import { duration } from '../../lib/time/duration.ts';
import type { Uncommitted } from '../../workflow/commit/uncommitted-changes.ts';
import { filesInCall } from '../../events/call-files/files-in-call.ts';
import { clip } from '../../lib/text/clip.ts';
import { callChanges, type CallChange } from '../calls/call-changes.ts';
import { maskSecrets } from '../calls/masked.ts';
import { shownAnswer } from '../calls/shown-words.ts';
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

/** What was asked, and what became of it. Times are RFC 3339. */
export type ReportedRequest = {
  readonly id: string;
  readonly isCall: boolean;
  /** On one line. */
  readonly title: string;
  readonly task: string | undefined;
  readonly askedAt: string;
  /** All that was asked; absent: it is too much. */
  readonly whole?: WholeRequest | undefined;
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

/** All of what was asked. Words of others are not escaped yet. */
export type WholeRequest = {
  /** In Markdown; empty: its title says it. Of a call: what its agent has said of it to a human who asked. */
  readonly question: string;
  readonly reason: string | undefined;
  /** In Markdown. */
  readonly context: string | undefined;
  readonly options: readonly string[];
  /** The questions of a form, in lines. */
  readonly form: readonly string[];
  readonly call: ReportedCall | undefined;
  /** The call that was allowed in its place. */
  readonly allowed: ReportedCall | undefined;
};

/** What a call was to do, without its secrets. */
export type ReportedCall = { readonly args: unknown; readonly changes: readonly CallChange[] };

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
/** So much of a text of somebody is in it, in UTF-16 units. */
const MOST_OF_TEXT = 20_000;
/** So much of what somebody has answered. */
const MOST_OF_ANSWER = 4_000;
/** So much of all that was asked is in it, in the same: whoever opens it has it drawn at once. */
const MOST_OF_ALL = 1_000_000;

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
    const { task, text } = eventLine(event, askedIn(state, event));
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
   */
  report({
    titles,
    uncommitted,
    isPast,
  }: {
    readonly titles: ReadonlyMap<string, string>;
    readonly uncommitted: Uncommitted | undefined;
    readonly isPast: boolean;
  }): SprintReport {
    const sprint = this.#sprint;
    const view = describeSprint(sprint);
    const hasRunner = hadRunner(sprint);
    const summary = summarise(sprint, this.#meter, uncommitted);
    const now = Date.parse(this.#to);
    const ended = (how: string) => countEnded(view.tasks, how);
    const asked = [...sprint.requests.values()].slice(-MOST_ASKED);
    const decisions = new Map(summary.decisions.map((each) => [each.requestId, each]));
    return {
      id: view.id,
      name: view.name,
      word: sprintWord(view, hasRunner),
      from: this.#from,
      to: this.#to,
      isPast,
      isOver: view.state === 'done',
      progress: {
        total: view.tasks.length,
        done: ended('completed'),
        failed: ended('failed'),
        otherwise: ended('skipped') + ended('cancelled'),
        blocked: view.tasks.filter(({ state }) => state === 'blocked').length,
      },
      progressText: view.tasks.length === 0 ? '' : progressText(view.tasks),
      events: this.#version,
      why: view.state === 'done' ? view.lastFailure : view.left?.reason,
      facts: summaryFacts(summary),
      tasks: view.tasks.map((task) => ({
        item: taskItem(task, { now, titles, hasRunner, isQueued: view.queuedAt !== undefined }),
        spans: this.#spans.of(task.id),
        failed: task.detail === 'failed' ? [task.lastFailure, task.gaveUp].flatMap((why) => why ?? []) : [],
      })),
      asked: withinAll(asked.map((request) => reportRequest(request, decisions.get(request.id)))),
      askedBefore: sprint.requests.size - asked.length,
      commits: summary.commitsMade,
      happened: this.#happened,
      happenedLast: this.#happenedLast,
      between: this.#between,
    };
  }
}

function reportRequest(state: RequestState, decision: Decision | undefined): ReportedRequest {
  const request = describeRequest(state);
  const { id, task, kind, question, reason, context, options, questions, approval, askedAt, phase, answer } =
    request;
  const title = requestTitle({ kind, question, ...(approval && { approval }) });
  return {
    id,
    isCall: approval !== undefined,
    title,
    task,
    askedAt,
    whole: {
      question: approval ? (approval.explanation?.words ?? '') : question.trim() === title ? '' : question,
      reason,
      context,
      options: questions ? [] : options,
      form: formLines(questions ?? []),
      call: approval && reportCall(approval),
      allowed: answer?.edited && reportCall(answer.edited),
    },
    isOpen: phase === 'open',
    ...(decision && {
      decided: {
        said: saidTo(state, decision),
        who: decidedParts(decision).who,
        outcome: decision.outcome,
        via: decision.via,
        at: decision.at,
      },
      waited: duration(Math.max(0, Date.parse(decision.at) - Date.parse(askedAt))),
    }),
  };
}

/** What was said to it, with its lines. */
function saidTo({ asked, answer }: RequestState, decision: Decision): string {
  const { outcome } = decision;
  if (outcome === 'edited') return 'allowed as changed';
  const said = outcome === 'answered' && answer ? shownAnswer(asked, answer) : decidedParts(decision).said;
  return clip(said, MOST_OF_ANSWER);
}

function reportCall({ args }: { readonly args: unknown }): ReportedCall {
  const shown = maskSecrets(args);
  return { args: shown, changes: callChanges(filesInCall(shown)) };
}

/** With all of what was asked as far as that is not too much. */
function withinAll(requests: readonly ReportedRequest[]): ReportedRequest[] {
  let left = MOST_OF_ALL;
  return requests.map(({ whole, ...request }) => {
    const { call, allowed, ...texts } = whole ?? {};
    const sizes = [...Object.values(texts), JSON.stringify(call?.args), JSON.stringify(allowed?.args)]
      .flat()
      .map((text) => text?.length ?? 0);
    const size = sizes.reduce((sum, each) => sum + each, 0);
    if (size > left || sizes.some((each) => each > MOST_OF_TEXT)) return request;
    left -= size;
    return { ...request, whole };
  });
}
