import { CliffordError } from '../../errors.ts';
import type { AgentWays } from '../../workflow/config/agree-to-ways.ts';
import { changedCommands, withCommandsOf } from '../../workflow/config/fixed-commands.ts';
import { readConfig, type ConfigReading, type ConfigSource } from '../../workflow/config/load-config.ts';
import type { Config } from '../../workflow/config/config-schema.ts';
import { parallelSettings, type ParallelSettings } from '../../workflow/config/parallel-settings.ts';
import { keyText } from '../../workflow/config/config-keys.ts';
import {
  settingsError,
  taskSettings,
  type Setting,
  type TaskFlags,
  type TaskSettings,
} from '../../workflow/config/task-settings.ts';
import type { SprintState } from '../../machines/project-state.ts';
import type { SprintFolder } from '../../workflow/sprint/sprint-folders.ts';
import type { AttemptChecks } from '../../workflow/verify/attempt-checks.ts';
import { hasOwnVerify } from '../../workflow/verify/verdict.ts';
import type { KnownAgent } from '../agents/agent-adapter.ts';
import { agentWay, countsTokens, type AgentWay } from './agent-way.ts';
import { planCommand, planKnown, type AgentDefinition, type AgentPlan, type Shown } from './agent-plan.ts';
import { knownAgent } from '../agents/known-agents.ts';
import { asksNobody, doesNotCount, noAgent, unknownAgent } from './plan-problems.ts';
import { readPromptTemplate } from './prompt-template.ts';
import { isDoneByExit } from './require-verified.ts';
import { tasksLeft } from './tasks-left.ts';
import type { RunPolicy, TaskAgents } from '../reconcile/runner-view.ts';

/** What plans are made from. */
export type TaskPlansParts = {
  readonly source: ConfigSource & { readonly report: (problem: string) => void };
  readonly folder: SprintFolder;
  readonly flags: TaskFlags;
  /** The configuration that the run begins with. Default: as it is when it is first looked at. */
  readonly begun?: ConfigReading | undefined;
  /** How many tasks are worked on at once, as somebody who starts the run says. Default: as the files say. */
  readonly parallel?: number | undefined;
  /** How the agent of the flags' command line is spoken with. Default: by what it prints. */
  readonly commandVia?: AgentWay['via'] | undefined;
};

/** How many attempts may fail: of every task, and of tasks with a limit of their own. */
export type Limits = {
  readonly maxAttempts: number;
  readonly limits?: { id: string; maxAttempts: number }[];
};

/** What holds for agents at work, and for who comes next. */
export type Rules = Pick<RunPolicy, 'limits' | 'budget' | 'parking' | 'agents' | 'areFilesJudged'>;

/** What is done about a task besides the work of its agents. */
export type Checks = AttemptChecks & { readonly commit: boolean };

/**
 * How the tasks of a sprint are to be worked on. Looked up anew for every attempt, but for what runs as a program: an
 * agent could write it into the files, and it would run outside of the agent's sandbox. That holds for the whole run.
 */
export class TaskPlans {
  readonly #parts: TaskPlansParts;
  readonly #lastGood = new Map<string, AgentPlan>();
  /** How agents are spoken with that were asked, by their names. */
  readonly #ways = new Map<string, Promise<AgentWay>>();
  #begun: ConfigReading | undefined;
  /** What was told last of changes that do not count. */
  #told = '';

  constructor(parts: TaskPlansParts) {
    this.#parts = parts;
    this.#begun = parts.begun;
  }

