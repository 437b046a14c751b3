import { join } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { agentAsAnswerer } from '../../events/answerer.ts';
import { findProjectRoot, STATE_DIR } from './project-root.ts';
import { hasUnseenHolder } from '../../lib/processes/unseen-holder.ts';
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
 * Linux by the processes it descends from. An agent that leaves them all behind is not known. Where they cannot be seen,
 * while a runner of the project lives outside, nobody is taken for a human.
 *
 * @throws {CliffordError} `NOT_A_HUMAN`.
 */
export function requireHuman({ env }: Place, action: string): void {
  const caller = whoCalls(env);
  if (!caller) {
    refuseUnseen(env, action);
    return;
  }
  const where = caller.evidence === 'environment' ? 'the shell of an agent' : 'a process of an agent';
  throw new CliffordError(`Cannot ${action}: this is ${where} (run ${caller.runId}), and a human decides`, {
    code: 'NOT_A_HUMAN',
    fix: 'Wait for the human, or go on without it',
    recovery: 'give-up',
  });
}

function refuseUnseen(env: Env, action: string): void {
  const locks = join(findProjectRoot({ env, cwd: process.cwd() }), STATE_DIR, 'locks');
  if (!hasUnseenHolder(locks, 'runner-')) return;
  const why =
    'a runner is at work outside of this container, and what it has started cannot be told from a human here';
  throw new CliffordError(`Cannot ${action}: ${why}`, {
    code: 'NOT_A_HUMAN',
    fix: 'Decide where the runner is',
    recovery: 'give-up',
  });
}
