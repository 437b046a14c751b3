import type { ApprovalScope } from '../../events/approval.ts';
import type { ArrivedAt, Past, Travel } from '../past/past.ts';
import type { Offers, Revealed } from '../../views/call-card.ts';
import type { SprintSummary } from '../../views/sprint-summary.ts';
import type { SprintAct, TaskAct } from '../../views/possible-acts.ts';
import type { Question, ScreenView } from '../../views/sprint-view.ts';
import type { Stroke } from '../keys/strokes.ts';
import { isShownInPart } from '../../workflow/requests/shown-arguments.ts';
import { hiddenText } from '../../views/masked.ts';
import { emptyBuffer, type TextBuffer } from '../text/text-buffer.ts';
import {
  currentFilter,
  startOfBrowsing,
  withFilter,
  type Browsing,
  type ContentVersion,
  type DetailRoom,
  type LoadedContent,
} from './browsing.ts';

/** Where keys go. */
export type Focus =
  | { readonly at: 'sprint' }
  /** What a pane has to show is being typed. */
  | { readonly at: 'filter' }
  /** A time to go to is being typed. */
  | { readonly at: 'goal' }
  /** How the run ended: the row that is shown first. */
  | { readonly at: 'over'; readonly top: number }
  /** The keys there are. */
  | { readonly at: 'help'; readonly top: number }
  /** A box has just appeared: keys are dropped until it was painted and nobody typed for a moment. */
  | {
      readonly at: 'arming';
      readonly dropped: number;
      /** What takes keys then, in place of the box or the decision; a key that is dropped before changes that. */
      readonly leadsTo?: 'edit';
    }
  | { readonly at: 'answer' }
  /** The box takes the reason for turning the question down, or for the no to a tool call. */
  | { readonly at: 'reject'; readonly back: 'sprint' | 'answer' | 'arming' }
  /** It takes the reason for the no to all calls of a batch, which stay listed. */
  | { readonly at: 'reject'; readonly back: 'batch'; readonly ids: readonly string[] }
  /** The box has the call that waits, to be changed. */
  | { readonly at: 'edit' }
  /** The box takes a question to the agent about the call that waits. */
  | { readonly at: 'explain' }
  /** A tool call waits for a key: yes or no. */
  | { readonly at: 'decide' }
  /** Which calls a yes is for, none picked at first; not armed yet, it takes no answer. */
  | { readonly at: 'scope'; readonly isArmed: boolean; readonly picked: WideScope | undefined }
  /** `Allow these calls?`: all that waited like the one that is shown when they were listed; not armed yet, it takes no answer. */
  | { readonly at: 'batch'; readonly isArmed: boolean; readonly ids: readonly string[] }
  /** `Dismiss this question?`; not armed yet, it takes no answer. */
  | { readonly at: 'confirm'; readonly isArmed: boolean; readonly back: 'sprint' | 'answer' }
  /** The box takes the reason why a task is left out or ended. */
  | ({ readonly at: 'act' } & EndingAct)
  /** `Cancel parser? y/n`; not armed yet, it takes no yes. */
  | ({ readonly at: 'act-sure'; readonly isArmed: boolean } & EndingAct)
  /** What becomes of the run: stops it, does it go on without a screen? Not armed yet, only Ctrl+C counts, which nobody types. */
  | { readonly at: 'stop'; readonly isArmed: boolean; readonly key: StopKey; readonly back: Focus };

/** What ends a task: nothing is decided yet. */
export type EndingAct = {
  readonly act: Exclude<TaskAct, 'retry'>;
  readonly task: string;
  readonly reason: TextBuffer;
};

/** A yes to more than one call. */
export type WideScope = Exclude<ApprovalScope, 'once'>;

/** A line for the person, above the key hints. */
export type Notice = { readonly tone: 'ok' | 'warning' | 'info'; readonly text: string };

