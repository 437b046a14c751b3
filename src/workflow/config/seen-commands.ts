import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { z } from 'zod';
import { CliffordError } from '../../errors.ts';
import { jsonValue } from '../../lib/json/json-value.ts';
import { readSmallFile } from '../../lib/files/small-file.ts';
import { aloneWithUserState, userStateFile } from '../project/state-home.ts';
import { writeAtomically } from '../../lib/files/write-atomically.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** By the real path of a project: digests of the commands that a person has had it run. */
const storeSchema = z.strictObject({
  version: z.literal(1),
  projects: z.record(z.string(), z.array(z.string())),
});

type Projects = z.infer<typeof storeSchema>['projects'];

/**
 * Those of the commands that no run of this project had, as far as this user's state folder remembers. `undefined`:
 * it remembers no run.
 *
 * @throws {CliffordError} `COMMANDS_UNREADABLE`
 */
export async function unseenCommands(
  env: Env,
  root: string,
  commands: readonly string[],
): Promise<readonly string[] | undefined> {
  const file = userStateFile(env, 'commands.json');
  const projects = file === undefined ? {} : await readProjects(file);
  const path = await realpath(root);
  const seen = Object.hasOwn(projects, path) ? projects[path] : undefined;
  return seen && commands.filter((command) => !seen.includes(digestOf(command)));
}

/**
 * Remembers that a person has a project run these commands. Mode 0600; without a state folder nothing is remembered.
 *
 * @throws {CliffordError} `COMMANDS_UNREADABLE`; `LOCK_BUSY`, `LOCK_INACCESSIBLE`; an error of the system.
 */
export async function rememberCommands(env: Env, root: string, commands: readonly string[]): Promise<void> {
  const file = userStateFile(env, 'commands.json');
  if (file === undefined) return;
  const path = await realpath(root);
  await aloneWithUserState(file, async () => {
    const projects = await readProjects(file);
    const seen = Object.hasOwn(projects, path) ? (projects[path] ?? []) : [];
    const all = [...new Set([...seen, ...commands.map(digestOf)])];
    await writeAtomically(
      file,
      `${JSON.stringify({ version: 1, projects: { ...projects, [path]: all } }, null, 2)}\n`,
    );
  });
}

async function readProjects(file: string): Promise<Projects> {
  const bytes = await readSmallFile(file);
  if (bytes === undefined) return {};
  const store = 'refused' in bytes ? undefined : storeSchema.safeParse(jsonValue(bytes.toString('utf8')));
  if (store?.success) return store.data.projects;
  throw new CliffordError(
    `Cannot read ${file}: ${'refused' in bytes ? bytes.refused : 'it is not what Clifford writes'}`,
    {
      code: 'COMMANDS_UNREADABLE',
      fix: 'Remove it: the next run of each project begins it anew',
      recovery: 'fix-input',
    },
  );
}

function digestOf(command: string): string {
  return createHash('sha256').update(command).digest('base64url');
}
