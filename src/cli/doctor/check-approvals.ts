import { calendarDay } from '../../lib/time/clock-text.ts';
import { findExecutable } from '../../lib/processes/find-executable.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { detectAgent, type DetectedAgent } from '../../runner/agents/detect-agent.ts';
import { agentWay, type AgentWay } from '../../runner/plan/agent-way.ts';
import type { Proof } from '../../runner/proof/proof.ts';
import { version } from '../../version.ts';
import { readConfig, type ConfigReading } from '../../workflow/config/load-config.ts';
import { agentCases, type AgentCase } from './agent-cases.ts';
import { absent, warning, type Check, type DoctorContext } from './check.ts';
import { keepProof, keptProof, type KeptProof } from './kept-proof.ts';
import { proofSubject } from './proof-subject.ts';

/** How agents are tried. */
export type ProofOptions = {
  /** Also those that were tried before. */
  readonly isFresh: boolean;
  /** How long each may take, in ms. */
  readonly limitMs: number;
};

/** Whether each agent waits for a yes before it acts, as far as that was proven, or is now. */
export async function checkApprovals(context: DoctorContext, options: ProofOptions): Promise<Check[]> {
  const reading = await readConfig({ root: context.root, env: context.env });
  const known = agentCases(context, reading).map((each) => checkAgent(context, each, options));
  return [...(await Promise.all(known)), ...ownAgents(reading.config)];
}

/** Agents of the configuration that are started by a command: nobody knows how to give them a model to try them with. */
function ownAgents({ agents }: ConfigReading['config']): Check[] {
  return Object.entries(agents)
    .filter(([, { command, via }]) => command !== undefined && via === 'acp')
    .map(([name]) =>
      warning(
        `approvals:${name}`,
        visibleLine(`${name}, a command of your own: not proven to wait for a yes, it cannot be tried`),
        'Look at its first calls: what it does without asking is said in the run, and by clifford status',
      ),
    );
}

async function checkAgent(context: DoctorContext, each: AgentCase, options: ProofOptions): Promise<Check> {
  const { agent, definition } = each;
  const { root, env, signal } = context;
  const name = `approvals:${agent.name}`;
  const place = { cwd: root, path: env['PATH'], env, bin: definition?.path, signal };
  const found = await detectAgent(agent, place);
  if (!found) return absent(name, `${agent.title} is not installed`);
  const way = await agentWay(agent, definition, { ...place, countsTokens: each.countsTokens });
  if (way.via === 'cli') return notGated(name, found, way);
  const { at, proof, unkept } = await proofFor(context, each, found, options);
  const facts = { path: found.file, version: found.version ?? null, ...way, proof, ...(at && { at }) };
  const day = at === undefined ? '' : ` on ${calendarDay(at)} with Clifford ${version}`;
  if (proof.is === 'proven') {
    const lost = unkept === undefined ? '' : `; it will be tried again: ${unkept}`;
    const text = `${titleOf(found)}: waits for a yes, over ACP; proven${day || ' now'}${lost}`;
    return { name, status: 'good', text: visibleLine(text), facts };
  }
  if (proof.is === 'disproved') {
    const text = `${titleOf(found)}: does not wait for a yes: ${proof.why}${day && `, seen${day}`}`;
    return { name, status: 'broken', text: visibleLine(text), fix: mistrust(found), facts };
  }
  return {
    name,
    status: each.isDefault ? 'broken' : 'warning',
    text: visibleLine(`${titleOf(found)}: not proven to wait for a yes: ${proof.why}`),
    fix: `Start ${agent.bin} by hand and see what it says, or give it more time: clifford doctor --approvals --timeout 600`,
    facts,
  };
}

/** What to do about an agent whose prompts are not to be relied on. */
export function mistrust({ agent: { acp, install } }: Pick<DetectedAgent, 'agent'>): string {
  const tested =
    acp === undefined ? '' : `Use a version that was tested (${acp.tested.join(', ')}; ${install}), or `;
  return `Do not rely on its prompts. ${tested}run it only where it can do no harm`;
}

function notGated(name: string, found: DetectedAgent, { via, because }: AgentWay): Check {
  const fix = found.agent.acp
    ? `To be asked, set agents.${found.agent.name}.via to "acp" in clifford.json`
    : 'Run it only where it can do no harm, or choose an agent that asks';
  const text = visibleLine(`${titleOf(found)}: runs without its own prompts: not gated (${because})`);
  return {
    name,
    status: 'warning',
    text,
    fix,
    facts: { path: found.file, version: found.version ?? null, via, because },
  };
}

function titleOf({ agent, file, version: own }: DetectedAgent): string {
  return `${agent.title} ${own ?? 'of unknown version'}, ${file}`;
}

/** What was seen, at once where it was seen before. */
type Seen = { readonly proof: Proof; readonly at?: KeptProof['at']; readonly unkept?: string | undefined };

async function proofFor(
  context: DoctorContext,
  { agent, definition }: AgentCase,
  found: DetectedAgent,
  { isFresh, limitMs }: ProofOptions,
): Promise<Seen> {
  const { root, env, signal } = context;
  const open = (why: string): Seen => ({ proof: { is: 'open', why } });
  const { atModel } = agent;
  if (found.hangs) return open('it was not tried, because it hangs when it is asked for its version');
  if (!atModel) return open('nobody knows how to make it ask a scripted model');
  const speaker = agent.acp?.program;
  if (speaker && findExecutable(speaker.bin, { cwd: root, path: env['PATH'] }) === undefined)
    return open(`${speaker.bin}, which speaks ACP for it, is not on the PATH (${speaker.install})`);
  const of = await proofSubject(context, found, definition);
  const kept = of === undefined || isFresh ? undefined : await keptProof(context, found.file, of);
  if (kept) return kept;
  // The model and the runner are loaded for nobody else.
  const { proveApprovals } = await import('../../runner/proof/prove-approvals.ts');
  const { file } = found;
  const proof = await proveApprovals({
    agent: { ...agent, atModel },
    file,
    args: definition?.args,
    env,
    limitMs,
    signal,
  });
  if (proof.is === 'open' || signal.aborted) return { proof };
  if (of === undefined) return { proof, unkept: 'its version is not known' };
  const unkept = await keepProof(context, file, { of, at: new Date().toISOString(), proof });
  return { proof, unkept };
}
