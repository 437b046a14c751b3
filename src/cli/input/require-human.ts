import { CliffordError } from '../../errors.ts';
import { agentAsAnswerer } from '../../events/answerer.ts';
import { whoCalls, type Caller } from '../../workflow/project/who-calls.ts';
import type { Cli } from '../cli.ts';

/** Who has typed this command. */
function callerOf({ env, stdin }: Pick<Cli, 'env' | 'stdin'>): Caller {
  return whoCalls(env, { hasTerminal: stdin.isTTY === true });
}

/** Whether an agent of a runner has: its run id. */
export function agentRun(cli: Pick<Cli, 'env' | 'stdin'>): string | undefined {
  const caller = callerOf(cli);
  return caller.is === 'agent' ? caller.runId : undefined;
}

/** Who decides by this command, as the log names them: the human at the keyboard, or the agent whose shell it is. */
export function decider(cli: Pick<Cli, 'env' | 'stdin' | 'by'>): string {
  const runId = agentRun(cli);
  return runId === undefined ? cli.by : agentAsAnswerer(runId);
}

/**
 * Refuses what only a human may do, such as `approve q-1`, where an agent does it: known by its environment, and on
 * Linux by the processes it descends from. An agent that leaves them all behind is not known.
 *
 * @throws {CliffordError} `NOT_A_HUMAN`.
 */
export function requireHuman(cli: Pick<Cli, 'env' | 'stdin'>, action: string): void {
  const caller = callerOf(cli);
  if (caller.is !== 'agent') return;
  const where = caller.evidence === 'environment' ? 'the shell of an agent' : 'a process of an agent';
  throw new CliffordError(`Cannot ${action}: this is ${where} (run ${caller.runId}), and a human decides`, {
    code: 'NOT_A_HUMAN',
    fix: 'Wait for the human, or go on without it',
    recovery: 'give-up',
  });
}
