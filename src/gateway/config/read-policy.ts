import type { MemberNode } from '@humanwhocodes/momoa';
import { placeText, problemText, type ConfigProblem } from '../../workflow/config/config-problem.ts';
import { nearestNode, placeOf } from '../../workflow/config/json-places.ts';
import { problemsOfRules, type KnownServer, type RuleProblem } from '../policy/rule-problems.ts';
import { policyOf, policySchema } from './mcp-schema.ts';
import { DEFAULT_POLICY, type PolicyConfig, type UnreadablePolicy } from './policy-config.ts';
import { readSection, type Section } from './read-section.ts';

/** The policy of a file. With one mistake in it nothing of it counts: what it was to forbid is not known. */
export type PolicyReading = {
  readonly value: PolicyConfig | UnreadablePolicy;
  readonly problems: readonly ConfigProblem[];
  /** One line each. */
  readonly warnings: readonly string[];
};

/**
 * Reads the policy. A rule that can match none of the servers is a mistake, too: whoever wrote it believes that it
 * does something.
 *
 * @param members what stands under `policy`: nothing, one, or, by mistake, more.
 * @param servers all that stand in the file.
 */
export function readPolicy(
  { file, env }: Pick<Section, 'file' | 'env'>,
  members: readonly MemberNode[],
  servers: readonly KnownServer[],
): PolicyReading {
  const [member, second] = members;
  if (!member) return { value: DEFAULT_POLICY, problems: [], warnings: [] };
  if (second)
    return refused([{ file, place: placeOf(second), path: ['policy'], rule: 'policy appears twice' }]);
  const section = { file, env, path: ['policy'], node: member.value };
  const { value: entry, problems } = readSection(section, policySchema);
  if (!entry) return refused(problems);
  const value = policyOf(entry);
  const found = problemsOfRules(value, servers).map((each) => ({
    ...each,
    problem: problemOf(section, each),
  }));
  const errors = found.filter(({ severity }) => severity === 'error').map(({ problem }) => problem);
  if (errors.length > 0) return refused(errors);
  const warnings = found.map(({ problem }) => `${problem.rule} (${placeText(file, problem.place)})`);
  return { value, problems, warnings };
}

/** The rule names its key itself. */
function problemOf({ file, path, node }: Section, { path: below, rule }: RuleProblem): ConfigProblem {
  return {
    file,
    place: placeOf(nearestNode(node, below)),
    path: [...path, ...below],
    rule: `policy: ${rule}`,
  };
}

function refused(problems: readonly ConfigProblem[]): PolicyReading {
  const [first = 'it has a mistake'] = problems.map(problemText);
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  return { value: { unreadable: `${first}${more}` }, problems, warnings: [] };
}
