import { allPanes } from '../panes/all-panes.ts';
import { followsEnd, hasCursor, type PaneKind } from '../panes/pane.ts';
import {
  currentFilter,
  currentPane,
  listedTasks,
  shownTask,
  taskFilter,
  wholeKey,
  withArea,
  withFilter,
  type Area,
  type Browsing,
  type DetailRoom,
} from '../screen/browsing.ts';
import { currentQuestion } from '../screen/current-question.ts';
import type { Room } from '../terminal/room.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { cursorAt, firstOfText, firstStop, indexAt } from '../text/pane-window.ts';
import { emptyBuffer } from '../text/text-buffer.ts';
import { stepOf, type Move } from './list-keys.ts';
import { clamp } from '../text/clamp.ts';

/** The next area keys move in, or the one before. */
export function otherArea(state: ScreenState, by: 1 | -1): ScreenState {
  const areas: Area[] = currentQuestion(state) ? ['question', 'tasks', 'detail'] : ['tasks', 'detail'];
  const at = areas.indexOf(state.browsing.area);
  return withArea(state, areas.at((at + by) % areas.length) ?? 'tasks');
}

/** Picks this task. */
export function withTask(state: ScreenState, task: string): ScreenState {
  return withArea(browse(state, { task }), 'tasks');
}

/** Picks the task so many lines away; of those that move that far, the first or the last. */
export function pickTask(state: ScreenState, move: Move, { tasksPage }: Room): ScreenState {
  const tasks = listedTasks(state);
  const shown = shownTask(state);
  const at = tasks.findIndex(({ id }) => id === shown);
  const next = tasks[clamp(at + stepOf(move, tasksPage, tasks.length), 0, tasks.length - 1)];
  return next ? browse(state, { task: next.id }) : state;
}

/** All tasks are listed again; once they are, the one that is worked on is shown again, whichever that is. */
export function followWork(state: ScreenState): ScreenState {
  if (taskFilter(state).text === '') return browse(state, { task: undefined });
  return withFilter(withArea(state, 'tasks'), emptyBuffer);
}

/** Moves in what keys move in. */
export function moveHere(state: ScreenState, move: Move, room: Room): ScreenState {
  return state.browsing.area === 'detail' ? moveInDetail(state, move, room) : pickTask(state, move, room);
}

/** Whether there is another place to go to in the pane beside the tasks. */
export function canMoveIn({ kind, lines, lastTop }: DetailRoom): boolean {
  return hasCursor(kind) ? lines.length - firstStop(lines) > 1 : lastTop > 0;
}

/** Moves in the pane beside the tasks. A log that is left at its end follows what comes. */
export function moveInDetail(state: ScreenState, move: Move, { detail }: Room): ScreenState {
  if (!detail) return state;
  const { key, kind, lines } = detail;
  const place = state.browsing.places.get(key);
  const next = placeAfter[kind](detail, place, move);
  const places = new Map(state.browsing.places);
  if (next === undefined) places.delete(key);
  else places.set(key, next);
  return lines.length === 0 ? state : browse(state, { places });
}

function placeInLog({ lines, page }: DetailRoom, place: number | undefined, move: Move): number | undefined {
  const end = place === undefined ? lines.length : indexAt(lines, place);
  const least = Math.min(page, lines.length);
  const next = clamp(end + stepOf(move, page, lines.length), least, lines.length);
  return next >= lines.length ? undefined : lines[next]?.at;
}

function placeInText({ lines, page, lastTop }: DetailRoom, place: number | undefined, move: Move) {
  const most = Math.max(0, lastTop);
  const at = Math.min(firstOfText(lines, place, page), most);
  return lines[clamp(at + stepOf(move, page, lines.length), 0, most)]?.at;
}

function placeInList({ lines, kind, page }: DetailRoom, place: number | undefined, move: Move) {
  const most = lines.length - 1;
  const next = clamp(cursorAt(lines, kind, place) + stepOf(move, page, lines.length), firstStop(lines), most);
  return followsEnd(kind) && next === most ? undefined : lines[next]?.at;
}

const placeAfter = {
  log: placeInLog,
  text: placeInText,
  list: placeInList,
  history: placeInList,
} satisfies Record<PaneKind, typeof placeInLog>;

/** Shows another pane beside the tasks: by its number from 1, or the next or the one before. */
export function showPane(state: ScreenState, which: number | 'next' | 'previous'): ScreenState {
  const at = allPanes.indexOf(currentPane(state));
  const by = { next: 1, previous: -1 };
  const pane =
    typeof which === 'number' ? allPanes[which - 1] : allPanes.at((at + by[which]) % allPanes.length);
  if (!pane) return state;
  const beside = pane === allPanes[0] ? state.browsing.beside : pane.id;
  return browse(state, { pane: pane.id, beside, area: 'detail' });
}

/** Shows the line at the cursor whole. */
export function openLine(state: ScreenState, { detail }: Room): ScreenState {
  if (!detail || !hasCursor(detail.kind)) return state;
  const { key, kind, lines } = detail;
  const line = lines[cursorAt(lines, kind, state.browsing.places.get(key))];
  if (!line?.whole) return state;
  return browse(state, { opened: new Map(state.browsing.opened).set(key, line.at) });
}

/** One step back: from a line that is shown whole to its list, from a filter to everything, from a pane to the tasks, to the work. */
export function stepBack(state: ScreenState, { detail }: Room): ScreenState {
  const { area, opened } = state.browsing;
  if (area !== 'detail') return followWork(state);
  const open = [...opened.keys()].find((key) => wholeKey(key) === detail?.key);
  if (open !== undefined) return browse(state, { opened: without(opened, open) });
  if (currentFilter(state).text !== '') return withFilter(state, emptyBuffer);
  return withArea(state, 'tasks');
}

function browse(state: ScreenState, over: Partial<Browsing>): ScreenState {
  return { ...state, browsing: { ...state.browsing, ...over } };
}

function without<T>(map: ReadonlyMap<string, T>, key: string): ReadonlyMap<string, T> {
  return new Map([...map].filter(([each]) => each !== key));
}
