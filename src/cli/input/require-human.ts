import { CliffordError } from '../../errors.ts';
import type { Cli } from '../cli.ts';

/** Whether this is an agent's own shell: its run id. */
export function agentRun({ env }: Pick<Cli, 'env'>): string | undefined {
  return env['CLIFFORD_RUN_ID'] || undefined;
}

/**
 * Refuses what only a human may do, such as `approve q-1`, where an agent's own shell says so. It keeps an honest
 * agent from answering itself; it is no wall against one that clears its environment.
 *
 * @throws {CliffordError} `NOT_A_HUMAN`.
 */
export function requireHuman(cli: Pick<Cli, 'env'>, action: string): void {
  const runId = agentRun(cli);
  if (runId === undefined) return;
  throw new CliffordError(
    `Cannot ${action}: this is the shell of an agent (run ${runId}), and a human decides`,
    {
      code: 'NOT_A_HUMAN',
      fix: 'Wait for the human, or go on without it',
      recovery: 'give-up',
    },
  );
}
