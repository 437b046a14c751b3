import type { Command } from 'commander';
import { keyText, valueKeys } from '../../workflow/config/config-keys.ts';
import {
  settingsError,
  taskSettings,
  settingOf,
  type Setting,
  type TaskSettings,
} from '../../workflow/config/task-settings.ts';
import type { AgentAdapter } from '../../runner/agents/agent-adapter.ts';
import { knownAgent } from '../../runner/agents/known-agents.ts';
import { parkAfter } from '../../runner/plan/park-after.ts';
import { agentWay, countsTokens } from '../../runner/plan/agent-way.ts';
import { findProjectRoot } from '../../workflow/project/project-root.ts';
import { nest } from '../../workflow/config/resolve-config.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { findFolder } from '../input/find-folder.ts';
import { environmentFlags } from '../input/environment-flags.ts';
import { requireConfig } from '../input/require-config.ts';
import { spanText } from '../../lib/time/duration.ts';
import { columns } from '../text/columns.ts';
import { visible } from '../../lib/text/visible.ts';
import { configSchema, taskKeys } from '../../workflow/config/config-schema.ts';
import type { ConfigReading } from '../../workflow/config/load-config.ts';

type Options = { explain?: true; json?: true; sprint?: string; task?: string };

/** `clifford config`: what is configured, and where each value comes from. */
export function addConfig(program: Command, cli: Cli): void {
  program
    .command('config')
    .summary('show the configuration, and its origins')
    .description(
      'Shows what is configured: in clifford.json, in your own file, by default. With --sprint or --task ' +
        'also what the manifest says. The value of a variable is shown by its name.',
    )
    .option('--explain', 'with the origin of each value')
    .option('--json', 'for programs: an object; with --explain a list of { key, value, origin }')
    .option('--sprint <sprint>', 'what holds for this sprint')
    .option('--task <task>', 'what holds for this task')
    .addHelpText(
      'after',
      '\nExamples:\n  clifford config --explain\n  clifford config --explain --sprint sprint-1 --task task-2',
    )
    .action((options: Options) => config(cli, options));
}

async function config(cli: Cli, { explain, json, sprint, task }: Options): Promise<void> {
  const root = findProjectRoot(cli);
  const reading = await requireConfig(cli, root, () => false);
  if (reading.problems.length > 0) cli.endWith(exitCodes.input);
  const folder = await findFolder(root, { sprint, task });
  const settings = taskSettings({ root, env: cli.env }, reading, {
    ...environmentFlags(cli),
    folder,
    taskId: task,
  });
  if (settings.problems.length > 0) throw settingsError(settings.problems);
  const rows = [
    ...configRows(reading, settings),
    // To ask programs for their versions takes a moment.
    ...(explain ? await agentRows(cli, root, reading, settings) : []),
  ];
  if (!json) return cli.printLines(table(rows, explain ?? false));
  // Without origins it is an object that could stand in clifford.json.
  const plain = () => nest(rows.map(({ path, setting }) => ({ path, value: shownValue(setting) })));
  cli.printJson(explain ? rows.map(jsonRow) : plain());
}

function jsonRow({ path, setting }: ConfigRow): object {
  return { key: keyText(path), value: shownValue(setting) ?? null, origin: setting.origin };
}

function table(rows: readonly ConfigRow[], explain: boolean): string[] {
  const cells = rows.map(({ path, setting }) => [
    visible(keyText(path)),
    visible(valueText(path, setting)),
    ...(explain ? [visible(setting.origin)] : []),
  ]);
  return columns([...(explain ? [['KEY', 'VALUE', 'ORIGIN']] : []), ...cells]);
}

/** A value as it stands in the file. A time is a number there: what that means is said, too. */
function valueText(path: readonly string[], setting: Setting<unknown>): string {
  const { value } = setting;
  if (value === undefined) return '(none)';
  const text = JSON.stringify(shownValue(setting));
  if (typeof value !== 'number') return text;
  if (path.at(-1) === 'parkAfter')
    return `${text} (${value === 0 ? 'never' : `after ${spanText(value * 60_000)}`})`;
  if (!isTime(path)) return text;
  return `${text} (${value === 0 ? 'no limit' : spanText(value)})`;
}

