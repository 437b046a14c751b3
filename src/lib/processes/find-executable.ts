import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/** Where executables are looked for. */
export type SearchPlace = {
  /** Where the agent will run; a relative path starts there. */
  readonly cwd: string;
  /** The `PATH` to search. */
  readonly path?: string | undefined;
};

/** The executable of a name, or at a path that has a slash in it. `undefined`: there is none. */
export function findExecutable(name: string, { cwd, path = '' }: SearchPlace): string | undefined {
  if (name.includes('/')) return isExecutable(resolve(cwd, name)) ? resolve(cwd, name) : undefined;
  return path
    .split(delimiter)
    .map((folder) => join(resolve(cwd, folder), name))
    .find(isExecutable);
}

/** Why there is no executable of that name, in words; `undefined`: there is one. */
export function whyNoExecutable(name: string, place: SearchPlace): string | undefined {
  if (findExecutable(name, place) !== undefined) return undefined;
  if (!name.includes('/')) return `${name} is not on the PATH`;
  return existsSync(resolve(place.cwd, name)) ? `${name} may not be run` : `there is no program ${name}`;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