  /**
   * Makes sure that every task that is left can be started.
   *
   * @param sprint - What the log says of it: an agent could write into the manifest that a task is done.
   * @throws {CliffordError} `AGENT_MISSING`, `AGENT_UNKNOWN`, `AGENT_NOT_FOUND`, `AGENT_COMMAND_INVALID`,
   *   `MODEL_MISSING`, `DONE_UNVERIFIED`, `TASK_SETTINGS_INVALID`, `PROMPT_UNREADABLE`.
   */
  async check(sprint?: Pick<SprintState, 'tasks'>): Promise<void> {
    const { source } = this.#parts;
    const reading = await this.#read();
    const template = await readPromptTemplate(source.root);
    for (const { id } of tasksLeft(this.#parts.folder, sprint)) {
      this.#lastGood.set(keyOf(id), await this.#plan(reading, template, { taskId: id }));
      const { fallback } = this.#settings(reading, id);
      if (fallback.value === undefined) continue;
      const plan = await this.#plan(reading, template, { taskId: id, isFallback: true });
      this.#lastGood.set(keyOf(id, true), plan);
    }
  }

  /**
   * How the agent of a task is started, or the one that goes on while its usage limit lasts. Where a change
   * made that impossible, as before the change.
   */
  async planFor(taskId: string, { isFallback = false } = {}): Promise<AgentPlan> {
    const key = keyOf(taskId, isFallback);
    try {
      const { source } = this.#parts;
      const reading = await this.#read();
      const plan = await this.#plan(reading, await readPromptTemplate(source.root), { taskId, isFallback });
      const before = this.#lastGood.get(key) ?? this.#lastGood.get(keyOf(taskId));
      if (!plan.adapter.speech && this.#isAsked(before, plan)) throw asksNobody(plan);
      this.#lastGood.set(key, plan);
      return plan;
    } catch (error) {
      const before = this.#lastGood.get(key);
      if (!before || !(error instanceof CliffordError)) throw error;
      this.#parts.source.report(`${error.message}; task ${taskId} is started as it was before`);
      return before;
    }
  }

  /** Whether a human expects that who works on a task asks first. `before`: its agent when the run began, if it was looked at. */
  #isAsked(before: AgentPlan | undefined, { called }: AgentPlan): boolean {
    if (before) return before.adapter.speech !== undefined;
    const { asking, silent } = this.ways();
    return asking.length > 0 && !silent.includes(called);
  }

  /** Which agents ask before they act and which do not, of all that were checked. */
  ways(): AgentWays {
    const plans = [...this.#lastGood.values()];
    const named = (isAsking: boolean) => [
      ...new Set(
        plans.flatMap(({ called, adapter }) => ((adapter.speech !== undefined) === isAsking ? called : [])),
      ),
    ];
    return { asking: named(true), silent: named(false) };
  }

  /** The configuration that the run began with: the programs it names are those that are started. */
  begun(): Promise<ConfigReading> {
    return this.#read({ isSilent: true });
  }

  async limits(): Promise<Limits> {
    const reading = await this.#read();
    const limitOf = (taskId?: string) => this.#settings(reading, taskId).maxAttempts.value;
    const maxAttempts = limitOf();
    const own = this.#parts.folder.manifest.tasks
      .map(({ id }) => ({ id, maxAttempts: limitOf(id) }))
      .filter((task) => task.maxAttempts !== maxAttempts);
    return own.length > 0 ? { maxAttempts, limits: own } : { maxAttempts };
  }

  /** What holds now for agents at work, and for who comes next. */
  async rules(): Promise<Rules> {
    // Asked at every turn: what is wrong with the files is told when an attempt needs them.
    const reading = await this.#read({ isSilent: true });
    const { limits, budget } = reading.config;
    const tasks = this.#parts.folder.manifest.tasks;
    const agents = new Map(tasks.map(({ id }) => [id, this.#agents(reading, id)]));
    const areFilesJudged = tasks.some(({ id }) => {
      const { verify, commit } = this.#settings(reading, id);
      return verify.value.length > 0 || commit.value;
    });
    return { limits, budget, parking: reading.config, agents, areFilesJudged };
  }

  /** How many tasks are worked on at once, and what each says that it changes. */
  async parallel(): Promise<ParallelSettings> {
    const { source, folder, parallel } = this.#parts;
    return parallelSettings(source, await this.begun(), { flag: parallel, folder });
  }

  /** How the worktrees of tasks are made. */
  async worktrees(): Promise<Config['worktrees']> {
    return (await this.begun()).config.worktrees;
  }

  /** What is to be checked before a task counts as completed, and whether it becomes a commit. */
  async checksFor(taskId: string): Promise<Checks> {
    const { verify, commit } = this.#settings(await this.#read(), taskId);
    const areOwn = hasOwnVerify(this.#parts.folder, taskId);
    return { commands: verify.value, areOwn, commit: commit.value };
  }

  /** The configuration as it is now, with the programs of the beginning. */
  async #read({ isSilent = false } = {}): Promise<ConfigReading> {
    const { source } = this.#parts;
    const now = await readConfig(isSilent ? { ...source, report: undefined } : source);
    this.#begun ??= now;
    const changes = changedCommands(this.#begun, now).join(', ');
    if (!isSilent && changes !== this.#told) {
      this.#told = changes;
      if (changes !== '') source.report(doesNotCount(changes));
    }
    return withCommandsOf(this.#begun, now);
  }

  #agents(reading: ConfigReading, taskId: string): TaskAgents {
    const { agent, fallback } = this.#settings(reading, taskId);
    // Named since the run began, together with what it runs: that is not known here.
    const isKnown = fallback.value !== undefined && this.#isKnown(reading, fallback.value);
    return { main: agent.value, fallback: isKnown ? fallback.value : undefined };
  }

  #isKnown({ config }: ConfigReading, name: string): boolean {
    return Object.hasOwn(config.agents, name) || knownAgent(name) !== undefined;
  }

  #settings(reading: ConfigReading, taskId: string | undefined): TaskSettings {
    const { source, folder, flags } = this.#parts;
    return taskSettings(source, reading, { flags, folder, taskId });
  }

  async #plan(
    reading: ConfigReading,
    template: string | undefined,
    task: { taskId: string; isFallback?: boolean },
  ): Promise<AgentPlan> {
    const plan = await this.#planAgent(reading, template, task);
    return task.isFallback ? plan : { ...plan, option: this.#option() };
  }

  /** How the command line chose the agent: what it says wins over all files. */
  #option(): AgentPlan['option'] {
    const { flags, commandVia } = this.#parts;
    if (flags.agentCmd) return commandVia === 'acp' ? '--agent-acp' : '--agent-cmd';
    return flags.agent && '--agent';
  }

  async #planAgent(
    reading: ConfigReading,
    template: string | undefined,
    { taskId, isFallback = false }: { taskId: string; isFallback?: boolean },
  ): Promise<AgentPlan> {
    const { root, env } = this.#parts.source;
    const settings = this.#settings(reading, taskId);
    const problems = [...settings.problems, ...settings.verifyProblems];
    if (problems.length > 0) throw settingsError([...new Set(problems)]);
    const agent = isFallback ? settings.fallback : settings.agent;
    const name = agent.value;
    const definition = name === undefined ? undefined : definitionOf(reading, name);
    const line = isFallback ? commandOf(definition) : lineOf(settings);
    const parts = {
      agent: name,
      definition,
      // The model that was asked for is the other agent's: the one that goes on for it has its own.
      model: isFallback ? noModel : shownOf(settings.model),
      template,
      isDoneByExit: isDoneByExit(taskId, settings, definition?.value),
      place: { cwd: root, path: env['PATH'] },
    };
    if (line)
      return planCommand(line, name === undefined ? this.#parts.commandVia : definition?.value.via, parts);
    if (name === undefined) throw noAgent();
    const known = knownAgent(definition?.value.adapter ?? name);
    if (!known) throw unknownAgent(reading, { name, origin: agent.origin });
    const { via } = await this.#way(name, known, definition?.value, reading);
    return planKnown(known, via, parts);
  }

  /** For the whole run: what is installed meanwhile counts from the next one on. */
  #way(
    name: string,
    known: KnownAgent,
    definition: AgentDefinition | undefined,
    { config }: ConfigReading,
  ): Promise<AgentWay> {
    const { root, env } = this.#parts.source;
    const place = { cwd: root, path: env['PATH'], env, countsTokens: countsTokens(config) };
    const way = this.#ways.get(name) ?? agentWay(known, definition, place);
    this.#ways.set(name, way);
    return way;
  }
}

const noModel = { value: undefined, shown: undefined };

function keyOf(taskId: string, isFallback = false): string {
  return isFallback ? `fallback of ${taskId}` : taskId;
}

function lineOf({ agentCmd }: TaskSettings): Shown<string> | undefined {
  return agentCmd.value === undefined ? undefined : shownOf({ ...agentCmd, value: agentCmd.value });
}

function commandOf(definition: Shown<AgentDefinition> | undefined): Shown<string> | undefined {
  const command = definition?.value.command;
  return command === undefined ? undefined : { value: command, shown: definition?.shown.command ?? command };
}

/** What the configuration says of an agent. What variables brought in may be a secret: it is not shown. */
function definitionOf({ config, origins }: ConfigReading, name: string): Shown<AgentDefinition> | undefined {
  const value = Object.hasOwn(config.agents, name) ? config.agents[name] : undefined;
  if (!value) return undefined;
  const written = Object.entries(value).map(([key, each]): [string, unknown] => {
    const origin = origins.get(keyText(['agents', name, key]));
    return [key, origin?.hasVariables ? origin.written : each];
  });
  return { value, shown: { ...value, ...Object.fromEntries(written) } };
}

/** What variables brought in may be a secret: it is neither recorded nor shown. */
function shownOf<T extends string | undefined>({ value, written }: Setting<T>): Shown<T | string> {
  return { value, shown: typeof written === 'string' ? written : value };
}
