import { join } from 'node:path';
import type { z } from 'zod';
import type { CliffordError } from '../../errors.ts';
import { MANIFEST_FILE, type SprintFolder } from '../sprint/sprint-folders.ts';
import { shortPath, type ConfigPlace } from './config-place.ts';
import { keyText } from './config-keys.ts';
import { problemText } from './config-problem.ts';
import { taskKeys, type Config, type DoneWhen } from './config-schema.ts';
import { readConfig, type ConfigReading, type ConfigSource } from './load-config.ts';
import type { ConfigOrigin } from './resolve-config.ts';
import { MistakesError } from './mistakes-error.ts';
import { mustBe } from './rule-text.ts';
import { documentation } from '../../package-file.ts';

/** A value and where it comes from, for people: `flag --model`, `clifford.json:3`, `default`. */
export type Setting<T> = {
  readonly value: T;
  readonly origin: string;
  /** Set when variables brought in a part of the value: what stands in the file. To be shown in its place. */
  readonly written?: unknown;
};

/** What a command line, or a program that runs sprints, asks for. It wins over everything else. */
export type TaskFlags = {
  readonly [K in Key]?: Setting<Value<K>> | undefined;
};

/** Which task is meant, and what was asked for it. */
export type TaskSources = {
  readonly flags?: TaskFlags | undefined;
  /** The sprint; `undefined`: what holds without one. */
  readonly folder?: SprintFolder | undefined;
  /** One of its tasks; `undefined`: what holds for the sprint. */
  readonly taskId?: string | undefined;
};

/** What holds for the attempts at one task. */
export type TaskSettings = {
  /** The name of the agent, when it was chosen by name. */
  readonly agent: Setting<string | undefined>;
  /** The command line that starts it. `undefined`: it has none of its own, or there is no agent of that name. */
  readonly agentCmd: Setting<string | undefined>;
  readonly model: Setting<string | undefined>;
  readonly maxAttempts: Setting<number>;
  /** Commands that have to succeed before the task counts as completed, in order. */
  readonly verify: Setting<readonly string[]>;
  /** The agent that goes on while the usage limit of the other one is reached. */
  readonly fallback: Setting<string | undefined>;
  /** Whether the changes of the task become a commit when it is completed. */
  readonly commit: Setting<boolean>;
  /** What says that the task is done, where its agent's definition does not. */
  readonly done: Setting<DoneWhen>;
  /** Why it is not known what `verify` should say, one line each. Nothing counts as verified then. */
  readonly verifyProblems: readonly string[];
  /** Values in the manifest that cannot be used, one line each; the next source counts instead. */
  readonly problems: readonly string[];
};

/** {@link taskSettings} with the configuration as it is now. */
export async function loadTaskSettings(source: ConfigSource, sources: TaskSources): Promise<TaskSettings> {
  return taskSettings(source, await readConfig(source), sources);
}

/**
 * The settings of one task: flags, else its entry in the manifest, else the manifest, else the
 * configuration. An agent and a command line are one choice: the first source that has either decides,
 * and where one source has both, its command line counts.
 */
export function taskSettings(
  place: ConfigPlace,
  reading: ConfigReading,
  { flags = {}, folder, taskId }: TaskSources,
): TaskSettings {
  const layers = new Layers([
    (key) => flags[key],
    ...(folder ? manifestLayers(shortPath(place, join(folder.dir, MANIFEST_FILE)), folder, taskId) : []),
  ]);
  const choice = layers.agentChoice() ?? configuredAgent(reading);
  const name = choice.agentCmd ? undefined : choice.agent;
  const verify = layers.first('verify');
  const settingFor = <K extends Key>(key: K) => layers.first(key) ?? configured(reading, key);
  const lost = verify ? [] : reading.lost.filter(({ path }) => path === undefined || path[0] === 'verify');
  return {
    agent: name ?? unset,
    agentCmd: choice.agentCmd ?? (name && commandOf(reading, name.value)) ?? unset,
    model: settingFor('model'),
    maxAttempts: settingFor('maxAttempts'),
    verify: verify ?? configured(reading, 'verify'),
    fallback: settingFor('fallback'),
    commit: settingFor('commit'),
    done: settingFor('done'),
    verifyProblems: [...layers.problemsOf('verify'), ...lost.map(problemText)],
    problems: layers.problemsOf(),
  };
}

