import { noPalette, type PaletteState } from '../palette/palette-state.ts';
import type { ApprovalScope } from '../../events/approval.ts';
import type { Pointed } from '../mouse/mouse-areas.ts';
import type { ArrivedAt, Past, Travel } from '../past/past.ts';
import type { CommandParts } from '../../gateway/permission/command-parts.ts';
import type { Choice } from '../../views/answer-choice.ts';
import type { Offers, Revealed } from '../../views/call-card.ts';
import type { SprintSummary } from '../../views/sprint-summary.ts';
import type { SprintAct, TaskAct } from '../../views/possible-acts.ts';
import type { Question, ScreenView } from '../../views/sprint-view.ts';
import type { Stroke } from '../keys/strokes.ts';
import { isShownInPart } from '../../workflow/requests/shown-arguments.ts';
import { hiddenText } from '../../views/masked.ts';
import type { TextBuffer } from '../text/text-buffer.ts';
import {
  startOfBrowsing,
  type Browsing,
  type ContentVersion,
  type DetailRoom,
  type LoadedContent,
} from './browsing.ts';
import type { EditedText } from '../../lib/processes/open-editor.ts';
import type { DraftPlace, Focus, StopKey } from './focus.ts';

/** What is known of command lines of calls that wait, by the id of the request. */
export type Commands = ReadonlyMap<string, CommandParts>;

type Recall = {
  readonly id: string;
  readonly answers: readonly string[];
  readonly at: number;
  readonly draft: TextBuffer;
};

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
  /** Where the person is among the options of each question that is open. */
  readonly choices: ReadonlyMap<string, Choice>;
  /** Earlier answers that are gone through for a question, which of them stands in the box, and what stood there before. */
  readonly recall: Recall | undefined;
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
  /** Command lines of calls, taken apart. */
  readonly commands: Commands;
  /** First headings of the files of tasks, by id. */
  readonly titles: ReadonlyMap<string, string>;
  /** What can be looked for beside it, and what a command has said. */
  readonly palette: PaletteState;
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
  /** Of what a command has said: how much fits, and how much is out of sight. */
  readonly result?: { readonly page: number; readonly max: number };
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
  | { readonly type: 'mouse'; readonly pointed: Pointed; readonly room: Room }
  /** What was waiting to be armed was painted long enough ago. */
  | { readonly type: 'armed'; readonly focus: Focus }
  /** What was answered in this project, the newest first. */
  | { readonly type: 'recalled'; readonly id: string; readonly answers: readonly string[] }
  /** What became of a draft in an editor. */
  | { readonly type: 'draft-edited'; readonly at: DraftPlace; readonly edited: EditedText }
  /** What became of an answer or a dismissal. */
  | { readonly type: 'outcome'; readonly id: string; readonly notice: Notice }
  /** It could not be recorded, and the question is still open. */
  | { readonly type: 'unsent'; readonly id: string; readonly notice: Notice }
  /** The whole arguments of a call; without them nobody has them any more. */
  | { readonly type: 'revealed'; readonly id: string; readonly whole: Revealed | undefined }
  | { readonly type: 'offered'; readonly offers: Offers }
  | { readonly type: 'taken-apart'; readonly commands: Commands }
  | { readonly type: 'titled'; readonly titles: ReadonlyMap<string, string> }
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
  /** What a command has said so far, and how it ended. */
  | { readonly type: 'said'; readonly text: string; readonly end: string | undefined }
  /** What was read for a pane. */
  | { readonly type: 'loaded'; readonly loaded: LoadedContent };

/** A question that someone closed, and how. */
export type Closed = { readonly id: string; readonly how: string };

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
      readonly act: TaskAct | SprintAct | 'stop';
      readonly task?: string | undefined;
      readonly reason?: string | undefined;
    }
  /** Run a command of our own that reads only. */
  | { readonly type: 'slash'; readonly argv: readonly string[] }
  /** End it. */
  | { readonly type: 'slash-stop' }
  /** Leave for another sprint. */
  | { readonly type: 'go'; readonly sprint: string }
  /** Leave, and run the sprint that nobody runs. */
  | { readonly type: 'start' }
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
  /** Look up what was answered before, for the box of a question. */
  | { readonly type: 'recall'; readonly id: string }
  /** Open an editor on what stands in a box. */
  | { readonly type: 'edit-draft'; readonly at: DraftPlace; readonly text: string }
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
  sprints = [],
}: Pick<ScreenState, 'isOwner' | 'sprint'> & {
  mayApprove?: boolean;
  isBelow?: boolean | undefined;
  question?: string | undefined;
  sprints?: readonly string[] | undefined;
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
    choices: new Map(),
    recall: undefined,
    reasons: new Map(),
    edits: new Map(),
    asks: new Map(),
    sending: new Set(),
    questionTop: 0,
    readToEnd: new Set(),
    revealed: new Map(),
    offers: new Map(),
    commands: new Map(),
    titles: new Map(),
    palette: { ...noPalette, sprints },
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

/** The sprint as it is by now, whichever moment is shown. */
export function sprintNow({ sprint, past }: Pick<ScreenState, 'sprint' | 'past'>): ScreenView {
  return past?.present ?? sprint;
}

/** How many agents work on the sprint: stopping ends them. */
export function agentsAtWork(state: Pick<ScreenState, 'sprint' | 'past'>): number {
  return sprintNow(state).tasks.filter(({ agent }) => agent !== undefined).length;
}
