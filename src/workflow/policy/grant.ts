import { v7 as uuidv7 } from 'uuid';
import { CliffordError } from '../../errors.ts';
import type { ApprovalScope } from '../../events/approval.ts';
import { subjectOf } from '../../events/envelope.ts';
import { possibleScopes, ruleScope } from '../../machines/approval-scopes.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { ProjectState, RequestState } from '../../machines/project-state.ts';

/** @throws {CliffordError} `SCOPE_IMPOSSIBLE` for a task or sprint that the call is not part of. */
export function requireScope(state: ProjectState, request: RequestState, scope: ApprovalScope): void {
  const possible = possibleScopes(state, request);
  if (possible.includes(scope)) return;
  throw new CliffordError(`Cannot approve ${request.id} for its ${scope}: the call is part of no ${scope}`, {
    code: 'SCOPE_IMPOSSIBLE',
    fix: `Choose one of: ${possible.join(', ')}`,
  });
}

/**
 * What a yes decides beyond its call, on the newest state: a rule, and that the definition is the known one.
 * None for a yes to the call alone.
 */
export function grantedBy(
  state: ProjectState,
  request: RequestState,
  { scope, by }: { scope: ApprovalScope; by: string },
): readonly Candidate[] {
  const { approval } = request.asked;
  const holds = scope === 'once' ? undefined : ruleScope(state, request, scope);
  if (!approval || !holds) return [];
  const { server, tool, definitionDigest, isOwn, callDigest } = approval;
  const subject = subjectOf(request.stream, request.taskId);
  // A tool of the agent's own, e.g. its shell, has no definition that says what it does: the yes is for this call.
  const only = isOwn ? { callDigest } : {};
  const rule: Candidate = {
    type: 'policy.ruleadded',
    subject,
    data: { ruleId: `r-${uuidv7()}`, server, tool, definitionDigest, scope: holds, ...only, by },
  };
  if (isOwn) return [rule];
  if (state.pins.get(server)?.get(tool) === definitionDigest) return [rule];
  return [rule, { type: 'tool.pinned', subject, data: { server, tools: { [tool]: definitionDigest }, by } }];
}