const unset: Setting<undefined> = { value: undefined, origin: 'default' };

/** Who works on a task, as one source says it: a command line, or the name of one. */
type AgentChoice = {
  readonly agent?: Setting<string> | undefined;
  readonly agentCmd?: Setting<string> | undefined;
};

type Key = keyof typeof taskKeys;

/** What a key may say. */
type Value<K extends Key> = z.infer<(typeof taskKeys)[K]>;
const schemas: { readonly [K in Key]: z.ZodType<Value<K>> } = taskKeys;

/** What one source says of a key, not checked. */
type Layer = (key: Key) => Setting<unknown> | undefined;

/** Sources, the one that wins first. What cannot be used is ignored and noted. */
class Layers {
  readonly #problems: { readonly key: Key; readonly text: string }[] = [];
  readonly #layers: readonly Layer[];

  constructor(layers: readonly Layer[]) {
    this.#layers = layers;
  }

  first<K extends Key>(key: K): Setting<Value<K>> | undefined {
    for (const layer of this.#layers) {
      const setting = this.#check(layer, key);
      if (setting) return setting;
    }
    return undefined;
  }

  agentChoice(): AgentChoice | undefined {
    for (const layer of this.#layers) {
      const agentCmd = this.#check(layer, 'agentCmd');
      const agent = agentCmd ? undefined : this.#check(layer, 'agent');
      if (agentCmd ?? agent) return { agentCmd, agent };
    }
    return undefined;
  }

  problemsOf(only?: Key): string[] {
    return this.#problems.filter(({ key }) => only === undefined || key === only).map(({ text }) => text);
  }

  #check<K extends Key>(layer: Layer, key: K): Setting<Value<K>> | undefined {
    const setting = layer(key);
    if (!setting) return undefined;
    const { value, origin } = setting;
    const schema = schemas[key];
    const parsed = schema.safeParse(value);
    if (parsed.success) return { value: parsed.data, origin };
    this.#problems.push({ key, text: `Cannot use ${origin}: it ${mustBe(schema, value)}` });
    return undefined;
  }
}

/** The task's own entry, then what the manifest says for every task. */
function manifestLayers(file: string, { manifest }: SprintFolder, taskId: string | undefined): Layer[] {
  const layerOf =
    (values: Readonly<Record<string, unknown>>, path: readonly (string | number)[]): Layer =>
    (key) => {
      const value = values[key];
      // Templates leave fields empty: that says nothing.
      if (value === undefined || value === null || value === '') return undefined;
      return { value, origin: `${file}: ${keyText([...path, key])}` };
    };
  const index = manifest.tasks.findIndex(({ id }) => id === taskId);
  const entry = manifest.tasks[index];
  return [...(entry ? [layerOf(entry, ['tasks', index])] : []), layerOf(manifest, [])];
}

/** Of two files, the one that wins decides, whichever of the two keys it has. */
function configuredAgent({ config, origins }: ConfigReading): AgentChoice {
  const [agent, agentCmd] = [origins.get('agent'), origins.get('agentCmd')];
  const isByName = agent && (!agentCmd || agent.rank < agentCmd.rank);
  if (isByName && config.agent !== undefined) return { agent: settingOf(config.agent, agent) };
  return config.agentCmd === undefined ? {} : { agentCmd: settingOf(config.agentCmd, agentCmd) };
}

function commandOf({ config, origins }: ConfigReading, name: string): Setting<string> | undefined {
  const command = Object.hasOwn(config.agents, name) ? config.agents[name]?.command : undefined;
  if (command === undefined) return undefined;
  return settingOf(command, origins.get(keyText(['agents', name, 'command'])));
}

function configured<K extends Key>({ config, origins }: ConfigReading, key: K): Setting<Config[K]> {
  return settingOf(config[key], origins.get(key));
}

/** A value of the configuration with its origin. */
export function settingOf<T>(value: T, from: ConfigOrigin | undefined): Setting<T> {
  if (!from) return { value, origin: 'default' };
  const { origin, hasVariables, written } = from;
  return hasVariables ? { value, origin, written } : { value, origin };
}

/** What a command says that cannot work with what a manifest or a flag says. At least one problem. */
export function settingsError(problems: readonly string[]): CliffordError {
  return new MistakesError(problems, {
    code: 'TASK_SETTINGS_INVALID',
    fix: `Correct it, or remove it; ${documentation('configuration')} describes every key`,
  });
}
