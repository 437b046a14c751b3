import { cellsOf, fill, fit } from '../../lib/text/cells.ts';
import { count } from '../../lib/text/count.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { clockText } from '../../lib/time/clock-text.ts';
import { attemptText } from '../../views/sprints/attempt-text.ts';
import type { InboxItem } from '../../views/requests/inbox.ts';
import type { SprintRow } from '../../views/sprints/overview.ts';
import { pausedText } from '../../views/sprints/paused-text.ts';
import { progressText } from '../../views/sprints/progress.ts';
import { riskText } from '../../views/calls/risk.ts';
import { setAsideText } from '../../views/requests/set-aside-text.ts';
import type { SprintStatus, TaskStatus } from '../../views/sprints/sprint-status.ts';
import { calledIn } from '../../workflow/projects/commands-called.ts';
import { shortFailure } from '../../views/sprints/failure-text.ts';
import { turnTexts } from '../../views/sprints/waits-turn.ts';
import { sprintAmong } from '../../views/sprints/several-projects.ts';
import { runLine } from '../../views/sprints/run-line.ts';
import { runTexts } from '../../views/sprints/run-text.ts';
import { mayStart } from '../../views/sprints/who-runs.ts';
import { usageText } from '../../views/sprints/usage-text.ts';
import type { CommandParts } from '../../workflow/policy/command-parts.ts';
import type { FilesNow } from '../../workflow/requests/files-now.ts';
import { colors, lookOfWord, WORD_WIDTH, type Color } from '../terminal/theme.ts';
import { approvalRows } from '../text/approval-lines.ts';
import { questionRows } from '../text/question-lines.ts';
import { rowsOf, type Span } from '../text/spans.ts';
import { visibleSlice } from '../text/visible-slice.ts';

type Row = readonly Span[];
type Known = {
  /** In ms since 1970. */
  readonly now: number;
  /** How long ago something happened in the sprint, in words. */
  readonly sinceLast: string;
  /** What to do about its having no agent. Default: it has one. */
  readonly missing?: string | undefined;
};
type Size = { readonly width: number; readonly rows: number };

/** What is known of a call beside what its request says. */
type BesideItem = {
  readonly command?: CommandParts | undefined;
  readonly files?: FilesNow | undefined;
  /** Lines of its files that stay as they are, are left out. */
  readonly isFolded?: boolean;
};

/**
 * Who asks what, its command taken apart, as far as there is room for it: it is decided about on the screen of its sprint, where
 * all of it can be seen.
 */
export function aboutItem(item: InboxItem, { width, rows }: Size, beside: BesideItem = {}): Row[] {
  const { approval, asker, task, isAwaited, folder } = item;
  const about = task === undefined ? '' : ` about ${task}`;
  // Of a call its card says the risk.
  const risk = approval ? '' : ` · ${riskText(item)}`;
  const head = visibleLine(`${asker}${about}`) + risk;
  const waits = isAwaited ? '' : ' · no agent waits for it now';
  const { isFolded = false, ...known } = beside;
  const unfold = isFolded ? '' : undefined;
  const said: Row[] = approval
    ? approvalRows(approval, width, { ...known, unfold, folder })
    : questionRows(item, width);
  return cut(
    [...rowsOf({ spans: [{ text: head + waits, style: 'dim' }], breaks: 'words' }, width), ...said],
    {
      width,
      rows,
    },
  );
}

/** How a sprint stands, and its tasks, as many as there is room for. */
export function aboutSprint(row: SprintRow, { width, rows }: Size, known: Known): Row[] {
  const head = sprintFacts(row, width, known);
  const { tasks } = row.sprint;
  const gap: Row[] = head.length + 1 + ENOUGH_TASKS <= rows ? [[]] : [];
  const room = rows - head.length - gap.length;
  if (room < 1 || tasks.length === 0) return cut(head, { width, rows });
  return [...head, ...gap, ...tasksOfSprint(row, { width, rows: room })];
}

/** How a sprint stands. */
export function sprintFacts(row: SprintRow, width: number, known: Known): Row[] {
  return factsOf(row, known).flatMap(([label, text]) =>
    rowsOf(
      {
        spans: [
          { text: label.padEnd(LABEL_WIDTH), style: 'dim' },
          { text: visibleLine(text), style: 'plain' },
        ],
        breaks: 'words',
        hang: LABEL_WIDTH,
      },
      width,
    ),
  );
}

/** The tasks of a sprint, as many as there is room for: those that somebody is at first in sight. */
export function tasksOfSprint({ sprint: { tasks, hasRunner } }: SprintRow, { width, rows }: Size): Row[] {
  const current = tasks.find(({ state }) => state === 'blocked' || state === 'active');
  const isCut = tasks.length > rows;
  const { items } = visibleSlice(tasks, isCut ? rows - 1 : rows, (task) => task === current);
  const out = tasks.length - items.length;
  return [...taskRows({ tasks: items, hasRunner }, width), ...(isCut ? [more(out)] : [])];
}