/** Everything a screen shows, apart from the agents' output and the time. */
export type ScreenState = {
  /** It belongs to `run`: leaving it stops the sprint. */
  readonly isOwner: boolean;
  /** A human may be at the keys. In the shell of an agent no call can be allowed. */
  readonly mayApprove: boolean;
  /** It was opened from the overview of all sprints, and leaving it leads back there. */
  readonly isBelow: boolean;
  readonly sprint: ScreenView;
  readonly focus: Focus;
  /** Id of the question that is shown. */
  readonly current: string | undefined;
  /** What was typed for each question that is open. */
  readonly drafts: ReadonlyMap<string, TextBuffer>;
  /** Reasons for turning a question down, as far as they were typed. None of them becomes an answer. */
  readonly reasons: ReadonlyMap<string, TextBuffer>;
  /** Calls that wait as they were changed so far: see edit-text.ts. */
  readonly edits: ReadonlyMap<string, TextBuffer>;
  /** Questions to agents about calls that wait, as far as they were typed. */
  readonly asks: ReadonlyMap<string, TextBuffer>;
  /** Questions whose answer or dismissal is being recorded. */
  readonly sending: ReadonlySet<string>;
  /** Lines of the question above the first that is shown. */
  readonly questionTop: number;
  /** Questions whose last line was scrolled into sight. */
  readonly readToEnd: ReadonlySet<string>;
  /** Whole arguments of calls, as their processes have shown them. */
  readonly revealed: ReadonlyMap<string, Revealed>;
  /** What the cards of calls offer beside yes and no. */
  readonly offers: Offers;
  /** Where the person has moved to. */
  readonly browsing: Browsing;
  readonly notice: Notice | undefined;
  /** What the run took that was shown here, once it is over. */
  readonly summary: SprintSummary | undefined;
  readonly isStopping: boolean;
  /** The moment that is shown, if it is none of now. */
  readonly past: Past | undefined;
  /** When the agents that are being stopped are ended, in ms since 1970. */
  readonly endsAt: number | undefined;
  /** Counts what agents wrote, so that the screen is drawn anew. */
  readonly outputVersion: number;
};

/** How much the panes can show and scroll, as they were last drawn. */
export type Room = {
  readonly isNarrow: boolean;
  /** Nothing of it can be seen. */
  readonly isTooSmall: boolean;
  readonly questionPage: number;
  readonly questionMax: number;
  /** Tasks that fit. */
  readonly tasksPage: number;
  /** Rows of the summary that are out of sight. */
  readonly overMax: number;
  /** Rows of help that are out of sight. */
  readonly helpMax: number;
  /** The pane beside the tasks; `undefined`: it is empty. */
  readonly detail: DetailRoom | undefined;
};

/** What happens to a screen. */
export type ScreenEvent =
  | {
      readonly type: 'news';
      readonly sprint: ScreenView;
      readonly outputVersion: number;
      readonly closed: readonly Closed[];
    }
  /** The keys of one chunk of input. */
  | { readonly type: 'keys'; readonly strokes: readonly Stroke[]; readonly room: Room }
  | { readonly type: 'paste'; readonly text: string }
  /** What was waiting to be armed was painted long enough ago. */
  | { readonly type: 'armed'; readonly focus: Focus }
  /** What became of an answer or a dismissal. */
  | { readonly type: 'outcome'; readonly id: string; readonly notice: Notice }
  /** It could not be recorded, and the question is still open. */
  | { readonly type: 'unsent'; readonly id: string; readonly notice: Notice }
  /** The whole arguments of a call; without them nobody has them any more. */
  | { readonly type: 'revealed'; readonly id: string; readonly whole: Revealed | undefined }
  | { readonly type: 'offered'; readonly offers: Offers }
  /** A moment of the past that was gone to. */
  | { readonly type: 'moment'; readonly arrived: ArrivedAt }
  /** What is played has come to its end. */
  | { readonly type: 'played' }
  /** What has changed from a version to another. */
  | {
      readonly type: 'compared';
      readonly from: number;
      readonly to: number;
      readonly changes: readonly string[];
    }
  /** The agents are told to end, and ended by force at this time, in ms since 1970. */
  | { readonly type: 'stopping'; readonly endsAt: number }
  /** The run is over, and what it took. */
  | { readonly type: 'over'; readonly summary: SprintSummary }
  /** It goes on. */
  | { readonly type: 'runs' }
  /** What became of a decision about the sprint or a task. */
  | { readonly type: 'told'; readonly notice: Notice }
  /** What was read for a pane. */
  | { readonly type: 'loaded'; readonly loaded: LoadedContent };

