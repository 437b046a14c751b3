import { count } from '../../lib/text/count.ts';
import { cellsOf, wrap } from '../../lib/text/cells.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { duration } from '../../lib/time/duration.ts';
import { unheardFacts } from '../../views/done-facts.ts';
import { setAsideText } from '../../views/set-aside-text.ts';
import type { SprintView } from '../../views/describe-sprint.ts';
import type { SprintSummary, TaskSummary } from '../../views/sprint-summary.ts';
import { isRunByLog, taskWord } from '../../views/standing.ts';
import { usageText } from '../../views/usage-text.ts';
import { lookOfWord, WORD_WIDTH, type Color } from '../screen/theme.ts';

/** A row of the summary. */
export type SummaryRow = { readonly text: string; readonly color?: Color };

const LABEL_WIDTH = 10;

/** What a sprint took, and how each of its tasks ended, in rows of this width. */
export function summaryRows(
  summary: SprintSummary,
  sprint: Pick<SprintView, 'state' | 'left'>,
  width: number,
): SummaryRow[] {
  const { tookMs, workedMs, waitedMs, attempts, questions, approvals, refused, commits, files, usage } =
    summary;
  const used = usageText(usage);
  const facts: [label: string, text: string][] = [
    ['time', `${duration(tookMs)} from start to end`],
    ['', `all tasks added up: ${duration(workedMs)} of work, ${duration(waitedMs)} of waiting for humans`],
    ['attempts', `${attempts}`],
    ['asked', `${count(questions, 'question')}, ${count(approvals, 'approval')}${refusedText(refused)}`],
    ...(commits === 0
      ? []
      : [['files', `${count(files, 'file')} changed, in ${count(commits, 'commit')}`] as [string, string]]),
    ...(used === '' ? [] : [['used', used] as [string, string]]),
  ];
  const longest = Math.max(0, ...summary.tasks.map(({ id }) => cellsOf(visibleLine(id))));
  return [
    ...why(sprint, width),
    ...facts.flatMap(([label, text]) => hanging(label.padEnd(LABEL_WIDTH), text, width)),
    { text: '' },
    ...summary.tasks.flatMap((task) => taskRows(task, { hasRunner: isRunByLog(sprint), longest, width })),
  ];
}

function refusedText(refused: number): string {
  return refused === 0 ? '' : `, ${refused} refused`;
}

/** Why nobody runs a sprint that is not over: the line below the panes has only how one ended that is. */
function why({ state, left }: Pick<SprintView, 'state' | 'left'>, width: number): SummaryRow[] {
  if (state === 'done' || left === undefined) return [];
  const lines = wrap(`The run is over: ${visibleLine(left.reason)}`, width);
  return [...lines.map((text) => ({ text })), { text: '' }];
}

function taskRows(
  task: TaskSummary,
  { hasRunner, longest, width }: { hasRunner: boolean; longest: number; width: number },
): SummaryRow[] {
  const { mark, word, color } = lookOfWord(taskWord(task, hasRunner));
  const id = visibleLine(task.id);
  const { attempt, workedMs, waitedMs, setAside, lastFailure, detail } = task;
  const facts = [
    ...(attempt === 0 ? [] : [count(attempt, 'attempt')]),
    ...(workedMs === 0 ? [] : [`${duration(workedMs)} of work`]),
    ...(waitedMs === 0 ? [] : [`${duration(waitedMs)} of waiting`]),
    ...(usageText(task.usage) === '' ? [] : [usageText(task.usage)]),
    ...unheardFacts(task),
    ...(setAside ? [setAsideText(setAside)] : []),
    ...(detail === 'failed' && lastFailure !== undefined ? [visibleLine(lastFailure)] : []),
  ];
  const named = `${id}${' '.repeat(longest - cellsOf(id))}`;
  const rows = hanging(`${mark} ${word.padEnd(WORD_WIDTH)} ${named}  `, facts.join(', '), width);
  return rows.map((row) => ({ ...row, ...(color ? { color } : {}) }));
}

/** Cells that a text needs beside its label: with fewer it goes on below. */
const LEAST_BESIDE = 24;
const BELOW = 2;

/** A text behind its label, its further rows below its first. */
function hanging(label: string, text: string, width: number): SummaryRow[] {
  const isBeside = width - cellsOf(label) >= LEAST_BESIDE || cellsOf(label + text) <= width;
  const hang = ' '.repeat(isBeside ? cellsOf(label) : BELOW);
  const lines = text === '' ? [] : wrap(text, width - hang.length);
  if (!isBeside) return [{ text: label.trimEnd() }, ...lines.map((line) => ({ text: hang + line }))];
  const [first = '', ...rest] = lines;
  return [{ text: (label + first).trimEnd() }, ...rest.map((line) => ({ text: hang + line }))];
}
