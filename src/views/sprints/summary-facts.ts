import { count } from '../../lib/text/count.ts';
import { duration } from '../../lib/time/duration.ts';
import { linesText } from '../changes/changed-files.ts';
import type { SprintSummary } from './sprint-summary.ts';
import type { TaskFact } from './task-facts.ts';
import { usageText } from './usage-text.ts';

/** What a sprint took as a whole. Times are in ms. */
export type SprintTotals = Pick<
  SprintSummary,
  | 'tookMs'
  | 'workedMs'
  | 'waitedMs'
  | 'attempts'
  | 'questions'
  | 'approvals'
  | 'refused'
  | 'refusedByPolicy'
  | 'unanswered'
  | 'commits'
  | 'files'
  | 'uncommitted'
  | 'usage'
>;

/** The same in words. A fact without a label goes on with the one before it. @param isOver - Nothing more is to come. Default: so it is. */
export function summaryFacts(totals: SprintTotals, isOver = true): TaskFact[] {
  const { tookMs, workedMs, waitedMs, attempts, questions, approvals, refused, unanswered, commits, files } =
    totals;
  const used = usageText(totals.usage);
  const facts: (readonly [string, string])[] = [
    ['Time', `${duration(tookMs)} from start to ${isOver ? 'end' : 'its last event'}`],
    ['', `all tasks added up: ${duration(workedMs)} worked, ${waitedWords(waitedMs)}`],
    ['Attempts', `${attempts}`],
    [
      'Asked',
      `${count(questions, 'question')}${unansweredText(unanswered)}, ${count(approvals, 'approval')}${refusedText(refused)}${byPolicyText(totals.refusedByPolicy)}`,
    ],
    [
      'Files',
      commits === 0
        ? uncommittedText(totals.uncommitted)
        : `${count(files, 'file')} changed, in ${count(commits, 'commit')}`,
    ],
    ...(used === '' ? [] : [['Used', used] as const]),
  ];
  return facts.map(([label, text]) => ({ label, text }));
}

function waitedWords(ms: number): string {
  return ms === 0 ? 'no waiting for humans' : `${duration(ms)} waited for humans`;
}

/** The same files as the pane of changes has. Those of anybody are not called the sprint's. */
function uncommittedText(uncommitted: SprintTotals['uncommitted']): string {
  if (!uncommitted) return 'no commits were made';
  if (uncommitted.files === 0) return 'nothing has changed since the last commit';
  const [files, lines] = [count(uncommitted.files, 'file'), linesText(uncommitted)];
  if (uncommitted.by === 'tasks') return `${files} changed, ${lines}, in no commit`;
  return `no commits were made; uncommitted in the folder, whoever changed it: ${files}, ${lines}`;
}

function unansweredText(unanswered: number): string {
  return unanswered === 0 ? '' : ` (${unanswered} that nobody answered)`;
}

function refusedText(refused: number): string {
  return refused === 0 ? '' : `, ${refused} denied`;
}

function byPolicyText(refused: number): string {
  return refused === 0 ? '' : `; ${count(refused, 'call')} refused by the policy`;
}