/** A question that someone closed, and how. */
export type Closed = { readonly id: string; readonly how: string };

/** A key that stops a sprint, as it is recorded. */
export type StopKey = 'Ctrl-C' | 'q';

/** What a screen has done outside of it. */
export type Effect =
  | {
      readonly type: 'answer';
      readonly id: string;
      readonly response: string;
      readonly option?: number | undefined;
    }
  | { readonly type: 'reject'; readonly id: string; readonly reason: string }
  | { readonly type: 'dismiss'; readonly id: string }
  | { readonly type: 'approve'; readonly id: string; readonly scope: ApprovalScope }
  /** Allow each of these calls, or refuse each. */
  | {
      readonly type: 'decide-all';
      readonly ids: readonly string[];
      readonly verdict: 'approved' | 'denied';
      readonly reason?: string | undefined;
    }
  | { readonly type: 'deny'; readonly id: string; readonly reason?: string | undefined }
  /** Send a call back with a question. */
  | { readonly type: 'explain'; readonly id: string; readonly question: string }
  /** Allow a call as this text makes it. */
  | { readonly type: 'edit'; readonly id: string; readonly text: string }
  /** Get the whole arguments of a call. */
  | { readonly type: 'reveal'; readonly id: string }
  /** Go to another time. */
  | { readonly type: 'travel'; readonly travel: Travel }
  /** Play what is recorded, so many times as fast; `undefined`: stop. */
  | { readonly type: 'play'; readonly speed: number | undefined }
  /** It is now again: what is on its way to another time is not shown. */
  | { readonly type: 'to-now' }
  /** Find out what changed between two versions. */
  | { readonly type: 'compare'; readonly versions: readonly [number, number] }
  /** Copy the command that opens this moment. */
  | { readonly type: 'copy-moment' }
  /** Read what a pane shows of a task. */
  | {
      readonly type: 'load';
      readonly pane: string;
      readonly task: string;
      readonly wanted: ContentVersion;
    }
  /** Decide about a task; without one, about the sprint. */
  | {
      readonly type: 'act';
      readonly act: TaskAct | SprintAct;
      readonly task?: string | undefined;
      readonly reason?: string | undefined;
    }
  /** Say why that cannot be decided now, and decide nothing. */
  | { readonly type: 'why-not'; readonly act: TaskAct | SprintAct; readonly task?: string | undefined }
  /** Stop the sprint: which key said so. */
  | { readonly type: 'stop'; readonly key: StopKey }
  /** End the agents that are being stopped at once. */
  | { readonly type: 'kill' }
  /** Run the sprint again, and retry what failed before that. */
  | { readonly type: 'run-again'; readonly retries: boolean }
  /** Leave the screen, and let the run go on. */
  | { readonly type: 'detach' }
  /** Give the terminal back to the shell until it says that the screen goes on. */
  | { readonly type: 'suspend' }
  /** Leave at once. */
  | { readonly type: 'leave' };

/** A screen as it opens: with the oldest question, or the one that is named. */
export function initialState({
  isOwner,
  mayApprove = true,
  isBelow = false,
  sprint,
  question,
}: Pick<ScreenState, 'isOwner' | 'sprint'> & {
  mayApprove?: boolean;
  isBelow?: boolean | undefined;
  question?: string | undefined;
}): ScreenState {
  const first = sprint.open.find(({ id }) => id === question) ?? sprint.open[0];
  return {
    isOwner,
    mayApprove,
    isBelow,
    sprint,
    focus: first ? { at: 'arming', dropped: 0 } : { at: 'sprint' },
    current: first?.id,
    drafts: new Map(),
    reasons: new Map(),
    edits: new Map(),
    asks: new Map(),
    sending: new Set(),
    questionTop: 0,
    readToEnd: new Set(),
    revealed: new Map(),
    offers: new Map(),
    browsing: { ...startOfBrowsing, area: first ? 'question' : 'tasks' },
    notice: undefined,
    summary: undefined,
    isStopping: false,
    past: undefined,
    endsAt: undefined,
    outputVersion: 0,
  };
}

