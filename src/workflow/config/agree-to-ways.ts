import { CliffordError } from '../../errors.ts';
import { agentRun, requireHuman } from '../project/require-human.ts';
import type { Project } from '../project/project.ts';
import type { Env } from '../project/who-calls.ts';
import { rememberOrWarn, type RememberAgreed } from './agree-to-commands.ts';
import { rememberCommands, unseenCommands } from './seen-commands.ts';

/** The agents of a run by their names: those that ask before they act, and those that do not. */
export type AgentWays = { readonly asking: readonly string[]; readonly silent: readonly string[] };

/** A run, as far as it matters here. */
type WaysAtHand = {
  readonly env: Env;
  readonly accepts: boolean;
  readonly isChosen: boolean;
  readonly sprint: string;
  readonly warn: (problem: string) => void;
};

/** Remembered with the first agent that asks. */
const SOMEONE_ASKS = 'an agent asks before it acts';
const asks = (agent: string) => `${agent} asks before it acts`;
const asksNobody = (agent: string) => `${agent} asks nobody before it acts`;

/**
 * Has a person look at it when agents of a project that were asked for what they do are to work unasked: the name of
 * another agent, or a budget, may do that, and an agent may have written it. What was never asked for is taken as it is.
 *
 * @param isChosen - Whether whoever runs it has chosen the agent: then only that this one asked before counts.
 * @returns what remembers it, for when the run begins.
 * @throws {CliffordError} `COMMANDS_NEW`; `NOT_A_HUMAN` when an agent agrees to it.
 */
export async function agreeToWays(
  project: Pick<Project, 'root' | 'dir' | 'state'>,
  { asking, silent }: AgentWays,
  { env, accepts, isChosen, sprint, warn }: WaysAtHand,
): Promise<RememberAgreed> {
  const { root } = project;
  // One that asks has to be agreed to anew once it asks nobody.
  const stale = asking.map(asksNobody);
  const all = [SOMEONE_ASKS, ...[...asking, ...silent].flatMap((agent) => [asks(agent), asksNobody(agent)])];
  const unseen = (await unseenCommands(env, root, all)) ?? all;
  const isNew = (mark: string) => unseen.includes(mark);
  // Before anybody asks, that one asks nobody is nobody's word.
  const marks =
    asking.length === 0 && isNew(SOMEONE_ASKS)
      ? []
      : [...(asking.length > 0 ? [SOMEONE_ASKS] : []), ...asking.map(asks), ...silent.map(asksNobody)];
  const switched = silent.filter(
    (agent) => isNew(asksNobody(agent)) && !isNew(isChosen ? asks(agent) : SOMEONE_ASKS),
  );
  const isAgent = agentRun({ env }, project) !== undefined;
  if (switched.length > 0 && (isAgent || env['CLIFFORD_TRUST_PROJECT'] !== '1')) {
    const names = switched.join(', ');
    requireHuman({ env }, `run ${names} without being asked what it may do`, project);
    if (!accepts) throw unasked(sprint, names);
  }
  const isStale = stale.some((mark) => !isNew(mark));
  if (isAgent || !(isStale || marks.some(isNew))) return async () => undefined;
  return () => rememberOrWarn(() => rememberCommands(env, root, marks, stale), warn);
}

function unasked(sprint: string, names: string): CliffordError {
  return new CliffordError(
    `Cannot run sprint ${sprint}: agents of this project asked before they acted, and ${names} would ask nobody`,
    {
      code: 'COMMANDS_NEW',
      fix: 'See why with clifford config --explain, and what names it in clifford.json or the manifest; to run it so: --accept-commands, or acceptCommands: true',
    },
  );
}
