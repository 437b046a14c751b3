import type { TaskSources } from '../../workflow/config/task-settings.ts';
import type { Cli } from '../cli.ts';

/** As with `run`, the environment stands in for a flag. */
export function environmentFlags({ env }: Pick<Cli, 'env'>): Pick<TaskSources, 'flags'> {
  const value = env['CLIFFORD_AGENT_CMD'];
  return value ? { flags: { agentCmd: { value, origin: 'CLIFFORD_AGENT_CMD' } } } : {};
}