/** The question that is shown. */
export function currentQuestion({ sprint, current }: ScreenState): Question | undefined {
  return sprint.open.find(({ id }) => id === current);
}

/** The calls that are listed to be decided together, as far as they still wait. */
export function batchOf({ focus, sprint }: Pick<ScreenState, 'focus' | 'sprint'>): readonly Question[] {
  return 'ids' in focus ? sprint.open.filter(({ id }) => focus.ids.includes(id)) : [];
}

/** Whether there is more to see of the call that is shown. */
export function hidesPart(state: ScreenState): boolean {
  const { id, approval } = currentQuestion(state) ?? {};
  if (id === undefined || approval === undefined || state.revealed.has(id)) return false;
  return isShownInPart(approval) || hiddenText(approval) !== undefined;
}

/** Whether a person can change the call that is shown: the log has all of it, and so has the screen. */
export function canEdit(state: ScreenState): boolean {
  const { approval } = currentQuestion(state) ?? {};
  return approval !== undefined && !isShownInPart(approval) && !hidesPart(state);
}

/** Whether the answer to the question that is shown is being recorded. */
export function isSending({ sending, current }: ScreenState): boolean {
  return current !== undefined && sending.has(current);
}

/** The screen while what was said to a question is being recorded. */
export function withSending(state: ScreenState, id: string): ScreenState {
  return { ...state, focus: { at: 'sprint' }, sending: new Set(state.sending).add(id) };
}

/** What stands in the box: the answer to the question that is shown, the reason for turning it down, or the call changed. */
export function currentDraft(state: ScreenState): TextBuffer {
  if (state.focus.at === 'filter') return currentFilter(state);
  if (state.focus.at === 'goal') return state.past?.goal ?? emptyBuffer;
  if (isActing(state.focus)) return state.focus.reason;
  const { current } = state;
  return (current === undefined ? undefined : state[draftsAt(state)].get(current)) ?? emptyBuffer;
}

/** The screen with another text in the box. */
export function withDraft(state: ScreenState, draft: TextBuffer): ScreenState {
  if (state.focus.at === 'filter') return withFilter(state, draft);
  if (state.focus.at === 'goal')
    return state.past ? { ...state, past: { ...state.past, goal: draft } } : state;
  const { focus } = state;
  if (isActing(focus)) return { ...state, focus: { ...focus, reason: draft } };
  const { current } = state;
  if (current === undefined) return state;
  const key = draftsAt(state);
  return { ...state, [key]: new Map(state[key]).set(current, draft) };
}

/** Where what is typed is kept. */
function draftsAt({ focus }: ScreenState): Drafts {
  return draftsOf[focus.at] ?? 'drafts';
}

type Drafts = 'drafts' | 'reasons' | 'edits' | 'asks';

const draftsOf: Partial<Record<Focus['at'], Drafts>> = { reject: 'reasons', edit: 'edits', explain: 'asks' };

/** Does the box take text? */
export function isTyping({ focus }: ScreenState): boolean {
  const { at } = focus;
  return at === 'answer' || at === 'filter' || at === 'goal' || at === 'act' || at in draftsOf;
}

/** Is it being decided to end a task? The keys of a question that comes up meanwhile wait until that is over. */
export function isActing(focus: Focus): focus is Extract<Focus, EndingAct> {
  return focus.at === 'act' || focus.at === 'act-sure';
}

/** Does a key confirm or choose something, once it is armed? */
export function isConfirming(focus: Focus): focus is Extract<Focus, { readonly isArmed: boolean }> {
  return 'isArmed' in focus;
}

/** The sprint as it is by now, whichever moment is shown. */
export function sprintNow({ sprint, past }: Pick<ScreenState, 'sprint' | 'past'>): ScreenView {
  return past?.present ?? sprint;
}

/** How many agents work on the sprint: stopping ends them. */
export function agentsAtWork(state: Pick<ScreenState, 'sprint' | 'past'>): number {
  return sprintNow(state).tasks.filter(({ agent }) => agent !== undefined).length;
}
