import type { Approval } from '../../events/approval.ts';
import { runsEdited } from '../../workflow/requests/edited-call.ts';
import { isShownInPart } from '../../workflow/requests/shown-arguments.ts';
import { ADHOC_STREAM } from '../../events/field-schemas.ts';
import type { RequestView } from '../../views/describe-sprint.ts';
import type { QuestionView } from '../../views/question-view.ts';
import { callCard, type CallCard, type Revealed } from '../../views/call-card.ts';
import { maskSecrets } from '../../views/masked.ts';
import { wrap } from '../../lib/text/cells.ts';
import { visibleLine, visible } from '../../lib/text/visible.ts';
import { NARROWEST } from './broken-for.ts';
import type { Page } from './paragraph.ts';

/** How far in what is said about a call may stand, in cells. */
const INDENT = 6;

/** A tool call that waits for a human, in full, and the commands that decide. */
export function approvalLines(
  { id, sprint, task }: Pick<RequestView, 'id' | 'sprint' | 'task'>,
  approval: Approval,
  page: Page,
  { revealed, offer = [] }: Pick<QuestionView, 'revealed' | 'offer'> = {},
): string[] {
  return [
    ...callLines(approval, page, revealed),
    ...offer.map((line, at) => `${at === 0 ? '' : '  '}${visible(line)}`),
    `allow with: clifford approve ${id}`,
    scopes(sprint, task, approval),
    ...(isShownInPart(approval) ? [] : [`or changed, with: --edit (${briefOutcome(approval)})`]),
    `refuse with: clifford deny ${id} --reason "…"`,
    `ask the agent about it first with: clifford explain ${id} "…"`,
  ];
}

/** What becomes of a changed call, on a line that fits on a terminal: `clifford approve --edit` says it in full. */
function briefOutcome(approval: Approval): string {
  return runsEdited(approval) ? 'it runs so, and the agent is told' : 'the agent is told to make that call';
}

/** The call alone: what it does, which rule asks, and what is known of its tool. */
export function callLines(approval: Approval, page: Page, revealed?: Revealed | null): string[] {
  const card = callCard(approval, revealed ?? undefined);
  const { server, tool, agent, isTrusted, rule, hints, change, explanation } = card;
  const ofServer = `server ${server}${isTrusted ? '' : ' (hints not trusted)'}, tool ${tool}`;
  return [
    visibleLine(agent === undefined ? ofServer : `agent ${agent} with a tool of its own, kind ${tool}`),
    ...(explanation ? explanationLines(explanation, page) : []),
    ...block('arguments:', JSON.stringify(revealed ? card.args : maskSecrets(card.args), null, 2)),
    ...hiddenLines(card, revealed === null),
    visibleLine(`rule: ${rule}`),
    ...(hints.length === 0 ? [] : [visibleLine(`the server says: ${hints.join(', ')}`)]),
    ...(change === undefined ? [] : block('the definition of the tool changed:', change)),
  ];
}

/**
 * What a human had asked about the call before, and what its agent has said since. A terminal would break long lines of it
 * at its edge, and go on where our own begin.
 */
function explanationLines(
  { question, words }: NonNullable<CallCard['explanation']>,
  { stdout: { isTTY, columns } }: Page,
): string[] {
  const width = isTTY ? Math.max(NARROWEST, columns) - INDENT : Infinity;
  const said = (text: string) => wrap(visible(text), width).join('\n');
  return [
    ...block('asked before:', said(question)),
    ...(words === '' ? ['the agent has said nothing since'] : block('the agent says:', said(words))),
  ];
}

/** What is not to be seen of the arguments, and how to see it. */
function hiddenLines({ cut, hidden }: CallCard, isGone: boolean): string[] {
  const tooLong = cut === undefined ? undefined : `too long to show: ${cut}`;
  const what = [tooLong, hidden].filter((each) => each !== undefined).join('; ');
  if (what === '') return [];
  if (isGone) return [`${what}: not shown, the process that made the call is gone, or on another machine`];
  return [`${what}: see it all with: clifford questions --reveal`];
}

function block(heading: string, text: string): string[] {
  return [
    heading,
    ...visible(text)
      .split('\n')
      .map((line) => `  ${line}`),
  ];
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
