import { ConfigMemory } from '../../src/workflow/config/config-file.ts';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ConfigSource } from '../../src/workflow/config/load-config.ts';
import { tempRoot } from './temp-project.ts';

/** What the configuration files of a project say: objects, or the text itself. */
export type ConfigFiles = {
  readonly project?: object | string;
  readonly user?: object | string;
  readonly env?: Readonly<Record<string, string>>;
};

/** A project whose home folder is beside it, in a folder of its own. */
export type ConfiguredProject = {
  readonly root: string;
  readonly home: string;
  readonly source: ConfigSource;
  /** What was reported, a line each. */
  readonly reported: string[];
};

/** A project with these files; what is left out does not exist. */
export async function configured({ project, user, env = {} }: ConfigFiles): Promise<ConfiguredProject> {
  const home = await tempRoot();
  const root = await tempRoot();
  if (project !== undefined) await writeConfig(join(root, 'clifford.json'), project);
  if (user !== undefined) await writeConfig(join(home, '.config/clifford/config.json'), user);
  const reported: string[] = [];
  const report = (problem: string) => void reported.push(problem);
  return {
    root,
    home,
    source: { root, env: { HOME: home, ...env }, report, configMemory: new ConfigMemory() },
    reported,
  };
}

/** Writes a configuration file: an object, or the text itself. Whoever reads it meanwhile sees the old one or this. */
export async function writeConfig(file: string, content: object | string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const fresh = `${file}.fresh`;
  await writeFile(fresh, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  await rename(fresh, file);
}
