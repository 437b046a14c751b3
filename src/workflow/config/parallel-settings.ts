import { join } from 'node:path';
import type { z } from 'zod';
import { MANIFEST_FILE, type SprintFolder } from '../sprint/sprint-folders.ts';
import { shortPath, type ConfigPlace } from './config-place.ts';
import { keyText } from './config-keys.ts';
import type { ConfigReading } from './load-config.ts';
import { mustBe } from './rule-text.ts';
import { settingOf, type Setting } from './task-settings.ts';
import { parallelSchema, pathsSchema } from './worktree-keys.ts';

/** How many tasks of a sprint are worked on at once, and what each says that it changes. */
export type ParallelSettings = {
  readonly parallel: Setting<number>;
  /** By task id; of those that say it. */
  readonly paths: ReadonlyMap<string, readonly string[]>;
  /** Values in the manifest that cannot be used, one line each. */
  readonly problems: readonly string[];
};

/** A flag, else the manifest, else the configuration. */
export function parallelSettings(
  place: ConfigPlace,
  { config, origins }: Pick<ConfigReading, 'config' | 'origins'>,
  { flag, folder }: { readonly flag?: number | undefined; readonly folder: SprintFolder },
): ParallelSettings {
  const { manifest, dir } = folder;
  const file = shortPath(place, join(dir, MANIFEST_FILE));
  const problems: string[] = [];
  const read = <T>(schema: z.ZodType<T>, value: unknown, path: readonly (string | number)[]) => {
    if (value === undefined || value === null || value === '') return undefined;
    const parsed = schema.safeParse(value);
    if (parsed.success) return { value: parsed.data, origin: `${file}: ${keyText(path)}` };
    problems.push(`Cannot use ${file}: ${keyText(path)}: it ${mustBe(schema, value)}`);
    return undefined;
  };
  const given = flag === undefined ? undefined : { value: flag, origin: '--parallel' };
  const planned = read(parallelSchema, manifest.parallel, ['parallel']);
  const paths = new Map(
    manifest.tasks.flatMap(({ id, paths: said }, at) => {
      const setting = read(pathsSchema, said, ['tasks', at, 'paths']);
      return setting ? [[id, setting.value] as const] : [];
    }),
  );
  return {
    parallel: given ?? planned ?? settingOf(config.parallel, origins.get('parallel')),
    paths,
    problems,
  };
}

/** Whether two tasks may change files at once in one folder: each says which, and neither names what is below the other's. */
export function areApart(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  if (!one || !other) return false;
  return one.every((path) => other.every((each) => !isBelow(path, each) && !isBelow(each, path)));
}

function isBelow(path: string, folder: string): boolean {
  const [inner, outer] = [fixedSteps(path), fixedSteps(folder)];
  return outer.every((step, at) => inner[at] === step);
}

/** The steps of a path up to the first with a wildcard in it. Case counts for nothing: there are disks without it. */
function fixedSteps(path: string): string[] {
  const steps = path
    .toLowerCase()
    .split(/[/\\]/)
    .filter((step) => step !== '' && step !== '.');
  const open = steps.findIndex((step) => /[*?[{]/.test(step));
  return open === -1 ? steps : steps.slice(0, open);
}
