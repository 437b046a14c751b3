import { count } from '../../lib/text/count.ts';
import { cellsOf, fill, wrap } from '../../lib/text/cells.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { duration } from '../../lib/time/duration.ts';
import { unheardFacts } from '../../views/done-facts.ts';
import { setAsideText } from '../../views/set-aside-text.ts';
import type { SprintView } from '../../views/describe-sprint.ts';
import type { SprintSummary, TaskSummary } from '../../views/sprint-summary.ts';
import { isRunByLog, taskWord } from '../../views/standing.ts';
import { usageText } from '../../views/usage-text.ts';
import { lookOfWord, WORD_WIDTH, type Color } from '../screen/theme.ts';

/** A row of the summary: so many of its first UTF-16 units in a colour, or dim where it has none. */
export type SummaryRow = { readonly text: string; readonly head: number; readonly color?: Color };

type Context = {
  readonly sprint: Pick<SprintView, 'state' | 'left'>;
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
    ...factsOf(summary).flatMap(([label, text]) => hanging(label.padEnd(LABEL_WIDTH), text, width)),
    blank,
    ...taskRows(summary.tasks, context),
  ];
}

const blank: SummaryRow = { text: '', head: 0 };

function factsOf(summary: SprintSummary): [label: string, text: string][] {
  const { tookMs, workedMs, waitedMs, attempts, questions, approvals, refused, commits, files, usage } =
    summary;
  const used = usageText(usage);
  return [
    ['Time', `${duration(tookMs)} from start to end`],
    ['', `all tasks added up: ${duration(workedMs)} of work, ${duration(waitedMs)} of waiting for humans`],
    ['Attempts', `${attempts}`],
    ['Asked', `${count(questions, 'question')}, ${count(approvals, 'approval')}${refusedText(refused)}`],
    [
      'Files',
      commits === 0
        ? 'no commits were made'
        : `${count(files, 'file')} changed, in ${count(commits, 'commit')}`,
    ],
    ...(used === '' ? [] : [['Used', used] as [string, string]]),
  ];
}

function refusedText(refused: number): string {
  return refused === 0 ? '' : `, ${refused} refused`;
}

/** Why nobody runs a sprint that is not over: the line below the panes has only how one ended that is. */
function why({ sprint: { state, left }, width }: Context): SummaryRow[] {
  if (state === 'done' || left === undefined) return [];
  const lines = wrap(`The run is over: ${visibleLine(left.reason)}`, width);
  return [...lines.map((text) => ({ text, head: 0 })), blank];
}

/** Cells between two columns. */
const GAP = 2;
/** No more of a title is shown. */
const WIDEST_TITLE = 40;
/** Cells that what is to be said of a task needs at least. */
const LEAST_FACTS = 44;

/** One for each task, in columns where there is room for them. */
function taskRows(tasks: readonly TaskSummary[], { sprint, titles, width }: Context): SummaryRow[] {
  const hasRunner = isRunByLog(sprint);
  const titleOf = (id: string) => visibleLine(titles.get(id) ?? '');
  const ids = Math.max(0, ...tasks.map(({ id }) => cellsOf(visibleLine(id))));
  const facts = tasks.map(factsOfTask);
  const columns = [0, 1, 2].map((at) =>
    Math.max(0, ...facts.map(({ measured }) => measured[at]?.length ?? 0)),
  );
  const left = width - 2 - WORD_WIDTH - 1 - ids - GAP - LEAST_FACTS;
  const widest = Math.max(0, ...tasks.map(({ id }) => cellsOf(titleOf(id))));
  const titleWidth = left < 8 ? 0 : Math.min(widest, WIDEST_TITLE, left);
  return tasks.flatMap((task, at) => {
    const { mark, word, color } = lookOfWord(taskWord(task, hasRunner));
    const head = `${mark} ${word.padEnd(WORD_WIDTH)} `;
    const title = titleWidth === 0 ? '' : `${fill(titleOf(task.id), titleWidth)}  `;
    const label = `${head}${fill(visibleLine(task.id), ids)}  ${title}`;
    const { measured = [], others = [] } = facts[at] ?? {};
    const inColumns = columns
      .map((cells, column) => (measured[column] ?? '').padEnd(cells))
      .filter((text) => text !== '');
    const aligned = `${label}${[...inColumns, others.join(', ')].join('  ')}`.trimEnd();
    const rows =
      cellsOf(aligned) <= width
        ? [{ text: aligned, head: 0 }]
        : hanging(label, [...measured.filter((text) => text !== ''), ...others].join(', '), width);
    return rows.map(({ text }, row) => ({
      text,
      head: row === 0 ? head.length : 0,
      ...(row === 0 && color ? { color } : {}),
    }));
  });
}

function factsOfTask(task: TaskSummary): { measured: readonly string[]; others: readonly string[] } {
  const { attempt, workedMs, waitedMs, setAside, lastFailure, detail, usage } = task;
  return {
    measured: [
      attempt === 0 ? '' : count(attempt, 'attempt'),
      workedMs === 0 ? '' : `${duration(workedMs)} of work`,
      waitedMs === 0 ? '' : `${duration(waitedMs)} of waiting`,
    ],
    others: [
      ...(usageText(usage) === '' ? [] : [usageText(usage)]),
      ...unheardFacts(task),
      ...(setAside ? [setAsideText(setAside)] : []),
      ...(detail === 'failed' && lastFailure !== undefined ? [visibleLine(lastFailure)] : []),
    ],
  };
}

/** Cells that a text needs beside its label: with fewer it goes on below. */
const LEAST_BESIDE = 24;
const BELOW = 2;

/** A text behind its label, its further rows below its first. */
function hanging(label: string, text: string, width: number): SummaryRow[] {
  const isBeside = width - cellsOf(label) >= LEAST_BESIDE || cellsOf(label + text) <= width;
  const hang = ' '.repeat(isBeside ? cellsOf(label) : BELOW);
  const lines = text === '' ? [] : wrap(text, width - hang.length);
  const rowOf = (row: string, at: number) => ({ text: row.trimEnd(), head: at === 0 ? label.length : 0 });
  if (!isBeside) return [label, ...lines.map((line) => hang + line)].map(rowOf);
  const [first = '', ...rest] = lines;
  return [label + first, ...rest.map((line) => hang + line)].map(rowOf);
}
