import { noAgent } from '../../runner/plan/plan-problems.ts';
import { tasksLeft } from '../../runner/plan/tasks-left.ts';
import { readConfig } from '../../workflow/config/load-config.ts';
import { taskSettings, type TaskSettings } from '../../workflow/config/task-settings.ts';
import type { Project } from '../../workflow/project/project.ts';
import { chooseSprint } from '../../workflow/sprint/choose-sprint.ts';
import type { Cli } from '../cli.ts';
import { environmentFlags } from '../input/environment-flags.ts';

/** Of these sprints those of which a task is left that nothing names an agent for, as `run` would see it, and what to do about it. */
export async function missingAgents(
  cli: Cli,
  project: Project,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { root, state } = project;
  const place = { root, env: cli.env };
  const flags = environmentFlags(cli);
  const reading = await readConfig({ ...place, configMemory: cli.configMemory });
  // What is wrong with it is said where a run is tried.
  if (reading.problems.length > 0) return new Map();
  if (namesAgent(taskSettings(place, reading, flags))) return new Map();
  const { fix } = noAgent();
  const missing = new Map<string, string>();
  for (const id of ids) {
    const { folder } = await chooseSprint(project, id);
    const left = folder ? tasksLeft(folder, state.streams.get(id)) : [];
    const isNamed = left.every(({ id: taskId }) =>
      namesAgent(taskSettings(place, reading, { ...flags, folder, taskId })),
    );
    if (!isNamed) missing.set(id, fix);
  }
  return missing;
}

function namesAgent({ agent, agentCmd }: TaskSettings): boolean {
  return agent.value !== undefined || agentCmd.value !== undefined;
}
