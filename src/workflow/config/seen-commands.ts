import { realpath } from 'node:fs/promises';
import { z } from 'zod';
import { sha256 } from '../../lib/digest.ts';
import { CliffordError } from '../../errors.ts';
import { remember, remembered, userStateFile, type ProjectMemory } from '../project/state-home.ts';
import type { Env } from '../project/who-calls.ts';

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
  const memory = memoryOf(env);
  const seen = memory && (await remembered(memory, await realpath(root)));
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
  const memory = agreedOf(env);
  const agreed = memory && (await remembered(memory, await realpath(root)));
  return agreed?.includes(sha256(command)) ?? false;
}

/**
 * Remembers that a person has agreed to a command outside of a run: the next run asks about it no more. The first run of a
 * project stays the first.
 *
 * @throws {CliffordError} `COMMANDS_UNREADABLE`; as {@link remember} does.
 */
export async function rememberAgreed(env: Env, root: string, command: string): Promise<void> {
  const memory = agreedOf(env);
  if (!memory) return;
  await remember(memory, await realpath(root), (agreed = []) => [...new Set([...agreed, sha256(command)])]);
}

/**
 * Remembers that a person has a project run these commands. Without a state folder nothing is remembered.
 *
 * @param gone - What is forgotten.
 * @throws {CliffordError} `COMMANDS_UNREADABLE`; as {@link remember} does.
 */
export async function rememberCommands(
  env: Env,
  root: string,
  commands: readonly string[],
  gone: readonly string[] = [],
): Promise<void> {
  const memory = memoryOf(env);
  if (!memory) return;
  const [digests, forgotten] = [commands, gone].map((each) => each.map((command) => sha256(command)));
  const isKept = (digest: string) => !forgotten?.includes(digest);
  await remember(memory, await realpath(root), (seen = []) => [
    ...new Set([...seen.filter(isKept), ...(digests ?? [])]),
  ]);
}

/** Digests of the commands that a person has had each project run. */
function memoryOf(env: Env): ProjectMemory<string[]> | undefined {
  return digestsIn(userStateFile(env, 'commands.json'));
}

/** The same of those that somebody has agreed to where nothing else was run. */
function agreedOf(env: Env): ProjectMemory<string[]> | undefined {
  return digestsIn(userStateFile(env, 'agreed-commands.json'));
}

function digestsIn(file: string | undefined): ProjectMemory<string[]> | undefined {
  return file === undefined ? undefined : { file, schema: z.array(z.string()), unreadable };
}

function unreadable(file: string, reason: string): CliffordError {
  return new CliffordError(`Cannot read ${file}: ${reason}`, {
    code: 'COMMANDS_UNREADABLE',
    fix: 'Remove it: the next run of each project begins it anew',
  });
}
