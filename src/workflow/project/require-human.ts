import { CliffordError } from '../../errors.ts';
import { agentAsAnswerer } from '../../events/answerer.ts';
import { whoCalls, type Env } from './who-calls.ts';

/** Where a decision is made: the environment of its process, or the one that an embedding program has set for it. */
type Place = { readonly env: Env };

/** Whether an agent of a runner decides here: its run id. */
export function agentRun({ env }: Place): string | undefined {
  return whoCalls(env)?.runId;
}

/** Who decides here, as the log names them: `by`, the human, or the agent whose process it is. */
export function decider({ env, by }: Place & { readonly by: string }): string {
  const runId = agentRun({ env });
  return runId === undefined ? by : agentAsAnswerer(runId);
}

/**
 * Refuses what only a human may do, such as `approve q-1`, where an agent does it: known by its environment, and on
 * Linux by the processes it descends from. An agent that leaves them all behind is not known.
 *
 * @throws {CliffordError} `NOT_A_HUMAN`.
 */
export function requireHuman({ env }: Place, action: string): void {
  const caller = whoCalls(env);
  if (!caller) return;
  const where = caller.evidence === 'environment' ? 'the shell of an agent' : 'a process of an agent';
  throw new CliffordError(`Cannot ${action}: this is ${where} (run ${caller.runId}), and a human decides`, {
    code: 'NOT_A_HUMAN',
    fix: 'Wait for the human, or go on without it',
    recovery: 'give-up',
  });
}
