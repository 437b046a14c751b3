import { v7 as uuidv7 } from 'uuid';
import { CliffordError } from '../../errors.ts';
import type { ApprovalScope, RuleScope } from '../../events/approval.ts';
import { subjectOf } from '../../events/envelope.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { ProjectState, RequestState } from '../../machines/project-state.ts';

/** For how much a yes to this call can stand, the least first. */
export function possibleScopes(state: ProjectState, request: RequestState): readonly ApprovalScope[] {
  const scopes: readonly ApprovalScope[] = ['once', 'task', 'sprint', 'always'];
  return scopes.filter((scope) => scope === 'once' || ruleScope(state, request, scope) !== undefined);
}

/** @throws {CliffordError} `SCOPE_IMPOSSIBLE` for a task or sprint that the call is not part of. */
export function requireScope(state: ProjectState, request: RequestState, scope: ApprovalScope): void {
  const possible = possibleScopes(state, request);
  if (possible.includes(scope)) return;
  throw new CliffordError(`Cannot approve ${request.id} for its ${scope}: the call is part of no ${scope}`, {
    code: 'SCOPE_IMPOSSIBLE',
    fix: `Choose one of: ${possible.join(', ')}`,
    recovery: 'fix-input',
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
  const { server, tool, definitionDigest } = approval;
  const subject = subjectOf(request.stream, request.taskId);
  const rule: Candidate = {
    type: 'policy.ruleadded',
    subject,
    data: { ruleId: `r-${uuidv7()}`, server, tool, definitionDigest, scope: holds, by },
  };
  if (state.pins.get(server)?.get(tool) === definitionDigest) return [rule];
  return [rule, { type: 'tool.pinned', subject, data: { server, tools: { [tool]: definitionDigest }, by } }];
}

function ruleScope(
  { streams }: ProjectState,
  { stream, taskId, asked }: RequestState,
  scope: Exclude<ApprovalScope, 'once'>,
): RuleScope | undefined {
  if (scope === 'always') return { kind: 'always' };
  const sprint = streams.get(stream);
  if (sprint?.manifest === undefined) return undefined;
  if (scope === 'sprint') return { kind: 'sprint', stream };
  const task = taskId ?? asked.task;
  if (task === undefined || !sprint.tasks.has(task)) return undefined;
  return { kind: 'task', stream, taskId: task };
}
