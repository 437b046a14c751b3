import { ruleText, type Approval } from '../../events/approval.ts';
import { ADHOC_STREAM } from '../../events/field-schemas.ts';
import type { RequestView } from '../../views/describe-sprint.ts';
import type { Revealed } from '../../tui/text/approval-lines.ts';
import { hiddenText, maskSecrets } from '../../views/masked.ts';
import { isCut } from '../../workflow/requests/shown-arguments.ts';
import { oneLine, visible } from '../../lib/text/visible.ts';

/** A tool call that waits for a human, in full, and the commands that decide. */
export function approvalLines(
  { id, stream, task }: Pick<RequestView, 'id' | 'stream' | 'task'>,
  approval: Approval,
  revealed?: Revealed | null,
): string[] {
  return [
    ...callLines(approval, revealed),
    `allow with: clifford approve ${id}${scopes(stream, task)}`,
    `refuse with: clifford deny ${id} --reason "…"`,
  ];
}

/** The call alone: what it does, which rule asks, and what is known of its tool. */
export function callLines(approval: Approval, revealed?: Revealed | null): string[] {
  const { server, tool, annotations, change, trust } = approval;
  const hints = Object.entries(annotations ?? {}).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return [
    oneLine(`server ${server}${trust === 'untrusted' ? ' (claims not believed)' : ''}, tool ${tool}`),
    ...block('arguments:', JSON.stringify(revealed ? revealed.args : maskSecrets(approval.args), null, 2)),
    ...(revealed ? [] : hiddenLines(approval, revealed === null)),
    oneLine(`rule: ${ruleText(approval)}`),
    ...(hints.length === 0 ? [] : [oneLine(`the server says: ${hints.join(', ')}`)]),
    ...(change === undefined ? [] : block('the definition of the tool changed:', change)),
  ];
}

/** What is not to be seen of the arguments, and how to see it. */
function hiddenLines(approval: Approval, isGone: boolean): string[] {
  const { args } = approval;
  const hidden = hiddenText(approval);
  const cut = isCut(args) ? `too long to show: ${args.cut.length} of ${args.length} characters` : undefined;
  const what = [cut, hidden].filter((each) => each !== undefined).join('; ');
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

function scopes(stream: string, task: string | undefined): string {
  const wider = [
    ...(task === undefined ? [] : ['task']),
    ...(stream === ADHOC_STREAM ? [] : ['sprint']),
    'always',
  ];
  return `, or for more calls of the tool: --scope ${wider.join('|')}`;
}
