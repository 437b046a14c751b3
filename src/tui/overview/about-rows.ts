import { count } from '../../lib/text/count.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { clockText } from '../../lib/time/clock-text.ts';
import type { InboxItem } from '../../views/inbox.ts';
import type { SprintRow } from '../../views/overview.ts';
import { pausedText } from '../../views/paused-text.ts';
import { progressText } from '../../views/progress.ts';
import { riskText } from '../../views/risk.ts';
import { setAsideText } from '../../views/set-aside-text.ts';
import type { TaskStatus } from '../../views/sprint-status.ts';
import { runLine } from '../../views/run-line.ts';
import { mayStart } from '../../views/who-runs.ts';
import { usageText } from '../../views/usage-text.ts';
import { lookOfWord, WORD_WIDTH } from '../screen/theme.ts';
import { approvalRows } from '../text/approval-lines.ts';
import { questionRows } from '../text/question-lines.ts';
import { rowsOf, type Span } from '../text/spans.ts';
import { visibleSlice } from '../text/visible-slice.ts';
import { runTexts } from './run-text.ts';

type Row = readonly Span[];
type Size = { readonly width: number; readonly rows: number };

/** Who asks what, as far as there is room for it: it is decided about on the screen of its sprint, where all of it can be seen. */
export function aboutItem(item: InboxItem, { width, rows }: Size): Row[] {
  const { approval, asker, task, isAwaited } = item;
  const about = task === undefined ? '' : ` about ${task}`;
  const head = `${visibleLine(`${asker}${about}`)} · ${riskText(item)}`;
  const waits = isAwaited ? '' : ' · no agent waits for it now';
  const said: Row[] = approval ? approvalRows(approval, width) : questionRows(item, width);
  return cut(
    [...rowsOf({ spans: [{ text: head + waits, style: 'dim' }], breaks: 'words' }, width), ...said],
    {
      width,
      rows,
    },
  );
}

/** How a sprint stands, and its tasks, as many as there is room for: those that somebody is at first in sight. */
export function aboutSprint(row: SprintRow, { width, rows }: Size, now: number): Row[] {
  const { sprint } = row;
  const head = factsOf(row, now).flatMap((fact) =>
    rowsOf({ spans: [{ text: visibleLine(fact), style: 'dim' }], breaks: 'words', hang: 2 }, width),
  );
  const room = rows - head.length;
  if (room < 1) return cut(head, { width, rows });
  const current = sprint.tasks.find(({ state }) => state === 'blocked' || state === 'active');
  const isCut = sprint.tasks.length > room;
  const { items } = visibleSlice(sprint.tasks, isCut ? room - 1 : room, (task) => task === current);
  const out = sprint.tasks.length - items.length;
  return [...head, ...items.map(taskRow), ...(isCut ? [more(out)] : [])];
}

function factsOf({ sprint, runs }: SprintRow, now: number): string[] {
  const { id, tasks, left, lastFailure, setAside, detail, lastEventAt, usage, runOptions } = sprint;
  if (runs.is === 'outside') return ['What is asked outside of any sprint, e.g. by agents in editors'];
  const [run = ''] = runTexts(runs);
  const at = (time: string) => clockText(Date.parse(time), now);
  return [
    [id, progressText(tasks), usageText(usage)].filter((part) => part !== '').join(' · '),
    ...(run === '' ? [] : [run]),
    ...(runOptions && mayStart(runs) !== 'no' ? [`with its last agent: ${runLine(id, runOptions)}`] : []),
    ...(runs.is === 'deserted' && left ? [`the runner left at ${at(left.at)}: ${left.reason}`] : []),
    ...(detail === 'paused' ? [pausedText(id)] : []),
    ...(detail === 'failed' && lastFailure !== undefined ? [`failed: ${lastFailure}`] : []),
    ...(detail === 'cancelled' && setAside ? [`cancelled ${setAsideText(setAside)}`] : []),
    ...(lastEventAt === undefined ? [] : [`last event: ${at(lastEventAt)}`]),
  ];
}

function taskRow(task: TaskStatus): Row {
  const { mark, word } = lookOfWord(task.word);
  const { attempt, agent, isAgentGone, setAside } = task;
  const said = [
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(agent ? [isAgentGone ? `${agent.name} is gone` : agent.name] : []),
    ...(setAside ? [setAsideText(setAside)] : []),
  ];
  return [
    { text: `${mark} ${word.padEnd(WORD_WIDTH)} `, style: task.state === 'pending' ? 'dim' : 'plain' },
    { text: visibleLine(task.id), style: task.state === 'pending' ? 'dim' : 'plain' },
    { text: said.length === 0 ? '' : `  ${visibleLine(said.join(', '))}`, style: 'dim' },
  ];
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
