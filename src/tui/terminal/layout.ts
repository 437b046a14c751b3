import { clamp } from '../text/clamp.ts';

/** Sizes of everything on the screen, in cells and rows. */
export type Layout = Division & {
  readonly columns: number;
  readonly rows: number;
  /** Rows of the panes. */
  readonly bodyRows: number;
  /** Of them, those of the list of tasks. */
  readonly listRows: number;
  /** Below it, what there is to say of the task that is picked; 0: there is no room for that. */
  readonly factsRows: number;
  /** Below that, what has happened last in the sprint; 0: there is no room for that. */
  readonly eventRows: number;
  readonly questionRows: number;
  /** Rows of the options, which do not scroll with the question. */
  readonly optionRows: number;
  readonly answerRows: number;
  /** Below what is asked, where that has a column of its own: rows of its keys; 0: the last line alone has them. */
  readonly keyRows: number;
  /** Below those, rows of a pane, without the rule above it; 0: there is no room for one. */
  readonly underRows: number;
  /** Of what is asked a row is shown, and another says how to go there. */
  readonly isFolded: boolean;
};

/** What stands side by side. */
export type Division = {
  /** One pane at a time. */
  readonly isNarrow: boolean;
  readonly tasksWidth: number;
  /** Of the pane right of the tasks, without the line before it. */
  readonly outputWidth: number;
  /** Of a second pane, or of the question, right of that, without the line before it; 0: there is none. */
  readonly besideWidth: number;
  /** Of the question and the box for its answer. */
  readonly boxWidth: number;
};

/** What has to find its place. */
export type Contents = {
  readonly columns: number;
  readonly rows: number;
  readonly tasks: number;
  /** Default: all that there is room for is wanted of the list, and the output is read. */
  readonly reading?: Reading;
  /** Lines of the question as wrapped for the width of its box; `undefined`: none is shown. */
  readonly questionLines: number | undefined;
  readonly answerLines: number;
  /** Lines of the options as wrapped for this width. Default: there are none. */
  readonly optionLines?: number;
  /** The answer stands in a box, of which a part can be shown. Otherwise all its lines have to be. */
  readonly isBoxed: boolean;
  /** Keys decide about it. Default: none do. */
  readonly hasKeys?: boolean;
  /** Somebody decides about it who has to read all of it first. Default: not so. */
  readonly isCard?: boolean;
  /** Keys move elsewhere. Default: it is what is looked at. */
  readonly isLeft?: boolean;
  /** Lines below the box: what a number stands for, a warning, a notice. */
  readonly remarkLines: number;
};

const NARROW_COLUMNS = 60;
/** From here on three stand side by side. */
const WIDE_COLUMNS = 160;
/** Header, rule above the panes, hints. */
const CHROME_ROWS = 3;
/** Above and below the text in a box, unless the screen is so low that these are worth more to what is asked. */
const BORDER_ROWS = 2;
const LOW_ROWS = 12;
/** Of the panes, below which is something that does not fit. */
const BODY_ROWS_KEPT = 5;
/** With fewer the panes say nothing: they are not shown beside a question, which has their room. */
const LEAST_BODY = 4;
/** What there is to say of a task has so many rows, and a rule above them, or none. */
const FACTS_ROWS = { least: 5, most: 16 };
/** On a screen of three columns they leave what is more to the last events, where those have so many rows, and a rule above them. */
const WITH_EVENTS = { facts: 13, leastEvents: 10 };
/** In a column of its own what is asked has so many rows for its keys, on a screen of so many rows. */
const KEY_ROWS = 2;
const ROOMY_ROWS = 24;
/** A pane below it has so many rows, and a rule above them, or there is none. */
const LEAST_UNDER = 8;
/** Where tasks do not fit, the list has so many rows before anything else has any. */
const LIST_ROWS_KEPT = 20;

/** Whether there is room for one thing at a time only. */
export function isNarrow(columns: number): boolean {
  return columns < NARROW_COLUMNS;
}

/** What is to be read on a screen that has room for three columns. */
export type Reading = {
  /** Cells that the list of tasks can use. */
  readonly listWidth: number;
  /** Which of the two other columns is read: the wider one. */
  readonly column: 'output' | 'beside';
};

/** Of two columns the list has so much, and more for its titles, up to half, where the other one keeps so many for what is read. */
const LIST_OF_TWO = { least: 28, most: 56, part: { least: 0.4, most: 0.5 } };
const READ_COLUMNS = 60;
/** Of the width of three columns the list has so much at most, and most of what is beyond; of what it leaves the one that is read so much. */
const MOST_LIST = { part: 0.3, beyond: 0.75 };
const READ_PART = 0.57;
const LEAST_LIST = 46;

/** How the width of a screen is divided: a list has what it needs, and the rest is for what is read. */
export function divide(
  columns: number,
  { listWidth, column }: Reading = { listWidth: Infinity, column: 'output' },
): Division {
  if (isNarrow(columns)) return undivided(columns);
  if (columns < WIDE_COLUMNS) {
    const { least, part, most } = LIST_OF_TWO;
    const needed = Math.min(listWidth, columns - READ_COLUMNS - 1);
    const usual = clamp(Math.floor(columns * part.least), least, most);
    const tasksWidth = clamp(needed, usual, Math.max(usual, Math.floor(columns * part.most)));
    const outputWidth = columns - tasksWidth - 1;
    return { isNarrow: false, tasksWidth, outputWidth, besideWidth: 0, boxWidth: columns };
  }
  const tasksWidth = clamp(listWidth, LEAST_LIST, mostOfList(columns));
  const room = columns - tasksWidth - 2;
  const wide = Math.floor(room * READ_PART);
  const besideWidth = column === 'beside' ? wide : room - wide;
  return { isNarrow: false, tasksWidth, outputWidth: room - besideWidth, besideWidth, boxWidth: besideWidth };
}

