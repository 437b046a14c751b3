import { realpath } from 'node:fs/promises';
import { z } from 'zod';
import { sha256 } from '../../lib/digest.ts';
import { CliffordError } from '../../errors.ts';
import { userMemory } from '../project/user-memory.ts';
import type { Env } from '../project/who-calls.ts';

const schema = z.array(z.string());

/** Digests of the commands that a person has had each project run. */
const run = userMemory({ name: 'commands.json', schema, unreadable });

/** The same of those that somebody has agreed to where nothing else was run. */
const agreedTo = userMemory({ name: 'agreed-commands.json', schema, unreadable });

/**
 * Those of the commands that no run of this project had, and nobody has agreed to, as far as this user's state folder
 * remembers. `undefined`: it remembers no run.
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
  const unseen = commands.filter((command) => !seen.includes(sha256(command)));
  const isAgreed = await Promise.all(unseen.map((command) => isAgreedTo(env, root, command)));
  return unseen.filter((_, at) => isAgreed[at] === false);
}

/**
 * Whether a person has agreed to this command outside of a run.
 *
 * @throws {CliffordError} `COMMANDS_UNREADABLE`
 */
export async function isAgreedTo(env: Env, root: string, command: string): Promise<boolean> {
  const agreed = await agreedTo.read(env, await realpath(root));
  return agreed?.includes(sha256(command)) ?? false;
}

/**
 * Remembers that a person has agreed to a command outside of a run: the next run asks about it no more. The first run of a
 * project stays the first.
 *
 * @throws {CliffordError} `COMMANDS_UNREADABLE`; what the system says where they cannot be kept.
 */
export async function rememberAgreed(env: Env, root: string, command: string): Promise<void> {
  await agreedTo.change(env, await realpath(root), (agreed = []) => [
    ...new Set([...agreed, sha256(command)]),
  ]);
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
