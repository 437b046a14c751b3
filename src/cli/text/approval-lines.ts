import { trustText } from '../../views/trust-text.ts';
import type { Approval } from '../../events/approval.ts';
import { hearsOnlyNo, runsEdited } from '../../workflow/requests/edited-call.ts';
import { isShownInPart } from '../../workflow/requests/shown-arguments.ts';
import { ADHOC_STREAM } from '../../events/field-schemas.ts';
import type { RequestView } from '../../views/describe-sprint.ts';
import type { QuestionView } from '../../views/question-view.ts';
import { callCard, type CallCard, type Revealed } from '../../views/call-card.ts';
import { maskSecrets } from '../../views/masked.ts';
import { visibleLine, visible } from '../../lib/text/visible.ts';
import { foreignLine } from './foreign.ts';
import type { Page } from './paragraph.ts';

/** A tool call that waits for a human, in full, and the commands that decide. */
export function approvalLines(
  { id, sprint, task }: Pick<RequestView, 'id' | 'sprint' | 'task'>,
  approval: Approval,
  page: Page,
  { revealed, offer = [], alike = 1 }: Pick<QuestionView, 'revealed' | 'offer' | 'alike'> = {},
): string[] {
  return [
    ...callLines(approval, page, revealed),
    ...offer.flatMap((line, at) => foreignLine(page, visible(line), { indent: at === 0 ? 0 : 2 })),
    `allow with: clifford approve ${id}`,
    scopes(sprint, task, approval),
    ...(isShownInPart(approval) ? [] : [`or changed, with: --edit (${briefOutcome(approval, sprint)})`]),
    `deny with: clifford deny ${id} --reason "…"`,
    ...(alike === 1 ? [] : [`all ${alike} that wait like it are allowed, or denied, with: --same`]),
    `ask first with: clifford explain ${id} "…"`,
    ...(hearsOnlyNo(approval, sprint) ? ['    (its agent hears only a no: you ask it in the editor)'] : []),
  ];
}

/** What becomes of a changed call, on a line that fits on a terminal: `clifford approve --edit` says it in full. */
function briefOutcome(approval: Approval, sprint: string): string {
  if (hearsOnlyNo(approval, sprint)) return 'its agent hears only a no: you tell it';
  return runsEdited(approval) ? 'it runs so, and the agent is told' : 'the agent is told to make that call';
}

/** The call alone: what it does, which rule asks, and what is known of its tool. */
export function callLines(approval: Approval, page: Page, revealed?: Revealed | null): string[] {
  const card = callCard(approval, revealed ?? undefined);
  const { server, tool, agent, isTrusted, rule, hints, change, explanation } = card;
  const said = (text: string) => foreignLine(page, visibleLine(text));
  const ofServer = `server ${server}${isTrusted ? '' : ` (${trustText(isTrusted)})`}, tool ${tool}`;
  return [
    ...said(agent === undefined ? ofServer : `agent ${agent} with a tool of its own, kind ${tool}`),
    ...(explanation ? explanationLines(explanation, page) : []),
    ...block('arguments:', JSON.stringify(revealed ? card.args : maskSecrets(card.args), null, 2), page),
    ...hiddenLines(card, revealed === null),
    ...said(`rule: ${rule}`),
    ...(hints.length === 0 ? [] : said(`the server says: ${hints.join(', ')}`)),
    ...(change === undefined ? [] : block('the definition of the tool changed:', change, page)),
  ];
}

/** What a human had asked about the call before, and what its agent has said since. */
function explanationLines({ question, words }: NonNullable<CallCard['explanation']>, page: Page): string[] {
  return [
    ...block('asked before:', question, page),
    ...(words === '' ? ['the agent has said nothing since'] : block('the agent says:', words, page)),
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

function block(heading: string, text: string, page: Page): string[] {
  const lines = visible(text).split('\n');
  return [heading, ...lines.flatMap((line) => foreignLine(page, line, { indent: 2 }))];
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