/** So many in sight are worth more than a blank row, also of a sprint that has fewer. */
const ENOUGH_TASKS = 5;

/** Cells of the longest label, and two blanks. */
const LABEL_WIDTH = 12;

type Fact = readonly [label: string, text: string];

function factsOf({ sprint, runs }: SprintRow, { now, sinceLast, missing = '' }: Known): Fact[] {
  const { id, tasks, left, lastFailure, setAside, detail, lastEventAt, usage, runOptions } = sprint;
  if (runs.is === 'outside') return [['', 'What is asked outside of any sprint, e.g. by agents in editors']];
  const at = (time: string) => clockText(Date.parse(time), now);
  const { project, sprint: own } = sprintAmong(id);
  const called = project === undefined ? 'clifford' : calledIn(project);
  // These each sprint has, so that nothing moves on the way from one to the next.
  const always: Fact[] = [
    ['Sprint', id],
    ['Progress', progressText(tasks)],
    ['Runner', runTexts(runs)[0] || 'none'],
    ['Last event', lastEventAt === undefined ? 'none yet' : `${sinceLast} ago, at ${at(lastEventAt)}`],
  ];
  const further: Fact[] = [
    ['No agent', mayStart(runs) === 'no' ? '' : missing],
    ['Started as', runOptions && mayStart(runs) !== 'no' ? runLine(own, runOptions, called) : ''],
    ['Left', runs.is === 'deserted' && left ? `at ${at(left.at)}: ${left.reason}` : ''],
    ['Paused', detail === 'paused' ? pausedText(own, called) : ''],
    ['Failed', detail === 'failed' ? (lastFailure ?? '') : ''],
    ['Cancelled', detail === 'cancelled' && setAside ? setAsideText(setAside) : ''],
  ];
  // Not every agent says it. Its row stays: the tasks below do not move.
  const used = usageText(usage);
  return [...always, ...further.filter(([, text]) => text !== ''), [used === '' ? '' : 'Used', used]];
}

/** Longer ids do not widen the column of ids: in cells, and as a part of the width, whichever is more. */
const WIDEST_ID = { cells: 20, part: 0.4 };

/** One for each task: its state as in the list of its screen, and what there is to say of it. */
function taskRows({ tasks, hasRunner }: Pick<SprintStatus, 'tasks' | 'hasRunner'>, width: number): Row[] {
  const widths = tasks.map(({ id }) => cellsOf(visibleLine(id)));
  const most = Math.max(WIDEST_ID.cells, Math.floor(width * WIDEST_ID.part));
  const ids = Math.max(0, ...widths.filter((cells) => cells <= most));
  return tasks.map((task) => {
    const { mark, word, style } = lookOfTask(task);
    const said = visibleLine(saidOf(task, hasRunner).join(', '));
    const id = visibleLine(task.id);
    const text = said === '' ? id : fill(id, Math.max(ids, cellsOf(id)));
    const isFaint = task.state === 'pending';
    return [
      { text: `${mark} ${word.padEnd(WORD_WIDTH)} `, style: isFaint ? 'dim' : style },
      { text, style: isFaint ? 'dim' : 'plain' },
      { text: said === '' ? '' : `  ${fit(said, width - WORD_WIDTH - 5 - cellsOf(text))}`, style: 'dim' },
    ];
  });
}

function saidOf(task: TaskStatus, hasRunner: boolean): string[] {
  const { attempt, agent, isAgentGone, setAside, waitsFor, state, detail, lastFailure } = task;
  const hasFailed = detail === 'failed' && lastFailure !== undefined;
  return [
    ...(waitsFor.length > 0 ? [`waits for ${waitsFor.join(', ')}`] : []),
    ...turnTexts(task, hasRunner).slice(0, 1),
    ...(attempt > 1 ? [`attempt ${attemptText(task)}`] : []),
    ...(agent && state !== 'done' ? [isAgentGone ? `${agent.name} is gone` : agent.name] : []),
    ...(setAside ? [setAsideText(setAside)] : []),
    ...(hasFailed ? [shortFailure(lastFailure)] : []),
  ];
}

/** The colours of states are those of what spans mean. */
const styles: Readonly<Record<Color, Span['style']>> = {
  [colors.ok]: 'text',
  [colors.focus]: 'name',
  [colors.warning]: 'warning',
  [colors.bad]: 'removed',
  [colors.literal]: 'literal',
  [colors.faint]: 'dim',
};

function lookOfTask({ word: of }: TaskStatus): { mark: string; word: string; style: Span['style'] } {
  const { mark, word, color } = lookOfWord(of);
  return { mark, word, style: color === undefined ? 'plain' : styles[color] };
}

function more(number: number): Row {
  return [{ text: `… ${count(number, 'task')} more`, style: 'dim' }];
}

function cut(said: readonly Row[], { rows }: Size): Row[] {
  if (said.length <= rows) return [...said];
  return [
    ...said.slice(0, rows - 1),
    [{ text: `↓ ${count(said.length - rows + 1, 'line')} more: Enter`, style: 'dim' }],
  ];
}
