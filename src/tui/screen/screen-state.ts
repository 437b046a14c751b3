import type { LogTrouble } from '../../workflow/project/log-follower.ts';
import type { CommandParts } from '../../workflow/policy/command-parts.ts';
import type { Choice } from '../../views/requests/answer-choice.ts';
import type { Offers, Revealed } from '../../views/calls/call-card.ts';
import type { SprintSummary } from '../../views/sprints/sprint-summary.ts';
import type { ScreenView } from '../../views/sprints/sprint-view.ts';
import { noPalette, type PaletteState } from '../palette/palette-state.ts';
import type { Past } from '../past/past.ts';
import type { TextBuffer } from '../text/text-buffer.ts';
import { startOfBrowsing, type Browsing } from './browsing.ts';
import type { FormState } from '../drafts/filled-form.ts';
import type { LookedAtFiles } from '../feed/look-at-files.ts';
import type { Focus } from './focus.ts';

/** What is known of command lines of calls that wait, by the id of the request. */
export type Commands = ReadonlyMap<string, CommandParts>;

type Recall = {
  readonly id: string;
  readonly answers: readonly string[];
  readonly at: number;
  readonly draft: TextBuffer;
};

/** A line for the person, above the key hints. */
export type Notice = {
  readonly tone: 'ok' | 'warning' | 'info';
  readonly text: string;
  /** Stands behind the text, in its row. Its end is what matters: where there is no room for all of it, that is shown. */
  readonly tail?: string;
};

/** Who is at work on a sprint. */
export type SeenProcesses = {
  readonly hasRunner: boolean;
  /** Ids of tasks whose agents are gone, and nothing recorded that. */
  readonly gone: ReadonlySet<string>;
};

/** Everything a screen shows, apart from the agents' output and the time. */
export type ScreenState = {
  /** It belongs to `run`: leaving it stops the sprint. */
  readonly isOwner: boolean;
  /** A human may be at the keys. In the shell of an agent no call can be allowed. */
  readonly mayApprove: boolean;
  /** It was opened from the overview of all sprints, and leaving it leads back there. */
  readonly isBelow: boolean;
  /** What its project is called, where it is one of several. */
  readonly among: string | undefined;
  readonly sprint: ScreenView;
  /** What no event says of it: looked at once a second. */
  readonly processes: SeenProcesses;
  readonly focus: Focus;
  /** Id of the question that is shown. */
  readonly current: string | undefined;
  /** What was typed for each question that is open. */
  readonly drafts: ReadonlyMap<string, TextBuffer>;
  /** Where the person is among the options of each question that is open. */
  readonly choices: ReadonlyMap<string, Choice>;
  /** How far each form that is open is filled in. */
  readonly forms: ReadonlyMap<string, FormState>;
  /** Earlier answers that are gone through for a question, which of them stands in the box, and what stood there before. */
  readonly recall: Recall | undefined;
  /** What was typed for questions that somebody else closed, the newest first: it can be taken again as an earlier answer. */
  readonly unsent: readonly string[];
  /** Reasons for turning a question down, as far as they were typed. None of them becomes an answer. */
  readonly reasons: ReadonlyMap<string, TextBuffer>;
  /** Calls that wait as they were changed so far: see edit-text.ts. */
  readonly edits: ReadonlyMap<string, TextBuffer>;
  /** Questions back to agents, about calls that wait or what they ask, as far as they were typed. */
  readonly asks: ReadonlyMap<string, TextBuffer>;
  /** Why what is typed cannot be saved for now: only this screen has it. */
  readonly unkept: string | undefined;
  /** Questions whose answer or dismissal is being recorded. */
  readonly sending: ReadonlySet<string>;
  /** Lines of the question above the first that is shown. */
  readonly questionTop: number;
  /** Questions to whose last line was scrolled, and which was painted. */
  readonly readToEnd: ReadonlySet<string>;
  /** Whole arguments of calls, as their processes have shown them. */
  readonly revealed: ReadonlyMap<string, Revealed>;
  /** What the cards of calls offer beside yes and no. */
  readonly offers: Offers;
  /** Command lines of calls, taken apart. */
  readonly commands: Commands;
  /** What stands in the files that calls would change. */
  readonly files: LookedAtFiles['files'];
  /** What is to be seen of what they would make of them, in short: a yes is one to that. */
  readonly seen: LookedAtFiles['seen'];
  /** Counts how often they were looked at. */
  readonly filesVersion: number;
  /** Calls whose unchanged lines are left out: the files have them. */
  readonly folded: ReadonlySet<string>;
  /** First headings of the files of tasks, by id. */
  readonly titles: ReadonlyMap<string, string>;
  /** What can be looked for beside it, and what a command has said. */
  readonly palette: PaletteState;
  /** Why the log cannot be read now: what is shown is of then. */
  readonly trouble: LogTrouble | undefined;
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

/** A screen as it opens: with the first question, or the one that is named. */
export function initialState({
  isOwner,
  mayApprove = true,
  isBelow = false,
  among,
  sprint,
  question,
  sprints = [],
}: Pick<ScreenState, 'isOwner' | 'sprint'> & {
  mayApprove?: boolean;
  isBelow?: boolean | undefined;
  among?: string | undefined;
  question?: string | undefined;
  sprints?: readonly string[] | undefined;
}): ScreenState {
  const first = sprint.open.find(({ id }) => id === question) ?? sprint.open[0];
  return {
    isOwner,
    mayApprove,
    isBelow,
    among,
    sprint,
    processes: { hasRunner: true, gone: new Set() },
    focus: first ? { at: 'arming', dropped: 0 } : { at: 'sprint' },
    current: first?.id,
    drafts: new Map(),
    choices: new Map(),
    forms: new Map(),
    recall: undefined,
    unsent: [],
    reasons: new Map(),
    edits: new Map(),
    asks: new Map(),
    unkept: undefined,
    trouble: undefined,
    sending: new Set(),
    questionTop: 0,
    readToEnd: new Set(),
    revealed: new Map(),
    offers: new Map(),
    commands: new Map(),
    files: new Map(),
    seen: new Map(),
    filesVersion: 0,
    folded: new Set(),
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

/** What is asked has been seen to its end. */
export function withRead(state: ScreenState): ScreenState {
  const { current, readToEnd } = state;
  if (current === undefined || readToEnd.has(current)) return state;
  return { ...state, readToEnd: new Set(readToEnd).add(current) };
}
