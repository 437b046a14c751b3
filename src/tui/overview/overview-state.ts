import type { InboxItem } from '../../views/requests/inbox.ts';
import type { Overview, SprintRow } from '../../views/sprints/overview.ts';
import { requestTitle } from '../../views/requests/request-title.ts';
import { riskText } from '../../views/calls/risk.ts';
import type { KeyList } from '../keys/help-focus.ts';
import type { Stroke } from '../keys/strokes.ts';
import type { Pointed } from '../mouse/mouse-areas.ts';
import {
  noPalette,
  type CommandEffect,
  type CommandSaid,
  type PaletteFocus,
  type PaletteState,
} from '../palette/palette-state.ts';
import type { LookedAtFiles } from '../feed/look-at-files.ts';
import type { ResultRoom } from '../terminal/room.ts';
import type { Commands, Notice } from '../screen/screen-state.ts';
import { matching } from '../text/matching.ts';
import { emptyBuffer, type TextBuffer } from '../text/text-buffer.ts';

/** Where keys go. */
export type OverviewFocus =
  | PaletteFocus<'lists'>
  | { readonly at: 'lists' }
  /** What the lines of both lists must have in them is being typed. */
  | { readonly at: 'filter' }
  /** The keys there are, and where they were asked for: that is there again. */
  | (KeyList & { readonly back: OverviewFocus })
  /** `Run it here?`; not armed yet, it takes no yes. */
  | { readonly at: 'start'; readonly sprint: string; readonly isArmed: boolean };

/** The two lists. */
export type OverviewArea = 'sprints' | 'inbox';

/** Where a person stands in the overview: kept while they look at a sprint. */
export type OverviewPlace = {
  readonly area: OverviewArea;
  /** Ids of what the cursor of each list is on; `undefined`, or what is not there any more: the first. */
  readonly sprint: string | undefined;
  readonly request: string | undefined;
  readonly filter: TextBuffer;
  /** What was done through the palette, and what a command has said. */
  readonly palette: PaletteState;
};

/** Everything the overview shows, apart from the time. */
export type OverviewState = OverviewPlace & {
  readonly overview: Overview;
  /** Command lines of the calls that wait, taken apart. */
  readonly commands: Commands;
  /** What stands in the files that they would change, and those of which unchanged lines are left out. */
  readonly files: LookedAtFiles['files'];
  readonly folded: LookedAtFiles['foldable'];
  /** Sprints that no run can begin for want of an agent, and what to do about that, by their ids. */
  readonly agentless: ReadonlyMap<string, string>;
  readonly focus: OverviewFocus;
  readonly notice: Notice | undefined;
};

/** How much fits, as it was last drawn. */
export type OverviewRoom = {
  readonly sprintsPage: number;
  readonly inboxPage: number;
  /** Rows of help that are out of sight. */
  readonly helpMax: number;
  readonly result?: ResultRoom;
  /** Nothing of it can be seen. */
  readonly isTooSmall?: boolean;
};

/** What happens to the overview. */
export type OverviewEvent =
  | { readonly type: 'news'; readonly overview: Overview }
  | { readonly type: 'taken-apart'; readonly commands: Commands }
  | ({ readonly type: 'compared-files' } & LookedAtFiles)
  | { readonly type: 'agents'; readonly agentless: ReadonlyMap<string, string> }
  /** The keys of one chunk of input. */
  | {
      readonly type: 'keys';
      readonly strokes: readonly Stroke[];
      /** Characters or Enter, which came together with other keys: in one read, or without a pause. */
      readonly isTogether?: boolean;
      /** An Enter is among characters: where a text is typed they are lines of one. */
      readonly areLines?: boolean;
      readonly room: OverviewRoom;
    }
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'mouse'; readonly pointed: Pointed; readonly room: OverviewRoom }
  /** What was waiting to be armed was painted long enough ago. */
  | { readonly type: 'armed'; readonly focus: OverviewFocus }
  /** It could not be seen for a while, or is drawn anew. */
  | { readonly type: 'unseen' }
  | CommandSaid;

/** Where a person goes from here. */
export type OverviewWay =
  /** To the screen of a sprint, with this question. */
  | { readonly type: 'enter'; readonly sprint: string; readonly question?: string | undefined }
  /** To that of its run, which begins. */
  | { readonly type: 'run'; readonly sprint: string }
  | { readonly type: 'leave' };

/** What the overview has done outside of it. */
export type OverviewEffect =
  | OverviewWay
  | CommandEffect
  /** Give the terminal back to the shell until it says that the screen goes on. */
  | { readonly type: 'suspend' };

/** The overview as it opens, or opens again: what waits for a human comes first. */
export function openOverview(
  overview: Overview,
  {
    place,
    notice,
  }: { readonly place?: OverviewPlace | undefined; readonly notice?: Notice | undefined } = {},
): OverviewState {
  const start: OverviewPlace = {
    area: overview.inbox.length > 0 ? 'inbox' : 'sprints',
    sprint: undefined,
    request: undefined,
    filter: emptyBuffer,
    palette: noPalette,
  };
  return {
    ...(place ?? start),
    overview,
    commands: new Map(),
    files: new Map(),
    folded: new Set(),
    agentless: new Map(),
    focus: { at: 'lists' },
    notice,
  };
}

/** What is confirmed takes no yes before it was seen again. */
export function disarmed(focus: OverviewFocus): OverviewFocus {
  return focus.at === 'start' ? { ...focus, isArmed: false } : focus;
}

/** Where the person stands. */
export function placeIn({ area, sprint, request, filter, palette }: OverviewState): OverviewPlace {
  return { area, sprint, request, filter, palette };
}

/** The list in which keys move: one that is empty has nothing to move in. */
export function currentArea(state: OverviewState): OverviewArea {
  return state.area === 'inbox' && shownInbox(state).length > 0 ? 'inbox' : 'sprints';
}

/** The sprints that the filter leaves. */
export function shownRows({ overview, filter }: OverviewState): readonly SprintRow[] {
  return matching(overview.rows, filter.text, ({ sprint: { id, name, word } }) => [id, name, word]);
}

/** What waits for a human, as far as the filter leaves it. */
export function shownInbox({ overview, filter }: OverviewState): readonly InboxItem[] {
  return matching(overview.inbox, filter.text, (item) => [
    item.sprint,
    item.task ?? '',
    item.asker,
    item.approval ? requestTitle(item) : item.question,
    riskText(item),
  ]);
}

/** The sprint that the cursor is on. */
export function pickedRow(state: OverviewState): SprintRow | undefined {
  const rows = shownRows(state);
  return rows.find(({ sprint }) => sprint.id === state.sprint) ?? rows[0];
}

/** The request that the cursor is on. */
export function pickedItem(state: OverviewState): InboxItem | undefined {
  const items = shownInbox(state);
  return items.find(({ id }) => id === state.request) ?? items[0];
}
