import { isNarrow } from '../terminal/layout.ts';
import type { OverviewArea } from './overview-state.ts';
import { clamp } from '../text/clamp.ts';

/** Sizes of everything in the overview, in cells and rows. Rows are without the rule above them; what has none has no room. */
export type OverviewLayout = {
  /** One list at a time, one above the other, or side by side. */
  readonly shape: 'single' | 'stacked' | 'wide';
  readonly sprints: Extent;
  readonly inbox: Extent;
  /** What there is to say of the sprint that its list stands at. */
  readonly aboutSprint: Extent;
  /** Its tasks, where they have a place of their own. */
  readonly aboutTasks: Extent;
  /** What there is to say of the request. */
  readonly aboutItem: Extent;
};

type Extent = { readonly width: number; readonly rows: number };

/** What has to find its place. */
type OverviewContents = {
  readonly area: OverviewArea;
  readonly columns: number;
  readonly rows: number;
  readonly sprints: number;
  readonly waiting: number;
  /** The least of these widths in which the list of sprints says what matters of each. */
  readonly leastWidth: (widths: { readonly least: number; readonly most: number }) => number;
  /** Lines above the hints. */
  readonly remarks: number;
};

/** Narrower, the half of the width would cut what both lists say. */
const WIDE_COLUMNS = 120;
/** Header and hints. */
const CHROME_ROWS = 2;
/** Fewer say nothing. */
const LEAST_ABOUT = 4;
/** So many rows have what there is to say of a sprint, without its tasks. */
const FACT_ROWS = 10;
/** From so many on a list that has more leaves the half of them. */
const MANY_ROWS = 24;

const noRoom: Extent = { width: 0, rows: 0 };

/** Divides the screen: what waits for a human has up to half of it, and what is left says more of what the cursors are on. */
export function layOutOverview(contents: OverviewContents): OverviewLayout {
  const { columns, rows, remarks } = contents;
  const body = Math.max(4, rows - CHROME_ROWS - remarks);
  if (isNarrow(columns)) {
    const list = { width: columns, rows: body - 1 };
    return {
      shape: 'single',
      sprints: list,
      inbox: list,
      aboutSprint: noRoom,
      aboutTasks: noRoom,
      aboutItem: noRoom,
    };
  }
  if (columns < WIDE_COLUMNS) return { shape: 'stacked', ...stacked(contents, body) };
  return { shape: 'wide', ...sideBySide(contents, body) };
}

/** Below both lists stands what the one says that keys move in. */
function stacked({ columns: width, sprints, waiting, area }: OverviewContents, body: number) {
  // A rule above each.
  const room = body - 2;
  const inboxRows = clamp(waiting, 1, room >> 1);
  const { listRows, aboutRows } = withAbout(sprints, room - inboxRows);
  const about = { width, rows: aboutRows };
  return {
    inbox: { width, rows: inboxRows },
    sprints: { width, rows: listRows },
    aboutSprint: area === 'sprints' ? about : noRoom,
    aboutTasks: noRoom,
    aboutItem: area === 'inbox' ? about : noRoom,
  };
}

/**
 * Below each list stands what it says. What waits has the larger part of the width; where nothing does, its side is free for the tasks of
 * the sprint, and needs less.
 */
function sideBySide(contents: OverviewContents, body: number) {
  const { columns, sprints, waiting } = contents;
  const left = waiting === 0 ? clamp(Math.floor(columns * 0.62), 50, 100) : besideWaiting(contents);
  const right = columns - left - 1;
  const room = body - 1;
  const ofInbox = withAbout(Math.max(1, waiting), room);
  const inbox = { width: right, rows: ofInbox.listRows };
  const besideInbox = { width: right, rows: ofInbox.aboutRows };
  const ofSprints = withAbout(sprints, room);
  const belowSprints = {
    sprints: { width: left, rows: ofSprints.listRows },
    aboutSprint: { width: left, rows: ofSprints.aboutRows },
  };
  if (waiting > 0) return { inbox, ...belowSprints, aboutTasks: noRoom, aboutItem: besideInbox };
  if (ofSprints.aboutRows >= FACT_ROWS)
    return { inbox, ...belowSprints, aboutTasks: besideInbox, aboutItem: noRoom };
  return {
    inbox,
    sprints: { width: left, rows: room },
    aboutSprint: besideInbox,
    aboutTasks: noRoom,
    aboutItem: noRoom,
  };
}

/** So much of the width the sprints have at least beside what waits, in cells and as a part of it, and half of it at most. */
const BESIDE_WAITING = { cells: 48, part: 0.4, most: 100 };

function besideWaiting({ columns, leastWidth }: OverviewContents): number {
  const { cells, part, most } = BESIDE_WAITING;
  return leastWidth({
    least: Math.max(cells, Math.floor(columns * part)),
    most: Math.min(columns >> 1, most),
  });
}

/** A list, and below a rule what it says: the list has what it needs, and leaves some rows where there are many. */
function withAbout(lines: number, room: number): { listRows: number; aboutRows: number } {
  const most = room >= MANY_ROWS ? Math.ceil(room / 2) : room - 1 - LEAST_ABOUT;
  const listRows = clamp(lines, 1, Math.max(1, most));
  const aboutRows = room - listRows - 1;
  const isEnough = aboutRows >= LEAST_ABOUT && (listRows >= lines || room >= MANY_ROWS);
  return isEnough ? { listRows, aboutRows } : { listRows: room, aboutRows: 0 };
}
