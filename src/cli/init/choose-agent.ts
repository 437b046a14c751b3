import { CliffordError } from '../../errors.ts';
import type { KnownAgent } from '../../runner/agents/agent-adapter.ts';
import { knownAgents } from '../../runner/agents/known-agents.ts';
import { findExecutable } from '../../lib/processes/find-executable.ts';
import { adapterNames } from '../../workflow/config/adapter-names.ts';
import { documentation } from '../../package-file.ts';

/** The agents on the `PATH` that Clifford knows, in the order it prefers them. */
export function findInstalled(cwd: string, path: string | undefined): KnownAgent[] {
  return adapterNames
    .map((name) => knownAgents[name])
    .filter(({ bin }) => findExecutable(bin, { cwd, path }) !== undefined);
}

/** The one of these that an option names. @throws {CliffordError} `AGENT_UNKNOWN` */
export function namedBy<Name extends string>(option: string, name: string, known: readonly Name[]): Name {
  const named = known.find((each) => each === name);
  if (named !== undefined) return named;
  throw new CliffordError(`Cannot use ${option} ${name}: the known ones are ${known.join(', ')}`, {
    code: 'AGENT_UNKNOWN',
    fix: `Name one of them; any other agent goes into "agents" of clifford.json, see ${documentation('configuration')}`,
  });
}
