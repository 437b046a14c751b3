import { basename, sep } from 'node:path';
import { z } from 'zod';
import { CliffordError } from '../../errors.ts';
import { listed } from '../../lib/text/listed.ts';
import { ALL_PROJECTS, userMemory } from '../project/user-memory.ts';
import type { Env } from '../project/who-calls.ts';

/** A project of this user's, and what it is called among the others. */
export type KnownProject = {
  /** The name of its folder; with those above it where several are called the same. */
  readonly name: string;
  /** Absolute, and the real path. */
  readonly root: string;
  /** It is the one that a command was typed in: what its environment says is about this one. */
  readonly isHere?: boolean;
  /** It is in the list, by which others find it. */
  readonly isListed?: boolean;
};

const memory = userMemory({
  name: 'projects.json',
  schema: z.array(z.string()),
  unreadable: (file, reason) =>
    new CliffordError(`Cannot read ${file}: ${reason}`, {
      code: 'PROJECTS_UNREADABLE',
      fix: 'Remove it, and list your projects again with: clifford projects add <folder>',
    }),
  unwritable: (reason, cause) =>
    new CliffordError(`Cannot keep the list of your projects: ${reason}`, {
      code: 'PROJECTS_UNWRITABLE',
      fix: 'Set HOME or XDG_STATE_HOME to a folder you can write',
      cause,
    }),
});

/**
 * The projects that this user has listed, by name: `clifford/projects.json` below `XDG_STATE_HOME`, else below `~/.local/state`. No file
 * of a project adds to it.
 *
 * @param here - The root of the one that a command was typed in, a real path: it is among them, listed or not.
 * @throws {CliffordError} `PROJECTS_UNREADABLE`.
 */
export async function listProjects(env: Env, here?: string): Promise<KnownProject[]> {
  const listedRoots = (await memory.read(env, ALL_PROJECTS)) ?? [];
  const roots = new Set([...listedRoots, ...(here === undefined ? [] : [here])]);
  return withNames([...roots])
    .map((known) => ({
      ...known,
      ...(known.root === here && { isHere: true }),
      ...(listedRoots.includes(known.root) && { isListed: true }),
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Lists a project. @throws {CliffordError} `PROJECTS_UNREADABLE`, `PROJECTS_UNWRITABLE`, `LOCK_BUSY`, `LOCK_INACCESSIBLE`. */
export async function addProject(env: Env, root: string): Promise<void> {
  await memory.change(env, ALL_PROJECTS, (before = []) => [...new Set([...before, root])]);
}

/** Takes a project out of the list; the project stays as it is. @throws as {@link addProject}. */
export async function removeProject(env: Env, root: string): Promise<void> {
  await memory.change(env, ALL_PROJECTS, (before = []) => before.filter((each) => each !== root));
}

/**
 * The listed project of that name, or in that folder: as it is called in the list, or together with the one that a command was typed in.
 *
 * @param at - `root`: the real path that the name has, taken as that of a folder; `here`: as {@link listProjects} has it.
 * @throws {CliffordError} `PROJECT_UNKNOWN`; `PROJECTS_UNREADABLE`.
 */
export async function findProject(
  env: Env,
  name: string,
  { root, here }: { readonly root?: string | undefined; readonly here?: string | undefined } = {},
): Promise<KnownProject> {
  const all = await listProjects(env);
  const withHere = here === undefined ? [] : await listProjects(env, here);
  const known = [...all, ...withHere];
  const found = known.find((each) => each.name === name) ?? known.find((each) => each.root === root);
  if (found) return found;
  const names = all.map((each) => each.name);
  throw new CliffordError(`Cannot find project ${name} in your list`, {
    code: 'PROJECT_UNKNOWN',
    fix:
      names.length === 0
        ? 'List it with: clifford projects add <folder>'
        : `Name one of ${listed(names)}, or list it with: clifford projects add <folder>`,
  });
}

/** As little of the end of each path as tells it from the others. */
function withNames(roots: readonly string[]): KnownProject[] {
  return roots.map((root) => {
    const parts = root.split(sep).filter((part) => part !== '');
    const others = roots.filter((each) => each !== root);
    for (let count = 1; count < parts.length; count += 1) {
      const name = parts.slice(-count).join('/');
      if (!others.some((other) => other.endsWith(`${sep}${name.replaceAll('/', sep)}`)))
        return { name, root };
    }
    return { name: parts.join('/') || basename(root) || root, root };
  });
}
