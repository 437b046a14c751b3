import { resolve } from 'node:path';
import { CliffordError } from '../../errors.ts';
import type { Ground } from '../../gateway/backtest/decide-by.ts';
import type { RecordedCall } from '../../gateway/backtest/recorded-call.ts';
import { readCalls } from '../../gateway/backtest/read-calls.ts';
import { loadCandidate } from '../../gateway/config/load-candidate.ts';
import type { McpConfigReading } from '../../gateway/config/mcp-config-reading.ts';
import type { PolicyConfig } from '../../gateway/config/policy-config.ts';
import { agentGround } from '../../gateway/permission/agent-ground.ts';
import type { Cli } from '../cli.ts';
import { chooseStream } from '../history/choose-stream.ts';
import { readText } from '../input/read-text.ts';
import type { McpPlace } from '../mcp/mcp-place.ts';
import { clauseOf, fixOf } from '../mcp/mistakes.ts';
import { requireProjectRoot } from '../../workflow/project/project-root.ts';
import { onProject } from '../project/on-project.ts';

/**
 * The calls in the log of the project, of one sprint or of all.
 *
 * @throws {CliffordError} `NO_PROJECT`, `SPRINT_UNKNOWN`, `NO_HISTORY`
 */
export async function callsIn(cli: Cli, sprint: string | undefined): Promise<readonly RecordedCall[]> {
  return onProject(cli, { root: requireProjectRoot(cli) }, async (project) =>
    readCalls(project, sprint === undefined ? undefined : await chooseStream(project, sprint)),
  );
}

/** Where they are judged. */
export function groundOf({ env }: Pick<Cli, 'env'>, { root, reading: { servers } }: McpPlace): Ground {
  return { ...agentGround(root, env), servers };
}

/** The policy of `mcp.json`. @throws {CliffordError} `POLICY_UNREADABLE` */
export function policyInFile({ reading }: Pick<McpPlace, 'reading'>): PolicyConfig {
  return readable(reading);
}

/**
 * The policy of a file that a person names, `-` for one on stdin, written as in `mcp.json`. Its rules may name servers of
 * the project and of the calls.
 *
 * @throws {CliffordError} `POLICY_UNREADABLE`
 */
export async function policyNamed(
  cli: Cli,
  { root, reading }: McpPlace,
  named: string,
  calls: readonly RecordedCall[],
): Promise<PolicyConfig> {
  const text = named === '-' ? { text: await readText(cli, '-') } : {};
  const shown = reading.shown.map(({ id, isFullyTrusted }) => {
    return { id, trust: isFullyTrusted ? 'full' : 'untrusted' } as const;
  });
  const called = new Set(calls.map(({ server }) => server));
  const otherServers = [...shown, ...[...called].map((id) => ({ id, trust: 'untrusted' }) as const)];
  const file = named === '-' ? 'stdin' : resolve(cli.cwd, named);
  return readable(await loadCandidate({ ...text, file, root, env: cli.env, otherServers }));
}

function readable({ file, policy, problems }: McpConfigReading): PolicyConfig {
  if (!('unreadable' in policy)) return policy;
  const problem = problems.find(({ serverId }) => serverId === undefined);
  const why = problem ? clauseOf(problem) : policy.unreadable;
  throw new CliffordError(`Cannot judge by the policy of ${file}: ${why}`, {
    code: 'POLICY_UNREADABLE',
    fix: problem ? fixOf(problem) : 'Correct it',
  });
}
