import { count } from '../../lib/text/count.ts';
import { cellsOf, fill, fit, wrap } from '../../lib/text/cells.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { duration } from '../../lib/time/duration.ts';
import { unheardFacts } from '../../views/sprints/done-facts.ts';
import { setAsideText } from '../../views/requests/set-aside-text.ts';
import type { SprintView } from '../../views/sprints/describe-sprint.ts';
import type { MadeCommit, SprintSummary, TaskSummary } from '../../views/sprints/sprint-summary.ts';
import { summaryFacts } from '../../views/sprints/summary-facts.ts';
import type { TaskFact } from '../../views/sprints/task-facts.ts';
import { isRunByLog, taskWord } from '../../views/sprints/standing.ts';
import { leftOutText } from '../../views/text/left-out-text.ts';
import { usageText } from '../../views/sprints/usage-text.ts';
import { colors, lookOfWord, WORD_WIDTH, type Color } from '../terminal/theme.ts';
import { decidedLine } from './decided-lines.ts';

/** A row of the summary: so many of its first UTF-16 units in a colour, or dim where it has none. */
export type SummaryRow = { readonly text: string; readonly head: number; readonly color?: Color };

type Context = {
  readonly sprint: Pick<SprintView, 'id' | 'state' | 'left'>;
  /** First headings of the files of tasks, by id. */
  readonly titles: ReadonlyMap<string, string>;
  readonly width: number;
};

const LABEL_WIDTH = 10;

/** What a sprint took, and how each of its tasks ended, in rows of this width. */
export function summaryRows(summary: SprintSummary, context: Context): SummaryRow[] {
  const { width } = context;
  return [
    ...why(context),
    ...summaryFacts(summary).flatMap((fact) => factRows(fact, width)),
    ...newest('Decided', summary.decisions, {
      line: (decision) => decidedLine(decision, width - LABEL_WIDTH),
      all: `clifford replay ${context.sprint.id} --summary --json`,
    }),
    ...newest('Commits', summary.commitsMade, {
      line: (commit) => fit(commitText(commit, context), width - LABEL_WIDTH),
      all: 'git log',
    }),
    blank,
    ...taskRows(summary.tasks, context),
  ];
}

function factRows({ label, text }: TaskFact, width: number): SummaryRow[] {
  return hanging(label.padEnd(LABEL_WIDTH), text, width).map((row, at) => ({
    text: row.trimEnd(),
    head: at === 0 ? LABEL_WIDTH : 0,
  }));
}

/** So many of a kind are listed. */
const MOST_LISTED = 8;

/** The newest, each in a row, the first behind their label. @param all - The command that prints the earlier ones, too. */
function newest<T>(
  label: string,
  things: readonly T[],
  { line, all }: { readonly line: (thing: T) => string; readonly all: string },
): SummaryRow[] {
  const shown = things.length > MOST_LISTED ? things.slice(1 - MOST_LISTED) : things;
  const left = things.length - shown.length;
  const lines = [...(left > 0 ? [leftOutText(`${left} earlier`, all)] : []), ...shown.map(line)];
  return lines.map((text, at) => ({
    text: (at === 0 ? label : '').padEnd(LABEL_WIDTH) + text,
    head: at === 0 ? LABEL_WIDTH : 0,
  }));
}

function commitText({ sha, task, files }: MadeCommit, { titles }: Context): string {
  const title = task === undefined ? undefined : (titles.get(task) ?? '');
  const what = task === undefined ? '' : `${task}${title === '' ? '' : `: ${title}`}, `;
  return `${visibleLine(sha.slice(0, SHA_LENGTH))}  ${visibleLine(what + count(files, 'file'))}`;
}

/** So much of a commit's name is one's own in any project. */
const SHA_LENGTH = 12;

const blank: SummaryRow = { text: '', head: 0 };

/** Why nobody runs a sprint that is not over: the line below the panes has only how one ended that is. */
function why({ sprint: { state, left }, width }: Context): SummaryRow[] {
  if (state === 'done' || left === undefined) return [];
  const lines = wrap(`The run is over: ${visibleLine(left.reason)}`, width);
  return [...lines.map((text) => ({ text, head: 0 })), blank];
}

/** Cells between two columns. */
const GAP = 2;
/** No more of a title is shown, and no less. */
const TITLE = { widest: 40, least: 8 };

/** What is measured of a task stands below these. */
const measures = [
  { heading: 'Attempts', of: ({ attempt }: TaskSummary) => (attempt === 0 ? '' : `${attempt}`) },
  { heading: 'Worked', of: ({ workedMs }: TaskSummary) => (workedMs === 0 ? '' : duration(workedMs)) },
  { heading: 'Waited', of: ({ waitedMs }: TaskSummary) => (waitedMs === 0 ? '' : duration(waitedMs)) },
] as const;

