import { calendarDay } from '../../lib/time/clock-text.ts';
import { findExecutable } from '../../lib/processes/find-executable.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { detectAgent } from '../../runner/agents/detect-agent.ts';
import { agentWay } from '../../runner/plan/agent-way.ts';
import type { ConfigReading } from '../../workflow/config/load-config.ts';
import { agentCases } from './agent-cases.ts';
import type { DoctorContext } from './check.ts';
import { keptProof } from './kept-proof.ts';
import { proofSubject } from './proof-subject.ts';

/**
 * In a line, that the agent which tasks go to was seen by `clifford doctor --approvals` not to wait for a yes, in exactly
 * the version that is installed. To be shown, and for nothing else: what a run allows does not depend on it. Asks a program
 * for its version only where one was seen so.
 *
 * @param chosen - The agent of `--agent`. `undefined`: that of the configuration.
 */
export async function disprovedLine(
  context: DoctorContext,
  reading: ConfigReading,
  chosen: string | undefined,
): Promise<string | undefined> {
  const { root, env, signal } = context;
  const cases = agentCases(context, reading);
  const meant = cases.find((each) => (chosen === undefined ? each.isDefault : each.agent.name === chosen));
  if (!meant || meant.definition?.command !== undefined) return undefined;
  const { agent, definition, countsTokens } = meant;
  const place = { cwd: root, path: env['PATH'], env, bin: definition?.path, signal };
  const file = findExecutable(place.bin ?? agent.bin, place);
  const kept = file === undefined ? undefined : await keptProof(context, file);
  if (kept?.proof.is !== 'disproved') return undefined;
  const found = await detectAgent(agent, place);
  if (!found || (await proofSubject(context, found, definition)) !== kept.of) return undefined;
  // By its command line nobody expects it to ask.
  if ((await agentWay(agent, definition, { ...place, countsTokens })).via === 'cli') return undefined;
  const seen = `seen on ${calendarDay(kept.at)} by clifford doctor --approvals`;
  return visibleLine(
    `${agent.title} ${found.version ?? ''} does not wait for a yes: ${kept.proof.why}, ${seen}`,
  );
}
