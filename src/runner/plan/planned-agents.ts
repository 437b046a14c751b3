import { commandName } from '../../lib/text/command-name.ts';
import type { ConfigPlace } from '../../workflow/config/config-place.ts';
import type { ConfigReading } from '../../workflow/config/load-config.ts';
import { taskSettings, type Setting, type TaskSources } from '../../workflow/config/task-settings.ts';
import { splitAgentCommand } from './agent-command.ts';

/**
 * The agents that tasks go to, and those that stand in for them, by the names that rules have for them.
 *
 * @param tasks - What is asked for each of them.
 */
export function plannedAgents(
  place: ConfigPlace,
  reading: ConfigReading,
  tasks: readonly TaskSources[],
): readonly string[] {
  const names = tasks.flatMap((task) => {
    const { agent, agentCmd, fallback } = taskSettings(place, reading, task);
    // Nobody stands in for a bare command line: of its usage limit nothing is known.
    const names = agent.value === undefined ? [nameOf(agentCmd)] : [agent.value, fallback.value];
    return names.filter((name) => name !== undefined);
  });
  return [...new Set(names)];
}

/** What a bare command line is called. One that cannot be split starts nothing. */
function nameOf({ value, written }: Setting<string | undefined>): string | undefined {
  if (value === undefined) return undefined;
  try {
    const { name, args } = splitAgentCommand(typeof written === 'string' ? written : value);
    return commandName([name, ...args]);
  } catch {
    return undefined;
  }
}
