import { CliffordError } from '../../errors.ts';
import type { KnownAgent } from '../../runner/agents/agent-adapter.ts';
import { knownAgents } from '../../runner/agents/known-agents.ts';
import { findExecutable } from '../../lib/processes/find-executable.ts';
import { adapterNames } from '../../workflow/config/adapter-names.ts';
import { knownOnes } from '../../lib/text/did-you-mean.ts';

/** The agents on the `PATH` that Clifford knows, in the order it prefers them. */
export function findInstalled(cwd: string, path: string | undefined): KnownAgent[] {
  return adapterNames
    .map((name) => knownAgents[name])
    .filter(({ bin }) => findExecutable(bin, { cwd, path }) !== undefined);
}

/**
 * The one of these that an option names.
 *
 * @param others - What is said of any other agent, as the end of a sentence.
 * @throws {CliffordError} `AGENT_UNKNOWN`
 */
export function namedBy<Name extends string>(
  option: string,
  name: string,
  { known, others }: { readonly known: readonly Name[]; readonly others: string },
): Name {
  const named = known.find((each) => each === name);
  if (named !== undefined) return named;
  throw new CliffordError(`Cannot use ${option} ${name}: ${knownOnes(name, known)}`, {
    code: 'AGENT_UNKNOWN',
    fix: `Name one of them; ${others}`,
  });
}
