import { labelOf, rulesOf } from '../../gateway/policy/policy-rule.ts';
import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import type { RecordedRule } from '../../machines/policy-state.ts';
import { clipLine } from '../../lib/text/clip.ts';
import { maskSecrets } from '../../views/calls/masked.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { columns } from '../text/columns.ts';
import { calendarDay, clockTime } from '../../lib/time/clock-text.ts';
import { lineWidth } from '../text/paragraph.ts';
import { shortId } from '../text/short-id.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { uncounted } from '../mcp/mcp-errors.ts';
import { findMcpPlace } from '../mcp/mcp-place.ts';
import { onProject } from '../project/on-project.ts';
import { policyLines } from './policy-lines.ts';

/** Shows the rules of the policy, and what humans allowed for more than one call. */
export async function policyList(cli: Cli, { json }: { json?: true }): Promise<void> {
  const place = await findMcpPlace(cli);
  // Whichever stream is confirmed, the rules of all are.
  const { granted, calls } = await onProject(cli, place, async (project) => {
    const state = await project.confirm(ADHOC_STREAM);
    return { granted: state.policyRules, calls: state.policyRules.map((rule) => callText(state, rule)) };
  });
  const { policy } = place.reading;
  if ('unreadable' in policy) cli.endWith(exitCodes.failed);
  if (json) {
    const rules =
      'unreadable' in policy ? [] : rulesOf(policy).map((rule) => ({ ...rule, rule: labelOf(rule) }));
    const rest = 'unreadable' in policy ? policy : { default: policy.default, agents: policy.agents };
    const grants = granted.map(({ recordedIn: _where, ...grant }) => grant);
    return cli.printJson({ ...rest, rules, granted: grants });
  }
  cli.printLines([...policyLines(policy, lineWidth(cli)), '', ...grantLines(granted, calls)]);
  if (!('unreadable' in policy) && rulesOf(policy).length === 0)
    cli.print('how to write a rule: clifford policy --help');
  [...place.reading.warnings, ...uncounted(place.trust)].forEach(cli.note);
}

/** The one call that a yes is for, where it is not for a whole tool. */
function callText(state: ProjectState, { callDigest, recordedIn }: RecordedRule): string | undefined {
  if (callDigest === undefined) return undefined;
  const requests = state.streams.get(recordedIn)?.requests.values();
  const request = requests?.find(({ asked: { approval } }) => approval?.callDigest === callDigest);
  const approval = request?.asked.approval;
  return approval && JSON.stringify(maskSecrets(approval.args));
}

function grantLines(granted: readonly RecordedRule[], calls: readonly (string | undefined)[]): string[] {
  if (granted.length === 0) return ['no human has allowed anything for more than one call'];
  const ids = granted.map(({ id }) => id);
  const rows = granted.map(({ id, server, tool, scope, by, at }) => [
    shortId(id, ids),
    visibleLine(`${server}/${tool}`),
    visibleLine(scopeText(scope)),
    visibleLine(`${by}, ${calendarDay(at)} ${clockTime(at)}`),
  ]);
  const [head = '', ...lines] = columns([['GRANTED', 'TOOL', 'HOLDS', 'BY'], ...rows]);
  return [
    head,
    ...lines.flatMap((line, at) => [line, ...onlyLines(calls[at])]),
    'to revoke one: clifford policy remove <id>',
  ];
}

/** Up to here a call is shown: who wants it whole finds it in `clifford questions --all`. */
const LONGEST_CALL = 500;

function onlyLines(call: string | undefined): string[] {
  return call === undefined ? [] : [`  exactly: ${visibleLine(clipLine(call, LONGEST_CALL))}`];
}

function scopeText(scope: RecordedRule['scope']): string {
  switch (scope.kind) {
    case 'always':
      return 'always';
    case 'sprint':
      return `sprint ${scope.stream}`;
    case 'task':
      return `task ${scope.taskId} of ${scope.stream}`;
  }
}
