import { digestOf } from '../../lib/digest.ts';
import { findExecutable } from '../../lib/processes/find-executable.ts';
import { askVersion, type DetectedAgent } from '../../runner/agents/detect-agent.ts';
import type { AgentDefinition } from '../../runner/plan/agent-plan.ts';
import { version } from '../../version.ts';
import type { DoctorContext } from './check.ts';

/**
 * Names all that a proof is of: the agent and its version, what speaks for it, its arguments, and this Clifford.
 * `undefined`: a version is not known, so that what was seen of it says nothing of the next time.
 */
export async function proofSubject(
  { root, env, signal }: Pick<DoctorContext, 'root' | 'env' | 'signal'>,
  { agent, file, version: own }: DetectedAgent,
  definition: AgentDefinition | undefined,
): Promise<string | undefined> {
  const speaker = agent.acp?.program;
  const found = speaker && findExecutable(speaker.bin, { cwd: root, path: env['PATH'] });
  const said = found === undefined ? undefined : await askVersion(found, { env, cwd: root, signal });
  if (own === undefined || (said && 'problem' in said)) return undefined;
  const spoken = { found, version: said?.version };
  return digestOf({
    agent: agent.name,
    file,
    version: own,
    args: definition?.args ?? [],
    spoken,
    clifford: version,
  });
}
