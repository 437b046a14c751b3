import type { Approval } from '../../events/approval.ts';
import { ADHOC_STREAM } from '../../events/field-schemas.ts';
import type { RequestView } from '../../views/describe-sprint.ts';
import { maskSecrets } from '../../views/masked.ts';
import { oneLine, visible } from '../../lib/text/visible.ts';

/** A tool call that waits for a human, in full, and the commands that decide. */
export function approvalLines(
  { id, stream, task }: Pick<RequestView, 'id' | 'stream' | 'task'>,
  approval: Approval,
): string[] {
  return [
    ...callLines(approval),
    `allow with: clifford approve ${id}${scopes(stream, task)}`,
    `refuse with: clifford deny ${id} --reason "…"`,
  ];
}

/** The call alone: what it does, which rule asks, and what is known of its tool. */
export function callLines({ server, tool, args, rule, annotations, change, trust }: Approval): string[] {
  const hints = Object.entries(annotations ?? {}).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return [
    oneLine(`server ${server}${trust === 'untrusted' ? ' (not trusted)' : ''}, tool ${tool}`),
    ...block('arguments:', JSON.stringify(maskSecrets(args), null, 2)),
    oneLine(`asked by: ${rule}`),
    ...(hints.length === 0 ? [] : [oneLine(`the server says: ${hints.join(', ')}`)]),
    ...(change === undefined ? [] : block('the definition of the tool changed:', change)),
  ];
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
