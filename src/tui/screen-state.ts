import type { Question, ScreenView } from './screen-view.ts';
import type { Stroke } from './strokes.ts';
import { emptyBuffer } from './text-buffer.ts';
import type { TextBuffer } from './text-buffer.ts';

/** Where keys go. */
export type Focus =
  | { readonly at: 'sprint' }
  /** A box has just appeared: keys are dropped until it was painted and nobody typed for a moment. */
  | { readonly at: 'arming'; readonly dropped: number }
  | { readonly at: 'answer' }
  /** `Dismiss this question?`; not armed yet, it takes no answer. */
  | { readonly at: 'confirm'; readonly isArmed: boolean; readonly back: 'sprint' | 'answer' };

/** A line for the person, above the key hints. */
export type Notice = { readonly tone: 'ok' | 'warning' | 'info'; readonly text: string };

/** What narrow terminals show one at a time. */
export type Pane = 'question' | 'tasks' | 'output';

/** Everything a screen shows, apart from the agents' output and the time. */
export type ScreenState = {
  /** It belongs to `run`: leaving it stops the sprint. */
  readonly isOwner: boolean;
  readonly sprint: ScreenView;
  readonly focus: Focus;
  /** Id of the question that is shown. */
  readonly current: string | undefined;
  /** What was typed for each question that is open. */
  readonly drafts: ReadonlyMap<string, TextBuffer>;
  /** Questions whose answer or dismissal is being recorded. */
  readonly sending: ReadonlySet<string>;
  /** Lines of the question above the first that is shown. */
  readonly questionTop: number;
  /** The last line of output to show; `undefined`: the newest, whichever comes. */
  readonly outputEnd: { readonly task: string; readonly line: number } | undefined;
  readonly pane: Pane;
  readonly notice: Notice | undefined;
  readonly isStopping: boolean;
  /** Counts what agents wrote, so that the screen is drawn anew. */
  readonly outputVersion: number;
};

/** How much the panes can show and scroll, as they were last drawn. */
export type Room = {
  readonly isNarrow: boolean;
  readonly questionPage: number;
  readonly questionMax: number;
  readonly outputPage: number;
  /** The output that is shown: its task, and the numbers of its first line and of the line behind its last. */
  readonly output: { readonly task: string; readonly first: number; readonly end: number } | undefined;
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
  | { readonly type: 'outcome'; readonly id: string; readonly notice: Notice };

/** A question that someone closed, and how. */
export type Closed = { readonly id: string; readonly how: string };

/** What a screen wants done. */
export type Wish =
  | { readonly type: 'answer'; readonly id: string; readonly response: string; readonly option?: number }
  | { readonly type: 'dismiss'; readonly id: string }
  /** Stop the sprint. */
  | { readonly type: 'stop' }
  /** Leave at once. */
  | { readonly type: 'leave' };

/** A screen as it opens. */
export function initialState({ isOwner, sprint }: { isOwner: boolean; sprint: ScreenView }): ScreenState {
  const first = sprint.open[0];
  return {
    isOwner,
    sprint,
    focus: first ? { at: 'arming', dropped: 0 } : { at: 'sprint' },
    current: first?.id,
    drafts: new Map(),
    sending: new Set(),
    questionTop: 0,
    outputEnd: undefined,
    pane: first ? 'question' : 'tasks',
    notice: undefined,
    isStopping: false,
    outputVersion: 0,
  };
}

/** The question that is shown. */
export function currentQuestion({ sprint, current }: ScreenState): Question | undefined {
  return sprint.open.find(({ id }) => id === current);
}

/** What was typed for the question that is shown. */
export function currentDraft({ drafts, current }: ScreenState): TextBuffer {
  return (current === undefined ? undefined : drafts.get(current)) ?? emptyBuffer;
}

/** The option a bare number stands for. */
export function pickedOption(
  { options }: Pick<Question, 'options'>,
  text: string,
): { readonly option: number; readonly response: string } | undefined {
  if (!/^\s*[1-9]\d?\s*$/.test(text)) return undefined;
  const option = Number(text) - 1;
  const response = options[option];
  return response === undefined ? undefined : { option, response };
}
