import { basename, dirname, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { CliffordError } from '../../errors.ts';
import { jsonValue } from '../../lib/json/json-value.ts';
import { withLock } from '../../lib/files/kernel-lock.ts';
import { realPathToBe } from '../../lib/files/real-path.ts';
import { readSmallFile } from '../../lib/files/small-file.ts';
import { writeAtomically } from '../../lib/files/write-atomically.ts';
import type { Env } from './who-calls.ts';

/**
 * A file of this user's that remembers something about projects, outside of them: `clifford/<name>` below
 * `XDG_STATE_HOME`, else below `~/.local/state`. `undefined`: there is no such folder, nothing is remembered.
 */
export function userStateFile(env: Env, name: string): string | undefined {
  const folder = userStateFolder(env);
  return folder && join(folder, name);
}

/** The folder of such files, absolute. */
export function userStateFolder(env: Env): string | undefined {
  const { XDG_STATE_HOME: xdg, HOME: home = '', USERPROFILE: profile = '' } = env;
  const own = home || profile;
  const folder = xdg && isAbsolute(xdg) ? xdg : isAbsolute(own) && join(own, '.local/state');
  return folder ? join(folder, 'clifford') : undefined;
}

/** Such a file: what it remembers of each project, and the error for one that cannot be read. */
export type ProjectMemory<T> = {
  readonly file: string;
  readonly schema: z.ZodType<T>;
  readonly unreadable: (file: string, reason: string) => CliffordError;
};

/**
 * What is remembered of the project with this real path.
 *
 * @throws {CliffordError} what `unreadable` makes.
 */
export async function remembered<T>(memory: ProjectMemory<T>, root: string): Promise<T | undefined> {
  return (await readProjects(memory))[root];
}

/**
 * Replaces what is remembered of a project; what others write at the same time stays. Mode 0600. The folder is made, and
 * may be a link: it is the user's own, and no agent's project.
 *
 * @throws {CliffordError} what `unreadable` makes; `LOCK_BUSY`, `LOCK_INACCESSIBLE`; an error of the system.
 */
export async function remember<T>(
  memory: ProjectMemory<T>,
  root: string,
  next: (before: T | undefined) => T,
): Promise<void> {
  const { file } = memory;
  await withLock(join(realPathToBe(dirname(file)), `${basename(file)}.lock`), async () => {
    const before = await readProjects(memory);
    const projects = { ...before, [root]: next(before[root]) };
    await writeAtomically(file, `${JSON.stringify({ version: 1, projects }, null, 2)}\n`);
  });
}

/** By the real path of a project, which is no name of a member that every object has. */
async function readProjects<T>({ file, schema, unreadable }: ProjectMemory<T>): Promise<Record<string, T>> {
  const bytes = await readSmallFile(file);
  if (bytes === undefined) return {};
  if ('refused' in bytes) throw unreadable(file, bytes.refused);
  const storeSchema = z.strictObject({ version: z.literal(1), projects: z.record(z.string(), schema) });
  const store = storeSchema.safeParse(jsonValue(bytes.toString('utf8')));
  if (!store.success) throw unreadable(file, 'it is not what Clifford writes');
  return store.data.projects;
}
