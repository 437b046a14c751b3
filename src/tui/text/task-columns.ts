import { cellsOf, fill, fit } from '../../lib/text/cells.ts';
import { clamp } from './clamp.ts';
import type { TaskItem } from '../../views/sprints/task-items.ts';

/** Cells that each column of a list of tasks has; a column with none is not shown. */
export type TaskColumns = {
  readonly id: number;
  /** Why it does not go on, else its title. */
  readonly about: number;
  /** Where no column is for titles: cells before those of rows that have room for one. */
  readonly titleAt: number;
  /** None, too, where it stands in the rows that have one, in place of the end of their titles. */
  readonly attempt: number;
  readonly agent: number;
  readonly model: number;
  readonly cost: number;
  readonly time: number;
  /** Cells between two columns; see `BEFORE_ABOUT`. */
  readonly gap: number;
};

/** A task as a row of a list: its parts, each as wide as its column. */
export type TaskCells = {
  readonly id: string;
  readonly about: string;
  /** What stands there is no title. */
  readonly isNote: boolean;
  /** Attempt, agent, model and cost. */
  readonly facts: string;
  readonly time: string;
};

/** Ids have so many cells before anything else has any; fewer of an agent name it badly, and of what is said of a task say nothing. */
const LEAST = { id: 12, cutId: 8, agent: 8, about: 8, cutTitle: 5, shortTitle: 12, title: 32 };
/** Where titles would be cut, so much of them comes before what a task cost, and who was at it. */
const MOST_TITLE = 48;
/** No more of an id is shown where there is something else to say: cells, and a part of the width. */
const MOST_ID = { cells: 32, part: 0.4 };
const ROOMY = 72;
/** Narrower, an id that is cut leaves room for the time. */
const NARROW = 20;
/** Cells between an id and what is said of it: with fewer they would read as one text. */
const BEFORE_ABOUT = 2;
/** From here on the agent is named, whether it is the same for all or not. */
const TELLING_WIDTH = 60;

/**
 * How the width of a list is divided: what a person looks for first comes first, and what is left is for what there is to
 * say about the tasks.
 *
 * @param width - Without what stands before the ids.
 */
export function taskColumns(items: readonly TaskItem[], width: number): TaskColumns {
  const ids = items.map(({ id }) => cellsOf(id));
  const columns = columnsWith({ ids: widthOfIds(ids), title: LEAST.title }, items, width);
  if (!cutsTitles(items, columns)) return columns;
  return columnsWith({ ids: usualWidth(ids), title: MOST_TITLE }, items, width);
}

/** Whether a title has less room in these columns than it needs. */
export function cutsTitles(items: readonly TaskItem[], columns: TaskColumns): boolean {
  return items.some(({ notes, title }) => notes.length === 0 && cellsOf(title) > columns.about);
}

/** The columns, if ids need so many cells, the rows of longer ones make room for them, and titles so many before costs and agents have any. */
function columnsWith(
  { ids: natural, title: mostTitle }: { readonly ids: number; readonly title: number },
  items: readonly TaskItem[],
  width: number,
): TaskColumns {
  const gap = width >= ROOMY ? 2 : 1;
  const widest = (of: (item: TaskItem) => string) => Math.max(0, ...items.map((item) => cellsOf(of(item))));
  const least = Math.min(natural, width < NARROW ? LEAST.cutId : LEAST.id, width);
  let left = width - least;
  /** A column as wide as it can be, if that is enough. */
  const take = (wanted: number, atLeast = wanted, before = gap) => {
    const cells = Math.min(wanted, left - before);
    if (wanted === 0 || cells < Math.min(wanted, atLeast)) return 0;
    left -= cells + before;
    return cells;
  };
  const time = take(widest((item) => item.time));
  const said = Math.min(
    widest(({ notes, title }) => notes[0] ?? title),
    mostTitle,
  );
  const room = left - Math.max(0, natural - least) - BEFORE_ABOUT;
  const attempts = widest((item) => item.attempt);
  const hasTitles = said > 0 && room >= Math.min(said, LEAST.about);
  // Few rows have one: where that would cost all others a part of their titles, it stands in its own row alone.
  const attempt = hasTitles && room - attempts - gap < said ? 0 : take(attempts);
  const most = clamp(MOST_ID.cells, least, Math.floor(width * MOST_ID.part));
  const id = Math.min(natural, most, least + left);
  left -= id - least;
  const about = take(said, LEAST.about, BEFORE_ABOUT);
  const cost = take(widest((item) => item.cost));
  // Mostly it is the same for all: then a title says more.
  const telling = (of: (item: TaskItem) => string) =>
    width >= TELLING_WIDTH || new Set(items.map(of)).size > 2 ? widest(of) : 0;
  const agent = take(
    telling((item) => item.agent),
    LEAST.agent,
  );
  const model = take(
    telling((item) => item.model),
    LEAST.agent,
  );
  return {
    id: about > 0 ? id : id + left,
    about: about > 0 ? about + left : 0,
    titleAt: Math.min(natural, Math.floor(width * MOST_ID.part)),
    attempt,
    agent,
    model,
    cost,
    time,
    gap,
  };
}