function mostOfList(columns: number): number {
  return Math.floor(WIDE_COLUMNS * MOST_LIST.part + (columns - WIDE_COLUMNS) * MOST_LIST.beyond);
}

function undivided(columns: number): Division {
  return { isNarrow: true, tasksWidth: columns, outputWidth: columns, besideWidth: 0, boxWidth: columns };
}

/**
 * Divides the screen: the question gets what it needs, the panes what is left and some rows at least. Where its options would
 * have no room beside the panes, or those hardly any, there is one of both at a time. One that is left, and would keep half of the screen, is folded.
 */
export function layOut(contents: Contents): Layout {
  const division = divide(contents.columns, contents.reading);
  const layout = layOutIn(contents, division);
  const isAbove = layout.questionRows > 0 && !division.isNarrow && division.besideWidth === 0;
  if (isAbove && contents.isLeft && layout.bodyRows < contents.rows / 2)
    return { ...layOutIn({ ...contents, ...FOLDED }, division), isFolded: true };
  const isCrowded = (contents.optionLines ?? 0) > 0 && layout.questionRows > 0 && layout.optionRows === 0;
  const isUseless = isAbove && layout.bodyRows < LEAST_BODY;
  return isCrowded || isUseless ? layOutIn(contents, undivided(contents.columns)) : layout;
}

/** What there is to see of what is asked, where it is folded. */
const FOLDED = { questionLines: 1, optionLines: 0, answerLines: 1, isBoxed: false };

function layOutIn(contents: Contents, division: Division): Layout {
  const { columns, rows, remarkLines, tasks } = contents;
  const heights = heightsIn(contents, division, rows - CHROME_ROWS - remarkLines);
  return {
    ...division,
    columns,
    rows,
    isFolded: false,
    ...heights,
    ...belowTasks(tasks, heights.bodyRows, division),
  };
}

function heightsIn(
  { rows, questionLines, answerLines, isBoxed, optionLines = 0, hasKeys = false, isCard = false }: Contents,
  { isNarrow: isOne, besideWidth }: Division,
  free: number,
): Pick<Layout, 'bodyRows' | 'questionRows' | 'optionRows' | 'answerRows' | 'keyRows' | 'underRows'> {
  // Below the panes, or above the question, there is a rule.
  const body = atLeastOne(free - (isOne ? 0 : 1));
  const none = { questionRows: 0, optionRows: 0, answerRows: 0, keyRows: 0, underRows: 0 };
  if (questionLines === undefined) return { ...none, bodyRows: body };
  const answerRows = atLeastOne(isBoxed ? Math.min(answerLines, Math.floor(rows / 6)) : answerLines);
  const isBeside = besideWidth > 0;
  const keyRows = isBeside && hasKeys && rows >= ROOMY_ROWS ? KEY_ROWS : 0;
  const below =
    (isOne ? free : body) - answerRows - (isBoxed && hasBorder({ rows }) ? BORDER_ROWS : 0) - keyRows;
  // Above another, each has a line at least: the panes, the question, and its options.
  const isAbove = !isOne && !isBeside;
  const isCrowded = below < (isAbove ? 3 : 2);
  const most = isAbove ? Math.floor(below / 2) : Math.ceil(below / 2);
  const optionRows = isCrowded ? 0 : Math.min(optionLines, most);
  const room = below - optionRows;
  const said = { optionRows, answerRows, keyRows, underRows: 0 };
  // A narrow screen shows either the question or the panes, below the same rule.
  if (isOne) return { bodyRows: atLeastOne(free), questionRows: atLeastOne(room), ...said };
  if (isBeside) {
    const questionRows = atLeastOne(Math.min(room, questionLines));
    const left = room - questionRows - 1;
    return { ...said, bodyRows: body, questionRows, underRows: left < LEAST_UNDER ? 0 : left };
  }
  const kept = isCard ? 1 : atLeastOne(Math.min(BODY_ROWS_KEPT, Math.floor(room / 3)));
  const questionRows = atLeastOne(Math.min(questionLines, room - kept));
  return { bodyRows: atLeastOne(room - questionRows), questionRows, ...said };
}

/** Whether there is a border around a box for words, on a screen of this height. */
export function hasBorder({ rows }: Pick<Layout, 'rows'>): boolean {
  return rows > LOW_ROWS;
}

/** What the list of tasks leaves is for what there is to say of the one that is picked. */
function belowTasks(
  tasks: number,
  bodyRows: number,
  { isNarrow: isOne, besideWidth }: Division,
): Pick<Layout, 'listRows' | 'factsRows' | 'eventRows'> {
  const { least, most } = FACTS_ROWS;
  const wanted = clamp(tasks, 1, LIST_ROWS_KEPT);
  const room = bodyRows - 1 - wanted;
  if (isOne || room < least) return { listRows: bodyRows, factsRows: 0, eventRows: 0 };
  // A list that fits leaves all the rest.
  const left = tasks <= wanted ? room : Math.min(most, room);
  const { facts, leastEvents } = WITH_EVENTS;
  const eventRows = besideWidth > 0 && left >= facts + 1 + leastEvents ? left - facts - 1 : 0;
  const factsRows = eventRows > 0 ? facts : left;
  return { listRows: bodyRows - 1 - left, factsRows, eventRows };
}

/** How many remarks a screen of this height has room for. */
export function mostRemarks(rows: number): number {
  return atLeastOne(Math.floor(rows / 4) - 1);
}

function atLeastOne(rows: number): number {
  return Math.max(1, rows);
}
