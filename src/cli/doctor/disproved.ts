import { findExecutable } from '../../lib/processes/find-executable.ts';
import { detectAgent } from '../../runner/agents/detect-agent.ts';
import { knownAgent } from '../../runner/agents/known-agents.ts';
import { agentWay, countsTokens } from '../../runner/plan/agent-way.ts';
import type { ConfigReading } from '../../workflow/config/load-config.ts';
import type { DoctorContext } from './check.ts';
import { keptProof } from './kept-proof.ts';
import { proofSubject } from './proof-subject.ts';

/** An agent that was seen not to wait for a yes. `at` is RFC 3339. */
export type Disproved = {
  readonly agent: string;
  readonly title: string;
  readonly version: string | null;
  readonly why: string;
  readonly at: string;
};

/**
 * What `clifford doctor --approvals` saw of an agent, if that was that it does not wait for a yes, in exactly the version that is
 * installed. To be shown, and for nothing else: what a run allows does not depend on it. Asks a program for its version only
 * where one was seen so.
 *
 * @param name - Of the configuration, or of one that Clifford knows.
 */
export async function disprovedAgent(
  context: Pick<DoctorContext, 'root' | 'env' | 'signal'>,
  { config }: ConfigReading,
  name: string,
): Promise<Disproved | undefined> {
  const { root, env, signal } = context;
  const definition = Object.hasOwn(config.agents, name) ? config.agents[name] : undefined;
  const agent = knownAgent(definition?.adapter ?? name);
  if (!agent || definition?.command !== undefined) return undefined;
  const place = { cwd: root, path: env['PATH'], env, bin: definition?.path, signal };
  const file = findExecutable(place.bin ?? agent.bin, place);
  const kept = file === undefined ? undefined : await keptProof(context, file);
  if (kept?.proof.is !== 'disproved') return undefined;
  const found = await detectAgent(agent, place);
  if (!found || (await proofSubject(context, found, definition)) !== kept.of) return undefined;
  // By its command line nobody expects it to ask.
  const way = await agentWay(agent, definition, { ...place, countsTokens: countsTokens(config) });
  if (way.via === 'cli') return undefined;
  const { at, proof } = kept;
  return { agent: name, title: agent.title, version: found.version ?? null, why: proof.why, at };
}
