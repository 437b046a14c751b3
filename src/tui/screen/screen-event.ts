import type { Pointed } from '../mouse/mouse-areas.ts';
import type { LogTrouble } from '../../workflow/project/log-follower.ts';
import type { EditedText } from '../../lib/processes/open-editor.ts';
import type { Offers, Revealed } from '../../views/calls/call-card.ts';
import type { SprintSummary } from '../../views/sprints/sprint-summary.ts';
import type { ScreenView } from '../../views/sprints/sprint-view.ts';
import type { Stroke } from '../keys/strokes.ts';
import type { CommandSaid } from '../palette/palette-state.ts';
import type { ArrivedAt } from '../past/past.ts';
import type { LoadedContent } from './browsing.ts';
import type { DraftPlace, Focus } from './focus.ts';
import type { LookedAtFiles } from '../feed/look-at-files.ts';
import type { Room } from '../terminal/room.ts';
import type { Commands, Notice, ScreenState, SeenProcesses } from './screen-state.ts';

/** What happens to a screen. */
export type ScreenEvent =
  | {
      readonly type: 'news';
      readonly sprint: ScreenView;
      readonly outputVersion: number;
      readonly closed: readonly Closed[];
      /** Why the log cannot be read now. */
      readonly trouble?: LogTrouble | undefined;
    }
  /** Who is at work on the sprint by now. */
  | { readonly type: 'processes'; readonly processes: SeenProcesses }
  /** The keys of one chunk of input. */
  | {
      readonly type: 'keys';
      readonly strokes: readonly Stroke[];
      /** Characters or Enter, which came together with other keys: in one read, or without a pause. */
      readonly isTogether?: boolean;
      /** An Enter is among characters: where a text is typed they are lines of one. */
      readonly areLines?: boolean;
      readonly room: Room;
    }
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'mouse'; readonly pointed: Pointed; readonly room: Room }
  /** The sprint may be run, as was asked, and what that starts, in lines. */
  | { readonly type: 'startable'; readonly starts?: readonly string[] }
  /** What was waiting to be armed was painted long enough ago. */
  | { readonly type: 'armed'; readonly focus: Focus }
  /** It could not be seen for a while, or is drawn anew. */
  | { readonly type: 'unseen' }
  /** The frame with the end of what is asked was painted: of this state. */
  | { readonly type: 'end-painted'; readonly of: Pick<ScreenState, EndPart> }
  /** What was answered in this project, the newest first. */
  | { readonly type: 'recalled'; readonly id: string; readonly answers: readonly string[] }
  /** What became of a draft in an editor. */
  | { readonly type: 'draft-edited'; readonly at: DraftPlace; readonly edited: EditedText }
  /** What became of an answer or a dismissal. */
  | {
      readonly type: 'outcome';
      readonly id: string;
      readonly notice: Notice;
      /** What was said, where somebody was first. */
      readonly unsent?: readonly string[];
    }
  /** It could not be recorded, and the question is still open. */
  | { readonly type: 'unsent'; readonly id: string; readonly why: string; readonly back: Focus }
  | Unrecorded
  /** Why what is typed cannot be saved for now, as a clause; `undefined`: it can be. */
  | { readonly type: 'unkept'; readonly why: string | undefined }
  /** The whole arguments of a call; without them nobody has them any more. */
  | { readonly type: 'revealed'; readonly id: string; readonly whole: Revealed | undefined }
  | { readonly type: 'offered'; readonly offers: Offers }
  | { readonly type: 'taken-apart'; readonly commands: Commands }
  /** What stands in the files that calls would change, and those calls whose unchanged lines may be left out. */
  | ({ readonly type: 'compared-files' } & LookedAtFiles)
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
  | CommandSaid
  /** What was read for a pane. */
  | { readonly type: 'loaded'; readonly loaded: LoadedContent };

/** What was said, or decided, could not be recorded for now, e.g. on a full disk. It can be said again. */
export type Unrecorded = {
  readonly type: 'unrecorded';
  /** The question it was said to; without one it was decided about the sprint or a task. */
  readonly id?: string | undefined;
  /** What happened, and what to do first; without a full stop. */
  readonly why: string;
  /** Where it is said again, and what is pressed there. */
  readonly back: Focus;
  readonly again: string;
};

/** What of a screen says which end of what is asked was in sight. */
export type EndPart = 'current' | 'focus' | 'questionTop' | 'revealed' | 'files' | 'folded' | 'past';

/** A question that someone closed, and how. */
export type Closed = { readonly id: string; readonly how: string };
