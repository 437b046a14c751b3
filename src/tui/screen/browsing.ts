import { allPanes, paneOf } from '../panes/all-panes.ts';
import type { Pane, PaneContent, PaneKind, PaneLine } from '../panes/pane.ts';
import { emptyBuffer, type TextBuffer } from '../text/text-buffer.ts';
import type { Past } from '../past/past.ts';
import { rememberLast } from '../../lib/remember-last.ts';
import { plainWordOf } from '../../machines/status-words.ts';
import type { TaskView } from '../../views/sprints/describe-sprint.ts';
import type { ScreenView } from '../../views/sprints/sprint-view.ts';
import { matching } from '../text/matching.ts';

/** What keys move in while no box takes them. A narrow terminal shows nothing else. */
export type Area = 'question' | 'tasks' | 'detail';

/** Where the person has moved to. */
export type Browsing = {
  readonly area: Area;
  /** The task that was picked; `undefined`: the one that is worked on, whichever that is. */
  readonly task: string | undefined;
  /** Id of the pane that is shown beside the tasks. */
  readonly pane: string;
  /** Id of the one that stands beside what agents write, where there is room for both. */
  readonly beside: string;
  /** Line numbers that panes stand at, by {@link placeKey}: the first that is shown, the one behind the last (in a log), or that of the cursor. */
  readonly places: ReadonlyMap<string, number>;
  /** The line of a list that is shown whole, by {@link placeKey}. */
  readonly opened: ReadonlyMap<string, number>;
  /** What lines must have in them to be shown: of a pane, by its id, and of the tasks, by {@link TASKS}. */
  readonly filters: ReadonlyMap<string, TextBuffer>;
  /** The line that was found last of those that the filter would leave, by {@link placeKey}: all others are shown, too. */
  readonly found: ReadonlyMap<string, number>;
  /** What was read for the pane that is shown. */
  readonly content: LoadedContent | undefined;
  /** What is being read. */
  readonly loading: ContentVersion | undefined;
};

/** Which content it is, and of when. */
export type ContentVersion = { readonly key: string; readonly version: string };

/** The content of a pane, once it was read. */
export type LoadedContent = ContentVersion & { readonly content: PaneContent };

/** The pane that is shown, as it was drawn last: what keys can move in. */
export type DetailRoom = {
  readonly key: string;
  readonly kind: PaneKind;
  readonly lines: readonly PaneLine[];
  /** What there is without a filter, and what one leaves of it. */
  readonly all: readonly PaneLine[];
  readonly hits: readonly PaneLine[];
  /** Rows. */
  readonly page: number;
  /** The line that stands first when the last one is in sight. */
  readonly lastTop: number;
};

/** Nobody has moved yet. */
export const startOfBrowsing: Browsing = {
  area: 'tasks',
  task: undefined,
  pane: allPanes[0].id,
  beside: 'task',
  places: new Map(),
  opened: new Map(),
  filters: new Map(),
  found: new Map(),
  content: undefined,
  loading: undefined,
};

/** The pane beside the tasks. */
export function currentPane({ browsing }: { readonly browsing: Browsing }): Pane {
  return paneOf(browsing.pane);
}

/** The list of tasks, among what has a filter. */
const TASKS = 'tasks';

/** What must be in the lines of the pane that is shown. */
export function paneFilter({ browsing }: { readonly browsing: Browsing }): TextBuffer {
  return browsing.filters.get(browsing.pane) ?? emptyBuffer;
}

/** What tasks must have in them to be listed. */
export function taskFilter({ browsing }: { readonly browsing: Browsing }): TextBuffer {
  return browsing.filters.get(TASKS) ?? emptyBuffer;
}

/** The filter of what keys move in. */
export function currentFilter({ browsing }: { readonly browsing: Browsing }): TextBuffer {
  return browsing.filters.get(filteredIn(browsing)) ?? emptyBuffer;
}

function filteredIn({ area, pane }: Browsing): string {
  return area === 'detail' ? pane : TASKS;
}

/** What the list of tasks is made of. */
type Listed = {
  readonly browsing: Browsing;
  readonly sprint: ScreenView;
  readonly titles: ReadonlyMap<string, string>;
};

/** The tasks that the filter leaves: by id, title and state. */
export function listedTasks({ browsing, sprint, titles }: Listed): readonly TaskView[] {
  return matching(sprint.tasks, taskFilter({ browsing }).text, (task) => [
    task.id,
    titles.get(task.id) ?? '',
    plainWordOf(task.state, task.detail),
  ]);
}

/** The place of a task in a pane. */
export function placeKey(pane: string, task: string | undefined): string {
  return `${pane} ${task ?? ''}`;
}

/** The content of the pane that is shown, of a task: of the past it is another than of now. */
export function contentKey(
  { browsing, past }: { readonly browsing: Browsing; readonly past?: Past | undefined },
  task: string | undefined,
): string {
  return `${past ? 'then ' : ''}${placeKey(browsing.pane, task)}`;
}

/**
 * The task that the panes show: the one that was picked, or the one that needs the person, or that is worked on, or that was
 * last.
 */
export function shownTask({
  browsing,
  sprint,
  current,
  past,
}: {
  readonly browsing: Browsing;
  readonly sprint: ScreenView;
  readonly current: string | undefined;
  readonly past?: Past | undefined;
}): string | undefined {
  return shownOf(sprint.tasks, sprint.open, [browsing.task, past?.moment.task, current]);
}

/** Many keys and panes ask for it between two changes. */
const shownOf = rememberLast(
  (
    tasks: ScreenView['tasks'],
    open: ScreenView['open'],
    [picked, ofPast, current]: readonly (string | undefined)[],
  ): string | undefined => {
    const asks = open.find(({ id }) => id === current)?.task;
    // Of the past, the one that something has happened to.
    const named = [picked, ofPast, asks].find(
      (id) => id !== undefined && tasks.some((task) => task.id === id),
    );
    if (named !== undefined) return named;
    const active =
      tasks.find(({ state }) => state === 'active') ?? tasks.findLast(({ attempt }) => attempt > 0);
    return (active ?? tasks[0])?.id;
  },
);

/** With the keys in this area. */
export function withArea<S extends { readonly browsing: Browsing }>(state: S, area: Area): S {
  return { ...state, browsing: { ...state.browsing, area } };
}

/**
 * With this filter of what keys move in: lines that have no such text in them are left out. A task that is left out is not
 * shown beside the others either, but the first of them.
 */
export function withFilter<S extends Listed & Parameters<typeof shownTask>[0]>(
  state: S,
  filter: TextBuffer,
): S {
  const { browsing } = state;
  const filters = new Map(browsing.filters).set(filteredIn(browsing), filter);
  const next = { ...state, browsing: { ...browsing, filters } };
  if (browsing.area === 'detail') return next;
  const listed = listedTasks(next);
  const shown = shownTask(next);
  const [first] = listed;
  if (!first || listed.some(({ id }) => id === shown)) return next;
  return { ...next, browsing: { ...next.browsing, task: first.id } };
}

/** What is shown whole has a place of its own. */
export function wholeKey(key: string): string {
  return `${key} whole`;
}
