import { CliffordError } from '../../errors.ts';
import type { RecordedRule } from '../../machines/policy-state.ts';
import type { Project } from '../project/project.ts';

/**
 * Revokes what a human allowed for more than one call.
 *
 * @returns the rule that is gone.
 * @throws {CliffordError} `RULE_UNKNOWN` when no rule has that id, or none any more.
 */
export async function removeRule(
  project: Project,
  ruleId: string,
  { by }: { by: string },
): Promise<RecordedRule> {
  const { policyRules } = await project.refresh();
  const rule = policyRules.find(({ id }) => id === ruleId);
  if (!rule) throw unknownRule(ruleId);
  const stored = await project.dispatch(rule.recordedIn, (state) => {
    if (!state.policyRules.some(({ id }) => id === ruleId)) return [];
    return [{ type: 'policy.ruleremoved', subject: rule.recordedIn, data: { ruleId, by } }];
  });
  if (stored.length === 0) throw unknownRule(ruleId);
  return rule;
}

function unknownRule(ruleId: string): CliffordError {
  return new CliffordError(`Cannot remove rule ${ruleId}: no rule has that id`, {
    code: 'RULE_UNKNOWN',
    fix: 'The rules that hold are in .clifford/policy.json',
  });
}