/** One for each task: in columns below their headings, where there is room for them, and what else there is to say behind or below. */
function taskRows(tasks: readonly TaskSummary[], { sprint, titles, width }: Context): SummaryRow[] {
  const hasRunner = isRunByLog(sprint);
  const titleOf = (id: string) => visibleLine(titles.get(id) ?? '');
  const widest = (of: (task: TaskSummary) => string) =>
    Math.max(0, ...tasks.map((task) => cellsOf(of(task))));
  const ids = widest(({ id }) => visibleLine(id));
  const columns = measures
    .map(({ heading, of }) => ({ heading, of, cells: widest(of) }))
    .filter(({ cells }) => cells > 0)
    .map((column) => ({ ...column, cells: Math.max(column.heading.length, column.cells) }));
  const headWidth = 2 + WORD_WIDTH + 1;
  const measured = columns.reduce((sum, { cells }) => sum + GAP + cells, 0);
  const left = width - headWidth - ids - measured - GAP;
  const isInColumns = left + GAP >= 0;
  const titleWidth =
    left < TITLE.least
      ? 0
      : Math.min(
          widest(({ id }) => titleOf(id)),
          TITLE.widest,
          left,
        );
  const named = (id: string) =>
    fill(visibleLine(id), ids) + (titleWidth === 0 ? '' : `  ${fill(titleOf(id), titleWidth)}`);
  const inColumns = (of: (column: (typeof columns)[number]) => string) =>
    columns.map((column) => '  ' + of(column).padStart(column.cells)).join('');
  const heading = ' '.repeat(headWidth + cellsOf(named(''))) + inColumns((column) => column.heading);
  const rows = tasks.flatMap((task) => {
    const { mark, word, color } = lookOfWord(taskWord(task, hasRunner));
    const head = `${mark} ${word.padEnd(WORD_WIDTH)} `;
    const others = othersOf(task).join(', ');
    const label = head + named(task.id);
    const texts = isInColumns
      ? withOthers(label + inColumns(({ of }) => of(task)), others, width)
      : hanging(`${label}  `, [...inWords(task), others].filter((text) => text !== '').join(', '), width);
    const told = texts.map((text, at) => ({
      text: text.trimEnd(),
      head: at === 0 ? head.length : 0,
      ...(at === 0 && color ? { color } : {}),
    }));
    return [...told, ...failureRows(task, width, isInColumns ? BELOW_NAME : 2)];
  });
  const isHeaded = isInColumns && columns.length > 0;
  return isHeaded ? [{ text: heading, head: heading.length }, ...rows] : rows;
}

/** What stands in columns, and behind or below it what does not. */
function withOthers(columns: string, others: string, width: number): string[] {
  if (others === '') return [columns];
  if (cellsOf(columns) + GAP + cellsOf(others) <= width) return [`${columns}  ${others}`];
  return [columns, ...indented(others, width, BELOW_NAME)];
}

/** Where names begin. */
const BELOW_NAME = 2 + WORD_WIDTH + 1;

function indented(text: string, width: number, indent: number): string[] {
  return wrap(text, width - indent).map((line) => ' '.repeat(indent) + line);
}

/** Why it failed: in rows of their own, as red as the word. */
function failureRows({ detail, lastFailure }: TaskSummary, width: number, indent: number): SummaryRow[] {
  if (detail !== 'failed' || lastFailure === undefined) return [];
  const rows = indented(visibleLine(lastFailure), width, indent);
  return rows.map((text) => ({ text, head: text.length, color: colors.bad }));
}

/** What is measured, where it stands in no column. */
function inWords({ attempt, workedMs, waitedMs }: TaskSummary): string[] {
  return [
    attempt === 0 ? '' : count(attempt, 'attempt'),
    workedMs === 0 ? '' : `${duration(workedMs)} worked`,
    waitedMs === 0 ? '' : `${duration(waitedMs)} waited`,
  ];
}

function othersOf(task: TaskSummary): string[] {
  const { setAside, usage } = task;
  return [
    ...(usageText(usage) === '' ? [] : [usageText(usage)]),
    ...unheardFacts(task),
    ...(setAside ? [setAsideText(setAside)] : []),
  ];
}

/** Cells that a text needs beside its label: with fewer it goes on below. */
const LEAST_BESIDE = 24;
const BELOW = 2;

/** A text behind its label, its further rows below its first. */
function hanging(label: string, text: string, width: number): string[] {
  const isBeside = width - cellsOf(label) >= LEAST_BESIDE || cellsOf(label + text) <= width;
  const hang = ' '.repeat(isBeside ? cellsOf(label) : BELOW);
  const lines = text === '' ? [] : wrap(text, width - hang.length);
  if (!isBeside) return [label, ...lines.map((line) => hang + line)];
  const [first = '', ...rest] = lines;
  return [label + first, ...rest.map((line) => hang + line)];
}
