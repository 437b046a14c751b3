import { CliffordError } from '../../errors.ts';
import { agentOfServer } from '../../events/agent-server.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Answerer, CloseOutcome } from '../../workflow/requests/close-request.ts';
import type { See } from '../../workflow/requests/compare-files.ts';
import { keptDefinition } from '../../workflow/policy/definition-store.ts';
import { approveEdited, requireEditable } from '../../workflow/requests/edited-call.ts';
import { requestById } from '../../workflow/requests/find-request.ts';
import { requireEditSeen } from '../../workflow/requests/require-edit-seen.ts';
import { agentGateCall, serverGateCall } from '../backtest/gate-calls.ts';
import { throughLinks } from '../call/through-links.ts';
import { loadMcpConfig } from '../config/load-mcp-config.ts';
import { decideAgentCall } from '../permission/decide-agent-call.ts';
import { HeldPolicy } from '../permission/held-policy.ts';
import type { Fields } from '../../events/call-files/field-names.ts';
import type { GateDecision } from '../policy/gate-call.ts';
import { PolicyGate } from '../policy/policy-gate.ts';
import { misfitsOf } from '../tools/validate-arguments.ts';
import { OUT_OF_TIME } from '../tools/within-time.ts';
import type { Edited } from './edit-text.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * A human's yes to a call as they have changed it: {@link approveEdited}, unless the policy denies that call. It judges
 * it once more where it is made.
 *
 * @param answer.see - How they were shown its files: it may write over no other. Default: they were shown its arguments.
 * @throws {CliffordError} `EDIT_INVALID` when the text is none, `EDIT_UNSEEN`, `EDIT_DENIED`, and as {@link approveEdited}.
 */
export async function editCall(
  project: Project,
  request: RequestState,
  {
    edited,
    env,
    see,
    ...answer
  }: Answerer & { edited: Edited; env: Env; see?: See | undefined; response?: string | undefined },
): Promise<CloseOutcome> {
  const { id } = request;
  requireEditable(request);
  if ('problem' in edited)
    throw new CliffordError(`Cannot edit ${id}: ${edited.problem}`, {
      code: 'EDIT_INVALID',
      fix: `Give all of them: clifford approve ${id} --args '{ … }'`,
    });
  if (see) await requireEditSeen(project, request, edited.args, see);
  const { decision, rule } = await judge(project, request, edited.args, env);
  const isOpen = requestById(project.state, id)?.phase === 'open';
  if (isOpen && decision === 'deny')
    throw new CliffordError(`Cannot edit ${id}: the policy denies what it is now (${rule})`, {
      code: 'EDIT_DENIED',
      fix: 'Edit it in another way, or change the policy',
    });
  const misfits = isOpen ? await misfitsWith(project, request, edited.args) : [];
  if (misfits.length > 0)
    throw new CliffordError(`Cannot edit ${id}: its tool does not take this: ${misfits.join('; ')}`, {
      code: 'EDIT_INVALID',
      fix: 'Correct them, and approve it again',
    });
  return approveEdited(project, id, { ...answer, args: edited.args });
}

/** What its tool would refuse of these arguments, by the definition with which it was asked about; nothing, if nobody knows it. */
async function misfitsWith(
  { dir }: Project,
  { asked: { approval } }: RequestState,
  args: Fields,
): Promise<readonly string[]> {
  const definition = approval && (await keptDefinition(dir, approval.definitionDigest));
  if (!definition) return [];
  const misfits = misfitsOf({ definition }, args);
  // Where the call is made it is held against it once more.
  return misfits === OUT_OF_TIME ? [] : misfits;
}

async function judge(
  project: Project,
  { stream, taskId, asked: { approval } }: RequestState,
  args: Fields,
  env: Env,
): Promise<Pick<GateDecision, 'decision' | 'rule'>> {
  if (!approval) return { decision: 'confirm', rule: '' };
  const { root } = project;
  const { server, tool, annotations, change, elsewhere } = approval;
  const call = { tool, args, stream, taskId };
  const agent = agentOfServer(server);
  if (agent !== undefined) {
    // What its agent read out of the command is not of this one.
    const made = agentGateCall({ ...call, paths: [], elsewhere }, agent, root);
    return decideAgentCall(project, made, new HeldPolicy({ root, env }));
  }
  const { policy, servers } = await loadMcpConfig({ root, env });
  const config = servers.find((each) => each.id === server);
  const made = serverGateCall({ ...call, server, annotations, hasChanged: change !== undefined }, config);
  return new PolicyGate(policy, [], { root, throughLinks }).check(made);
}
