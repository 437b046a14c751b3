import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { CliffordError } from '../../errors.ts';
import { withLock } from '../../lib/files/kernel-lock.ts';
import { realPathToBe } from '../../lib/files/real-path.ts';
import { readSmallFile } from '../../lib/files/small-file.ts';
import { writeAtomically } from '../../lib/files/write-atomically.ts';
import { jsonValue } from '../../lib/json/json-value.ts';
import { codeOf } from '../../lib/system-error.ts';
import { userStateFile } from './state-home.ts';
import type { Env } from './who-calls.ts';

/** In place of a project, for what is the same in all of them. */
export const ALL_PROJECTS = '*';

/** Of what a memory is made. */
export type UserMemoryParts<T> = {
  /** Name of the file in the user's state folder. */
  readonly name: string;
  /** What is remembered of each project. */
  readonly schema: z.ZodType<T>;
  /** The error for a file that cannot be read. */
  readonly unreadable: (file: string, reason: string) => Error;
  /**
   * The error where nothing can be kept. Without it nothing is kept where there is no state folder, and an error of the
   * system is thrown as it is.
   */
  readonly unwritable?: (reason: string, cause?: unknown) => Error;
};

/** What a file of this user's remembers of projects, outside of them. A project is named by its real path. */
export type UserMemory<T> = {
  /** Where it is. `undefined`: there is no state folder, nothing is remembered. */
  readonly fileOf: (env: Env) => string | undefined;
  /** What is remembered of a project. Throws what `unreadable` makes. */
  readonly read: (env: Env, root: string) => Promise<T | undefined>;
  /**
   * Replaces what is remembered of a project; what others write at the same time stays. Mode 0600. The folder is made,
   * and may be a link: it is the user's own, and no agent's project.
   *
   * @throws {CliffordError} `LOCK_BUSY`, `LOCK_INACCESSIBLE`; what `unreadable`, `unwritable` and `next` say.
   */
  readonly change: (env: Env, root: string, next: (before: T | undefined) => T) => Promise<void>;
};

/** Makes a memory. Nothing is read before it is asked. */
export function userMemory<T>({ name, schema, unreadable, unwritable }: UserMemoryParts<T>): UserMemory<T> {
  const storeSchema = z.strictObject({ version: z.literal(1), projects: z.record(z.string(), schema) });
  const fileOf = (env: Env) => userStateFile(env, name);

  const readAll = async (file: string): Promise<Record<string, T>> => {
    const bytes = await readSmallFile(file);
    if (bytes === undefined) return {};
    if ('refused' in bytes) throw unreadable(file, bytes.refused);
    const store = storeSchema.safeParse(jsonValue(bytes.toString('utf8')));
    if (!store.success) throw unreadable(file, 'it is not what Clifford writes');
    return store.data.projects;
  };

  const write = (file: string, root: string, next: (before: T | undefined) => T) =>
    withLock(join(realPathToBe(dirname(file)), `${basename(file)}.lock`), async () => {
      const before = await readAll(file);
      const projects = { ...before, [root]: next(before[root]) };
      await writeAtomically(file, `${JSON.stringify({ version: 1, projects }, null, 2)}\n`);
    });

  return {
    fileOf,
    read: async (env, root) => {
      const file = fileOf(env);
      return file === undefined ? undefined : (await readAll(file))[root];
    },
    change: async (env, root, next) => {
      const file = fileOf(env);
      if (file === undefined) {
        if (unwritable) throw unwritable('neither HOME nor XDG_STATE_HOME is set');
        return;
      }
      try {
        await write(file, root, next);
      } catch (cause) {
        const code = codeOf(cause);
        if (!unwritable || cause instanceof CliffordError || code === undefined) throw cause;
        throw unwritable(`the system says ${code} of ${file}`, cause);
      }
    },
  };
}
