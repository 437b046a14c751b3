import { runsEdited, type Approval } from '../../events/approval.ts';
import { hearsOnlyNo } from '../../workflow/requests/edited-call.ts';
import { isShownInPart } from '../../workflow/requests/shown-arguments.ts';
import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import type { RequestView } from '../../views/requests/describe-request.ts';
import type { QuestionView } from '../../views/requests/question-view.ts';
import { callCard } from '../../views/calls/call-card.ts';
import { approvalRows } from '../../tui/text/approval-lines.ts';
import type { Cli } from '../cli.ts';
import { roomOf } from './foreign.ts';
import type { Page } from './paragraph.ts';
import { spanText } from './span-text.ts';

/** Where it is printed, and in which colours. */
type Look = Page & Pick<Cli, 'style'> & Partial<Pick<Cli, 'called'>>;

/** What is known of a call beside what its request says. */
type BesideCall = Pick<QuestionView, 'revealed' | 'offer' | 'command' | 'files'>;

/** Cells that will stand in front of each row. */
const INSET = 4;

/** A tool call that waits for a human, in full, and the commands that decide. */
export function approvalLines(
  { id, sprint, task }: Pick<RequestView, 'id' | 'sprint' | 'task'>,
  approval: Approval,
  look: Look,
  { alike = 1, ...beside }: BesideCall & Pick<QuestionView, 'alike'> = {},
): string[] {
  const { called = 'clifford' } = look;
  return [
    ...callLines(approval, look, beside),
    `allow with: ${called} approve ${id}`,
    scopes(sprint, task, approval),
    ...(isShownInPart(approval) ? [] : [`or changed, with: --edit (${briefOutcome(approval, sprint)})`]),
    `deny with: ${called} deny ${id} --reason "…"`,
    ...(alike === 1 ? [] : [`all ${alike} that wait like it are allowed, or denied, with: --same`]),
    `ask first with: ${called} explain ${id} "…"`,
    ...(hearsOnlyNo(approval, sprint) ? ['    (its agent hears only a no: you ask it in the editor)'] : []),
  ];
}

/** What becomes of a changed call, on a line that fits on a terminal: `clifford approve --edit` says it in full. */
function briefOutcome(approval: Approval, sprint: string): string {
  if (hearsOnlyNo(approval, sprint)) return 'its agent hears only a no: you tell it';
  return runsEdited(approval) ? 'it runs so, and the agent is told' : 'the agent is told to make that call';
}

/** The call alone, in the words of its card: what it is, what it would do, all of its arguments, and what else is known of it. */
export function callLines(approval: Approval, look: Look, { revealed, ...known }: BesideCall = {}): string[] {
  const beside = { revealed: revealed ?? undefined, ...known };
  const rows = approvalRows(approval, roomOf(look) - INSET, beside);
  return [...rows.map((row) => spanText(row, look.style)), ...howToSee(approval, revealed)];
}

/** How what is not to be seen of the arguments can be seen. */
function howToSee(approval: Approval, revealed: QuestionView['revealed']): string[] {
  const { cut, hidden } = callCard(approval, revealed ?? undefined);
  if (cut === undefined && hidden === undefined) return [];
  if (revealed === null) return ['not shown: the process that made the call is gone, or on another machine'];
  return ['see it all with: clifford questions --reveal'];
}

function scopes(sprint: string, task: string | undefined, { isOwn }: Approval): string {
  const wider = [
    ...(task === undefined ? [] : ['task']),
    ...(sprint === ADHOC_STREAM ? [] : ['sprint']),
    'always',
  ];
  const more = isOwn ? 'as often as exactly this is asked for' : 'for more calls of the tool';
  return `or, ${more}, with: --scope ${wider.join('|')}`;
}
