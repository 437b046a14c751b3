import type { SprintState } from '../../machines/project-state.ts';
import type { AgentDefinition } from './agent-plan.ts';
import { readConfig, type ConfigSource } from '../../workflow/config/load-config.ts';
import { taskSettings, type TaskSettings } from '../../workflow/config/task-settings.ts';
import type { SprintFolder } from '../../workflow/sprint/sprint-folders.ts';
import { unverified } from './plan-problems.ts';
import { tasksLeft } from './tasks-left.ts';

/**
 * Makes sure that no task that is left would be done by an exit code alone: for who has others run it, whose agents need not be here.
 *
 * @param sprint - What the log says of it.
 * @throws {CliffordError} `DONE_UNVERIFIED`.
 */
export async function requireVerified(
  source: ConfigSource,
  folder: SprintFolder,
  sprint: Pick<SprintState, 'tasks'> | undefined,
): Promise<void> {
  const reading = await readConfig(source);
  const { agents } = reading.config;
  for (const { id } of tasksLeft(folder, sprint)) {
    const settings = taskSettings(source, reading, { flags: {}, folder, taskId: id });
    const name = settings.agent.value ?? '';
    isDoneByExit(id, settings, Object.hasOwn(agents, name) ? agents[name] : undefined);
  }
}

/**
 * Whether it is the exit of its agent that says that a task is done.
 *
 * @throws {CliffordError} `DONE_UNVERIFIED` when nothing else would.
 */
export function isDoneByExit(
  taskId: string,
  { done, verify }: Pick<TaskSettings, 'done' | 'verify'>,
  definition: AgentDefinition | undefined,
): boolean {
  if ((definition?.done ?? done.value) !== 'exit-0') return false;
  if (verify.value.length === 0) throw unverified(taskId);
  return true;
}