/** Whether a key holds a limit in ms; 0: none. */
function isTime([section, key]: readonly string[]): boolean {
  const others = { clarification: 'defaultTimeout', queue: 'deadline' };
  return section === 'limits' || Object.entries(others).some(([one, of]) => one === section && of === key);
}

/** One value of the effective configuration. */
type ConfigRow = { readonly path: readonly string[]; readonly setting: Setting<unknown> };

/** Every value in the order of the schema; those that may be said per task as they are for the task. */
function configRows({ config, origins }: ConfigReading, settings: TaskSettings): ConfigRow[] {
  const agents = Object.entries(config.agents).flatMap(([name, agent]) =>
    Object.entries(agent).flatMap(([key, value]) =>
      namesIn(key, value).map((names) => ['agents', name, key, ...names]),
    ),
  );
  const { rules, channels } = config.notify;
  const ways = Object.entries({ rules, channels }).flatMap(([section, named]) =>
    Object.entries(named).flatMap(([name, way]) =>
      Object.entries(way).flatMap(([key, value]) =>
        namesIn(key, value).map((names) => ['notify', section, name, key, ...names]),
      ),
    ),
  );
  const others = valueKeys(configSchema).filter(([first = '']) => first !== '$schema' && !isTaskKey(first));
  return [
    ...Object.keys(taskKeys)
      .filter(isTaskKey)
      .map((key) => ({ path: [key], setting: settings[key] })),
    ...[...agents, ...others, ...ways].map((path) => ({
      path,
      setting: settingOf(valueAt(config, path), origins.get(keyText(path))),
    })),
  ];
}

/**
 * How agents are spoken with, and after how long they are parked, where the configuration does not say it: those it has,
 * and those that work on tasks.
 */
async function agentRows(
  { env }: Cli,
  root: string,
  { config }: ConfigReading,
  { agent, fallback }: TaskSettings,
): Promise<ConfigRow[]> {
  const { agents } = config;
  const place = { cwd: root, path: env['PATH'], env, countsTokens: countsTokens(config) };
  const names = new Set([...Object.keys(agents), ...[agent.value, fallback.value].filter(isNamed)]);
  const rows = await Promise.all(
    [...names].map(async (name): Promise<ConfigRow[]> => {
      const definition = Object.hasOwn(agents, name) ? agents[name] : undefined;
      const known = knownAgent(definition?.adapter ?? name);
      const rowOf = (key: string, value: unknown, why: string) => ({
        path: ['agents', name, key],
        setting: { value, origin: `default: ${why}` },
      });
      const parkingRows = (resumes: AgentAdapter['resumes']) => {
        if (definition?.parkAfter !== undefined) return [];
        const { minutes, because } = parkAfter(config, { agent: name, resumes });
        return [rowOf('parkAfter', minutes, because)];
      };
      // What a command of one's own does when it is started again is tested by nobody.
      if (definition?.command !== undefined)
        return parkingRows((definition.via === 'acp' || definition.resume !== undefined) && 'untested');
      if (!known) return [];
      const { via, because } = await agentWay(known, definition, place);
      return [
        ...(definition?.via === undefined ? [rowOf('via', via, because)] : []),
        ...parkingRows(via === 'acp' ? (known.acp?.resumes ?? false) : known.resumes),
      ];
    }),
  );
  return rows.flat();
}

function isNamed(name: string | undefined): name is string {
  return name !== undefined;
}

/** What follows the key of an agent: the names of variables, or nothing. */
function namesIn(key: string, value: unknown): string[][] {
  if (!['env', 'answers'].includes(key) || typeof value !== 'object' || value === null) return [[]];
  return Object.keys(value).map((name) => [name]);
}

/** What may be shown of a value: of a variable its name only, since it may be a secret. */
function shownValue({ value, written = value }: Setting<unknown>): unknown {
  return written;
}

function isTaskKey(key: string): key is keyof typeof taskKeys {
  return Object.hasOwn(taskKeys, key);
}

function valueAt(section: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null
        ? Object.getOwnPropertyDescriptor(inner, name)?.value
        : undefined,
    section,
  );
}
