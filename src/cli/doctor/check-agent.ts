import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v4 as uuidv4 } from 'uuid';
import { detectAgent, type DetectedAgent } from '../../runner/agents/detect-agent.ts';
import type { KnownAgent } from '../../runner/agents/agent-adapter.ts';
import type { AgentDefinition } from '../../runner/plan/agent-plan.ts';
import { agentWay, type AgentWay } from '../../runner/plan/agent-way.ts';
import { findExecutable, type SearchPlace } from '../../lib/processes/find-executable.ts';
import { runDir } from '../../runner/attempt/run-files.ts';
import { calendarDay } from '../../lib/time/clock-text.ts';
import { duration } from '../../lib/time/duration.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import type { AgentCase } from './agent-cases.ts';
import { absent, type Check, type CheckStatus, type DoctorContext } from './check.ts';
import { mistrust } from './check-approvals.ts';
import { keptProof, type KeptProof } from './kept-proof.ts';
import { proofSubject } from './proof-subject.ts';
import { reachThrough, type Reached } from './reach-through.ts';

/** Something to mend. */
type Trouble = { readonly status: CheckStatus; readonly fix: string };

/** Whether an agent CLI is there, and would work: its version, its way to Clifford's server, its limits, its login. */
export async function checkAgent(
  context: DoctorContext,
  { agent, definition, isDefault, countsTokens }: AgentCase,
): Promise<Check> {
  const { root, env, signal } = context;
  const name = `agent:${agent.name}`;
  const place = { cwd: root, path: env['PATH'], env, bin: definition?.path, signal };
  const found = await detectAgent(agent, place);
  if (!found) {
    const text = `${agent.title} is not installed`;
    return absent(name, text, isDefault ? `Install it: ${agent.install}` : undefined);
  }
  const [reached, way] = await Promise.all([
    found.hangs
      ? ({ callLimitMs: undefined, problem: 'it was not tried, because it hangs' } satisfies Reached)
      : reach(context, found, definition),
    agentWay(agent, definition, { ...place, countsTokens }),
  ]);
  const kept = way.via === 'acp' ? await keptFor(context, found, definition) : undefined;
  const troubles = [
    ...versionTroubles(found),
    ...speakerTroubles(found, way, place, isDefault),
    ...reachTroubles(agent, reached, isDefault),
    ...(kept?.proof.is === 'disproved' ? [{ status: 'broken' as const, fix: mistrust(found) }] : []),
  ];
  const worst = troubles.find(({ status }) => status === 'broken') ?? troubles[0];
  return {
    name,
    status: worst?.status ?? 'good',
    text: visibleLine(
      [titleOf(found), ...reachWords(reached), wayWords(way), ...proofWords(way, kept)].join('; '),
    ),
    fix: troubles.length === 0 ? undefined : troubles.map(({ fix }) => fix).join('; '),
    facts: {
      path: found.file,
      version: found.version ?? null,
      isSupported: found.isSupported,
      supported: agent.supported,
      ...reached,
      ...way,
      ...(kept && { approvals: { at: kept.at, ...kept.proof } }),
    },
  };
}

async function reach(
  { root, stateDir, env, signal }: DoctorContext,
  { agent, file }: DetectedAgent,
  definition: AgentDefinition | undefined,
): Promise<Reached> {
  const id = uuidv4();
  const spare = stateDir === undefined ? await mkdtemp(join(tmpdir(), 'clifford-doctor-')) : undefined;
  try {
    const order = {
      model: definition?.model,
      newSessionId: id,
      projectRoot: root,
      runDir: runDir(spare ?? stateDir ?? root, `doctor-${id}`),
      args: definition?.args ?? [],
      env,
    };
    return await reachThrough({ agent, file, order, env: definition?.env ?? {}, signal });
  } finally {
    if (spare !== undefined) await rm(spare, { recursive: true, force: true });
  }
}

function titleOf({ agent, file, version, problem }: DetectedAgent): string {
  const what = version ?? `of unknown version${problem === undefined ? '' : ` (${problem})`}`;
  return `${agent.title} ${what}, ${file}`;
}

function reachWords({ tookMs, problem, callLimitMs, isLoggedIn }: Reached): string[] {
  const way =
    tookMs !== undefined
      ? `reached Clifford after ${duration(tookMs)}`
      : problem !== undefined
        ? `did not reach Clifford: ${problem.slice(0, 300)}`
        : 'cannot be tried without a model';
  return [
    way,
    ...(callLimitMs === undefined ? [] : [`a call may wait ${duration(callLimitMs)}`]),
    ...(isLoggedIn === undefined ? [] : [isLoggedIn ? 'logged in' : 'not logged in']),
  ];
}

function wayWords({ via, because }: AgentWay): string {
  return via === 'acp'
    ? `asks before it acts, over ACP (${because})`
    : `is not asked what it does: by its command line (${because})`;
}

/** What was seen of it by `clifford doctor --approvals`. */
async function keptFor(
  context: DoctorContext,
  found: DetectedAgent,
  definition: AgentDefinition | undefined,
): Promise<KeptProof | undefined> {
  const subject = found.hangs ? undefined : await proofSubject(context, found, definition);
  return subject === undefined ? undefined : keptProof(context, found.file, subject);
}

function proofWords({ via }: AgentWay, kept: KeptProof | undefined): string[] {
  if (!kept) return via === 'acp' ? ['not proven yet: clifford doctor --approvals'] : [];
  const day = `on ${calendarDay(kept.at)}`;
  return [
    kept.proof.is === 'proven'
      ? `proven to wait for a yes ${day}`
      : `does not wait for a yes: ${kept.proof.why}, seen ${day}`,
  ];
}

/** It is to be spoken with by a program that is not there. */
function speakerTroubles(
  { agent: { acp } }: DetectedAgent,
  { via }: AgentWay,
  place: SearchPlace,
  isDefault: boolean,
): Trouble[] {
  if (via !== 'acp' || !acp?.program || findExecutable(acp.program.bin, place) !== undefined) return [];
  return [
    {
      status: isDefault ? 'broken' : 'warning',
      fix: `Install what speaks ACP for it: ${acp.program.install}`,
    },
  ];
}

function versionTroubles({ agent, version, isSupported }: DetectedAgent): Trouble[] {
  if (isSupported) return [];
  const { from, below } = agent.supported;
  const tried = `Clifford was tried with ${from} up to, not including, ${below}`;
  return [
    { status: 'warning', fix: version === undefined ? `See what is wrong: ${agent.bin} --version` : tried },
  ];
}

function reachTroubles(agent: KnownAgent, { problem, isLoggedIn }: Reached, isDefault: boolean): Trouble[] {
  if (isLoggedIn === false)
    return [{ status: 'warning', fix: `Log in: start ${agent.bin}, or give it a key` }];
  if (problem === undefined) return [];
  return [
    { status: isDefault ? 'broken' : 'warning', fix: `Start ${agent.bin} by hand and see what it says` },
  ];
}
