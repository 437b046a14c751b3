import { CliffordError } from '../../errors.ts';
import { agentAsAnswerer } from '../../events/answerer.ts';
import {
  isInDoubt,
  isOutOfSight,
  whoCalls,
  type CallingAgent,
  type Env,
  type PlaceOfWork,
} from './who-calls.ts';

/** Where a decision is made: the environment of its process, or the one that an embedding program has set for it. */
type Place = { readonly env: Env };

/** Whether an agent decides here: its run id, or what marks it as one of an editor. */
export function agentRun({ env }: Place, project?: PlaceOfWork): string | undefined {
  return whoCalls(env, project)?.runId;
}

/** Who decides here, as the log names them: `by`, the human, or the agent whose process it is. */
export function decider({ env, by }: Place & { readonly by: string }, project?: PlaceOfWork): string {
  const runId = agentRun({ env }, project);
  return runId === undefined ? by : agentAsAnswerer(runId);
}

/** Whether a human is taken to be here: see {@link requireHuman}. */
export function isHuman({ env }: Place, project: PlaceOfWork): boolean {
  return !whoCalls(env, project) && !isOutOfSight(project) && !isInDoubt(project);
}

/**
 * Refuses what only a human may do, such as `approve q-1`, where an agent does it: known by its environment, and on
 * Linux by the processes it descends from. Where it cannot be told, while a runner of the project, or an editor's agent, is at work, nobody is
 * taken for a human: outside of the runner's container, and for what may have left all that it descends from.
 *
 * @param project - `undefined`: it is about none.
 * @param instead - What to do where an agent is at work and it cannot be told.
 * @throws {CliffordError} `NOT_A_HUMAN`.
 */
export function requireHuman(
  { env }: Place,
  action: string,
  project: PlaceOfWork | undefined,
  instead = 'Decide at a terminal, on the screen of the run, or from a program that was there before the agent',
): void {
  const caller = whoCalls(env, project);
  if (!caller) {
    if (!project) return;
    if (isOutOfSight(project))
      refuseInDoubt(
        action,
        'an agent is at work outside of this container, and what it has started',
        'Decide where its runner or its editor is',
      );
    if (isInDoubt(project))
      refuseInDoubt(action, 'an agent is at work, and what has left its parents and any terminal', instead);
    return;
  }
  throw new CliffordError(`Cannot ${action}: this is ${callerText(caller)}, and a human decides`, {
    code: 'NOT_A_HUMAN',
    fix: 'Wait for the human, or go on without it',
    recovery: 'give-up',
  });
}

function callerText({ runId, evidence }: CallingAgent): string {
  if (evidence === 'environment') return `the shell of an agent (run ${runId})`;
  if (evidence === 'ancestry') return `a process of an agent (run ${runId})`;
  return 'a process of an agent (its limit of file locks is set, as for all that Clifford starts: see ulimit -x)';
}

function refuseInDoubt(action: string, what: string, fix: string): never {
  throw new CliffordError(`Cannot ${action}: ${what} cannot be told from a human here`, {
    code: 'NOT_A_HUMAN',
    fix,
    recovery: 'give-up',
  });
}
