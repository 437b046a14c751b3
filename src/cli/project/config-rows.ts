import { keyText, valueKeys } from '../../workflow/config/config-keys.ts';
import { configSchema, taskKeys } from '../../workflow/config/config-schema.ts';
import type { ConfigReading } from '../../workflow/config/load-config.ts';
import { settingOf, type Setting, type TaskSettings } from '../../workflow/config/task-settings.ts';

/** One value of the effective configuration. */
export type ConfigRow = { readonly path: readonly string[]; readonly setting: Setting<unknown> };

/** Every value in the order of the schema; those that may be said per task as they are for the task. */
export function configRows({ config, origins }: ConfigReading, settings: TaskSettings): ConfigRow[] {
  const agents = Object.entries(config.agents).flatMap(([name, agent]) =>
    Object.entries(agent).flatMap(([key, value]) =>
      namesIn(key, value).map((names) => ['agents', name, key, ...names]),
    ),
  );
  const others = valueKeys(configSchema).filter(([first = '']) => first !== '$schema' && !isTaskKey(first));
  return [
    ...Object.keys(taskKeys)
      .filter(isTaskKey)
      .map((key) => ({ path: [key], setting: settings[key] })),
    ...[...agents, ...others].map((path) => ({
      path,
      setting: settingOf(valueAt(config, path), origins.get(keyText(path))),
    })),
  ];
}

/** What follows the key of an agent: the names of variables, or nothing. */
function namesIn(key: string, value: unknown): string[][] {
  if (key !== 'env' || typeof value !== 'object' || value === null) return [[]];
  return Object.keys(value).map((name) => [name]);
}

/** What may be shown of a value: of a variable its name only, since it may be a secret. */
export function shownValue({ value, written = value }: Setting<unknown>): unknown {
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
