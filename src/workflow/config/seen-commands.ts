import { realpath } from 'node:fs/promises';
import { z } from 'zod';
import { sha256 } from '../../lib/digest.ts';
import { CliffordError } from '../../errors.ts';
import { userMemory } from '../project/user-memory.ts';
import type { Env } from '../project/who-calls.ts';

/** Digests of the commands that a person has had each project run. */
const run = userMemory({ name: 'commands.json', schema: z.array(z.string()), unreadable });

/**
 * Those of the commands that no run of this project had, as far as this user's state folder remembers. `undefined`: it remembers no run.
 *
 * @throws {CliffordError} `COMMANDS_UNREADABLE`
 */
export async function unseenCommands(
  env: Env,
  root: string,
  commands: readonly string[],
): Promise<readonly string[] | undefined> {
  const seen = await run.read(env, await realpath(root));
  if (!seen) return undefined;
  return commands.filter((command) => !seen.includes(sha256(command)));
}

/**
 * Remembers that a person has a project run these commands. Without a state folder nothing is remembered.
 *
 * @param gone - What is forgotten.
 * @throws {CliffordError} `COMMANDS_UNREADABLE`; what the system says where they cannot be kept.
 */
export async function rememberCommands(
  env: Env,
  root: string,
  commands: readonly string[],
  gone: readonly string[] = [],
): Promise<void> {
  const [digests, forgotten] = [commands, gone].map((each) => each.map((command) => sha256(command)));
  const isKept = (digest: string) => !forgotten?.includes(digest);
  await run.change(env, await realpath(root), (seen = []) => [
    ...new Set([...seen.filter(isKept), ...(digests ?? [])]),
  ]);
}

function unreadable(file: string, reason: string): CliffordError {
  return new CliffordError(`Cannot read ${file}: ${reason}`, {
    code: 'COMMANDS_UNREADABLE',
    fix: 'Remove it: the next run of each project begins it anew',
  });
}
