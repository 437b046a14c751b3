import type { ApprovalScope, RuleScope } from '../events/approval.ts';
import type { ProjectState, RequestState } from './project-state.ts';

/** For how much a yes to this call can stand, the least first. */
export function possibleScopes(state: ProjectState, request: RequestState): readonly ApprovalScope[] {
  const scopes: readonly ApprovalScope[] = ['once', 'task', 'sprint', 'always'];
  return scopes.filter((scope) => scope === 'once' || ruleScope(state, request, scope) !== undefined);
}

/** The rule that a yes for this scope makes; `undefined`: the call is part of no such task or sprint. */
export function ruleScope(
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