/** As wide as the widest, without the few that are much longer than the others: their rows make room for them. */
export function widthOfIds(cells: readonly number[]): number {
  const usual = usualWidth(cells);
  return Math.max(usual, ...cells.filter((each) => each <= usual * 1.5));
}

/** Three of four are no wider. */
function usualWidth(cells: readonly number[]): number {
  return cells.toSorted((one, other) => one - other)[Math.ceil(cells.length * 0.75) - 1] ?? 0;
}

/** A task in these columns. Its id has the room of all else that its row can do without, so that it is not cut. */
export function taskCells(item: TaskItem, columns: TaskColumns): TaskCells {
  const cells = cellsInColumns(item, columns);
  const titled = columns.about === 0 ? withTitle(item, columns, cells) : undefined;
  if (titled) return titled;
  const isCut = cellsOf(item.id) > columns.id;
  return isCut ? withLongId(item, cells) : cells;
}

/**
 * Where no column is for titles, one stands in what is blank of its row, before attempt, agent and cost; before the time, too, if
 * that is of work that is over.
 */
function withTitle(item: TaskItem, { titleAt, gap }: TaskColumns, cells: TaskCells): TaskCells | undefined {
  const { id, title, notes, word, isWaiting } = item;
  if (notes.length > 0 || title === '') return undefined;
  const before = Math.max(titleAt, cellsOf(id));
  const free = cellsOf(cells.id + cells.about + cells.facts + cells.time) - before - BEFORE_ABOUT;
  const time = item.time === '' ? '' : ' '.repeat(gap) + item.time;
  const isOver = !isWaiting && word !== 'active';
  const ways = [
    { facts: saying(cells.facts), time: saying(cells.time), least: LEAST.shortTitle },
    { facts: '', time, least: LEAST.shortTitle },
    ...(isOver ? [{ facts: '', time: '', least: LEAST.shortTitle }] : []),
    { facts: '', time, least: LEAST.about },
  ];
  for (const { least, ...kept } of ways) {
    const room = free - cellsOf(kept.facts + kept.time);
    if (room >= Math.min(least, cellsOf(title)))
      return { id: fill(id, before), about: aboutColumn(title, BEFORE_ABOUT + room), isNote: false, ...kept };
  }
  return undefined;
}

/**
 * The whole id before the end of a title, that before attempts, agents and costs, and those before the time; how long
 * somebody is waited for stays.
 */
function withLongId(item: TaskItem, cells: TaskCells): TaskCells {
  const id = cellsOf(item.id);
  const total = cellsOf(cells.id + cells.about + cells.facts + cells.time);
  const facts = saying(cells.facts);
  const time = saying(cells.time);
  const says = cells.about.trim() !== '';
  const keeping = item.isWaiting ? [facts + time, time] : [facts + time, time, ''];
  for (const kept of id > MOST_ID.cells && says ? [] : keeping) {
    const free = total - id - cellsOf(kept);
    if (free < 0) continue;
    const about = aboutIn(item, free - BEFORE_ABOUT);
    return {
      ...cells,
      id: item.id,
      about: about === '' ? ' '.repeat(free) : aboutColumn(about, free),
      facts: kept === facts + time ? facts : '',
      time: kept === '' ? '' : time,
    };
  }
  // Nothing would be enough: it has what is blank.
  const about = cells.about.trimEnd();
  const free = total - cellsOf(about + facts + time);
  const whole = fit(item.id, free);
  return { ...cells, id: whole, about: about + ' '.repeat(free - cellsOf(whole)), facts, time };
}

/** Blanks alone are room. */
function saying(cells: string): string {
  return cells.trim() === '' ? '' : cells;
}

/** What there is to say of a task in so many cells, if that says something. */
function aboutIn({ notes, title }: TaskItem, room: number): string {
  if (notes.length > 0) return noteThatFits(notes, room);
  return room < LEAST.about ? '' : title;
}

/**
 * A title, or why it does not go on, has the room of what there is nothing to say of, too; where no words of the reason fit otherwise,
 * it has that of attempt, agent and cost, and then of the time, unless somebody is waited for.
 */
