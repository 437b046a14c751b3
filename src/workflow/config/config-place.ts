import { devNull } from 'node:os';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { pathFrom } from '../../lib/files/path-from.ts';

/** Where a project's configuration is looked for. */
export type ConfigPlace = {
  /** The project's root, absolute. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** The project's configuration file. */
export const CONFIG_FILE = 'clifford.json';

/** The files that may say something, the one that wins first. Absolute. */
export function configFiles({ root, env }: ConfigPlace): string[] {
  const own = userFile(root, env);
  return [join(root, CONFIG_FILE), ...(own === undefined ? [] : [own])];
}

/** `CLIFFORD_CONFIG`, else that below `XDG_CONFIG_HOME`, else that below the home folder. */
function userFile(root: string, env: ConfigPlace['env']): string | undefined {
  const { CLIFFORD_CONFIG: named, XDG_CONFIG_HOME: xdg } = env;
  if (named === devNull) return undefined;
  if (named) return resolve(root, named);
  const home = homeOf(env);
  const folder = xdg && isAbsolute(xdg) ? xdg : home && join(home, '.config');
  return folder ? join(folder, 'clifford', 'config.json') : undefined;
}

/** A file for people: from the project's root, from the home folder as `~/…`, else absolute. */
export function shortPath({ root, env }: ConfigPlace, file: string): string {
  const home = homeOf(env);
  if (isInside(root, file)) return pathFrom(root, file);
  return home && isInside(home, file) ? join('~', relative(home, file)) : file;
}

/** The home folder, absolute, where there is one. */
export function homeOf(env: ConfigPlace['env']): string | undefined {
  const home = env['HOME'] || env['USERPROFILE'];
  return home && isAbsolute(home) ? home : undefined;
}

function isInside(folder: string, file: string): boolean {
  return file.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}
