import { CliffordError } from '../errors.ts';
import { configError } from '../workflow/config/config-problem.ts';
import { readConfig } from '../workflow/config/load-config.ts';
import type { ConfigReading, ConfigSource } from '../workflow/config/load-config.ts';
import { settingsError, taskSettings } from '../workflow/config/task-settings.ts';
import type { TaskFlags, TaskSettings } from '../workflow/config/task-settings.ts';
import type { SprintFolder } from '../workflow/sprint-folders.ts';
import { parseAgentCommand } from './agent-command.ts';
import type { AgentCommand } from './agent-command.ts';

/** What plans are made from. */
export type TaskPlansParts = {
  readonly source: ConfigSource & { readonly report: (problem: string) => void };
  readonly folder: SprintFolder;
  readonly flags: TaskFlags;
};

/** How many attempts may fail: of every task, and of tasks with a limit of their own. */
export type Limits = {
  readonly maxAttempts: number;
  readonly limits?: { id: string; maxAttempts: number }[];
};

/** How the tasks of a sprint are to be worked on. Looked up anew for every attempt: changes count at once. */
export class TaskPlans {
  readonly #parts: TaskPlansParts;
  readonly #lastGood = new Map<string, AgentCommand>();

  constructor(parts: TaskPlansParts) {
    this.#parts = parts;
  }

  /**
   * Makes sure that every task that is left can be started.
   *
   * @throws {CliffordError} `AGENT_MISSING`, `AGENT_UNKNOWN`, `AGENT_NOT_FOUND`, `AGENT_COMMAND_INVALID`,
   *   `MODEL_MISSING`, `TASK_SETTINGS_INVALID`.
   */
  async check(): Promise<void> {
    const reading = await readConfig(this.#parts.source);
    const left = this.#parts.folder.manifest.tasks.filter(
      ({ status }) => status !== 'completed' && status !== 'pushed',
    );
    for (const { id } of left) this.#lastGood.set(id, this.#plan(reading, id));
  }

  /** What starts the agent of a task. Where a change made it unusable, the command before the change. */
  async commandFor(taskId: string): Promise<AgentCommand> {
    try {
      const command = this.#plan(await readConfig(this.#parts.source), taskId);
      this.#lastGood.set(taskId, command);
      return command;
    } catch (error) {
      const before = this.#lastGood.get(taskId);
      if (!before || !(error instanceof CliffordError)) throw error;
      this.#parts.source.report(`${error.message}; task ${taskId} is started as it was before`);
      return before;
    }
  }

  async limits(): Promise<Limits> {
    const reading = await readConfig(this.#parts.source);
    const limitOf = (taskId?: string) => this.#settings(reading, taskId).maxAttempts.value;
    const maxAttempts = limitOf();
    const own = this.#parts.folder.manifest.tasks
      .map(({ id }) => ({ id, maxAttempts: limitOf(id) }))
      .filter((task) => task.maxAttempts !== maxAttempts);
    return own.length > 0 ? { maxAttempts, limits: own } : { maxAttempts };
  }

  #settings(reading: ConfigReading, taskId: string | undefined): TaskSettings {
    const { source, folder, flags } = this.#parts;
    return taskSettings(source, reading, { flags, folder, taskId });
  }

  #plan(reading: ConfigReading, taskId: string): AgentCommand {
    const { root, env } = this.#parts.source;
    const settings = this.#settings(reading, taskId);
    if (settings.problems.length > 0) throw settingsError(settings.problems);
    const { agent, agentCmd, model } = settings;
    if (agentCmd.value === undefined)
      throw agent.value === undefined ? noAgent() : unknownAgent(reading, agent);
    const shown = { line: written(agentCmd) ?? agentCmd.value, model: written(model) ?? model.value };
    return parseAgentCommand(agentCmd.value, { cwd: root, path: env['PATH'], model: model.value, shown });
  }
}

/** What variables brought in may be a secret: it is neither recorded nor shown. */
function written(setting: TaskSettings['agentCmd']): string | undefined {
  return typeof setting.written === 'string' ? setting.written : undefined;
}

function noAgent(): CliffordError {
  return new CliffordError('Cannot run a sprint: no agent command was given', {
    code: 'AGENT_MISSING',
    fix: 'Give one with --agent-cmd, CLIFFORD_AGENT_CMD or clifford.json; to see a run without an agent: clifford demo',
    recovery: 'fix-input',
  });
}

/** An agent whose command names a variable that is not set is no unknown one. */
function unknownAgent(
  { config, problems }: ConfigReading,
  { value: name, origin }: TaskSettings['agent'],
): CliffordError {
  const own = problems.filter(({ path = [] }) => path[0] === 'agents' && path[1] === name);
  if (own.length > 0) return configError(own);
  const known = Object.keys(config.agents);
  const list = known.length === 0 ? 'the configuration has none' : `known are ${known.join(', ')}`;
  return new CliffordError(`Cannot find agent ${name}, named by ${origin}: ${list}`, {
    code: 'AGENT_UNKNOWN',
    fix: 'Name one of them, or add it to "agents" in clifford.json',
    recovery: 'fix-input',
  });
}