function cellsInColumns(item: TaskItem, columns: TaskColumns): TaskCells {
  const { gap, ...widths } = columns;
  const between = ' '.repeat(gap);
  const left = (text: string, width: number) => (width === 0 ? '' : between + fill(text, width));
  const right = (text: string, width: number) =>
    width === 0 ? '' : between + ' '.repeat(Math.max(0, width - cellsOf(text))) + fit(text, width);
  const own = ownAttempt(item, columns) ? between + item.attempt : '';
  const facts =
    own +
    right(item.attempt, widths.attempt) +
    left(item.agent, widths.agent) +
    left(item.model, widths.model) +
    right(item.cost, widths.cost);
  const time = right(item.time, widths.time);
  const id = fill(item.id, widths.id);
  const isNote = item.notes.length > 0;
  const about = widths.about === 0 ? 0 : BEFORE_ABOUT + widths.about - cellsOf(own);
  const full = { facts: saying(facts), time: saying(time) };
  const ways = [full, { ...full, facts: '' }, ...(item.isWaiting ? [] : [{ facts: '', time: '' }])];
  const roomOf = (kept: typeof full) =>
    about + cellsOf(kept.facts === '' ? facts : '') + cellsOf(kept.facts + kept.time === '' ? time : '');
  if (!isNote && about === 0) return { id, about: '', isNote, facts, time };
  if (!isNote) {
    const room = roomOf(full);
    const kept = restOf(full, { facts, time });
    // Before a short time there are blanks.
    const blank = kept.facts === '' ? cellsOf(kept.time) - cellsOf(kept.time.trimStart()) - gap : 0;
    const more = clamp(BEFORE_ABOUT + cellsOf(item.title) - room, 0, Math.max(0, blank));
    return { id, about: aboutColumn(item.title, room + more), isNote, ...kept, time: kept.time.slice(more) };
  }
  for (const kept of ways) {
    const room = roomOf(kept);
    const text = noteThatFits(item.notes, room - BEFORE_ABOUT);
    if (text !== '') return { id, about: aboutColumn(text, room), isNote, ...restOf(kept, { facts, time }) };
  }
  const least = ways.at(-1) ?? full;
  const squeezed = squeezedNote(item, widths.id, roomOf(least));
  if (squeezed) return { ...squeezed, isNote, ...restOf(least, { facts, time }) };
  return { id, about: aboutColumn('', roomOf(full)), isNote, ...restOf(full, { facts, time }) };
}

/** What is kept of facts and time; what is not has given its cells to the reason. */
function restOf(
  kept: Pick<TaskCells, 'facts' | 'time'>,
  { facts, time }: Pick<TaskCells, 'facts' | 'time'>,
): Pick<TaskCells, 'facts' | 'time'> {
  return {
    facts: kept.facts === '' ? '' : facts,
    time: kept.facts + kept.time === '' ? '' : time,
  };
}

/** Whether the title of its row leaves room for an attempt that has no column. */
function ownAttempt({ attempt }: TaskItem, columns: TaskColumns): boolean {
  if (columns.attempt > 0 || attempt === '') return false;
  return columns.about - cellsOf(attempt) - columns.gap >= LEAST.cutTitle;
}

/**
 * Where its column has no room for any reason, the blanks behind the id have, but for one; and so has the end of an id that is cut
 * anyway.
 */
function squeezedNote(
  { id, notes }: TaskItem,
  idCells: number,
  room: number,
): Pick<TaskCells, 'id' | 'about'> | undefined {
  const beforeNote = idCells + room - 1 - cellsOf(notes.at(-1) ?? '');
  const isCut = cellsOf(id) > idCells;
  const short = fit(id, isCut && beforeNote >= LEAST.cutId ? Math.min(idCells, beforeNote) : idCells);
  const cells = idCells + room - cellsOf(short);
  const note = noteThatFits(notes, cells - 1);
  const before = clamp(BEFORE_ABOUT, 1, cells - cellsOf(note));
  return note === '' ? undefined : { id: short, about: aboutColumn(note, cells, before) };
}

/** A text as a column of so many cells, what stands before it among them. */
function aboutColumn(text: string, cells: number, before = BEFORE_ABOUT): string {
  const room = cells - before;
  return room < 1 ? ' '.repeat(cells) : ' '.repeat(before) + fill(text, room);
}

/** The fullest text that fits. One that has shorter ones is not cut, and one that says nothing when it is cut is left out. */
function noteThatFits(notes: readonly string[], room: number): string {
  const whole = notes.find((text) => cellsOf(text) <= room);
  const [only = '', shorter] = notes;
  return whole ?? (shorter !== undefined || room < LEAST.about ? '' : only);
}
