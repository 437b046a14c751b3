import { randomBytes } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { z } from 'zod';
import { printedWord } from '../../../lib/text/shell-word.ts';
import { CliffordError } from '../../../errors.ts';
import { sha256 } from '../../../lib/digest.ts';
import { ALL_PROJECTS, userMemory } from '../../../workflow/project/user-memory.ts';
import type { Env } from '../../../workflow/project/who-calls.ts';

/** What a token allows. */
export type Access = 'decide' | 'read';

/** Letters, digits and what people's names and devices have: never what the log has for an agent, `agent:`. */
const nameSchema = z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,63}$/u);

const tokenSchema = z.strictObject({
  name: nameSchema,
  /** SHA-256 of the token: that itself is kept nowhere. */
  digest: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  may: z.enum(['decide', 'read']),
  at: z.iso.datetime(),
  expiresAt: z.iso.datetime().optional(),
});

/** A token that was made to be shared, or for another device. Times are RFC 3339. */
export type NamedToken = z.infer<typeof tokenSchema>;

const memory = userMemory({
  name: 'web-tokens.json',
  schema: z.array(tokenSchema),
  unreadable,
  unwritable,
});

/** A new token: 192 bits that nobody guesses, as they stand in an address. */
export function newToken(): string {
  return randomBytes(24).toString('base64url');
}

/**
 * The tokens of the project with this real path, or with `ALL_PROJECTS` those of a server of all of them. Neither opens the other.
 *
 * @throws {CliffordError} `TOKENS_UNREADABLE`
 */
export async function readTokens(env: Env, root: string): Promise<readonly NamedToken[]> {
  return (await memory.read(env, root)) ?? [];
}

/**
 * Makes a token, and remembers its digest in the user's state folder.
 *
 * @returns the token: nobody can be told it again.
 * @throws {CliffordError} `TOKEN_NAME_INVALID`, `TOKEN_EXISTS`, `TOKENS_UNREADABLE`, `TOKENS_UNWRITABLE`.
 */
export async function addToken(
  env: Env,
  root: string,
  { name, may, expiresAt }: Pick<NamedToken, 'name' | 'may' | 'expiresAt'>,
): Promise<string> {
  if (!nameSchema.safeParse(name).success || name.endsWith(' ')) throw nameInvalid(root, name);
  const token = newToken();
  const made: NamedToken = {
    name,
    digest: sha256(token),
    may,
    at: new Date().toISOString(),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  await memory.change(env, root, (tokens = []) => {
    if (tokens.some((each) => each.name === name)) throw tokenExists(root, name);
    return [...tokens, made];
  });
  return token;
}

/**
 * Ends a token, also for whoever uses it now.
 *
 * @param others - Commands that end those of its name elsewhere, for who meant one of these.
 * @returns what it was.
 * @throws {CliffordError} `TOKEN_UNKNOWN`, and as {@link addToken}
 */
export async function revokeToken(
  env: Env,
  root: string,
  name: string,
  others: () => Promise<readonly string[]> = async () => [],
): Promise<NamedToken> {
  const revoked: NamedToken[] = [];
  await memory.change(env, root, (tokens = []) => {
    revoked.push(...tokens.filter((each) => each.name === name));
    return tokens.filter((each) => each.name !== name);
  });
  const [token] = revoked;
  if (!token) throw await tokenUnknown(env, root, name, await others());
  return token;
}

/** Whether a project, or the server of all of them, has a token of this name. @throws {CliffordError} `TOKENS_UNREADABLE` */
export async function hasToken(env: Env, root: string, name: string): Promise<boolean> {
  return (await readTokens(env, root)).some((each) => each.name === name);
}

/** Whether its time is over. */
export function isExpired({ expiresAt }: Pick<NamedToken, 'expiresAt'>, now = Date.now()): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now;
}

/** Whether a token of this digest opens the page of a project now, alone or among all. @throws {CliffordError} `TOKENS_UNREADABLE` */
export async function isTokenValid(env: Env, root: string, digest: string): Promise<boolean> {
  const sets = [await readTokens(env, await realpath(root)), await readTokens(env, ALL_PROJECTS)];
  return sets.flat().some((each) => each.digest === digest && !isExpired(each));
}

/** Behind a command that is about tokens of all projects. */
function optionOf(root: string): string {
  return root === ALL_PROJECTS ? ' --everywhere' : '';
}

function nameInvalid(root: string, name: string): CliffordError {
  return new CliffordError(
    `Cannot make a token ${JSON.stringify(name)}: its name has letters, digits, blanks within, and . _ @ -, 64 at most`,
    { code: 'TOKEN_NAME_INVALID', fix: `For example: clifford serve token add phone${optionOf(root)}` },
  );
}

function tokenExists(root: string, name: string): CliffordError {
  return new CliffordError(`Cannot make a token ${name}: there is one of that name`, {
    code: 'TOKEN_EXISTS',
    fix: `Choose another name, or end it first with: clifford serve token revoke ${printedWord(name)}${optionOf(root)}`,
  });
}

async function tokenUnknown(
  env: Env,
  root: string,
  name: string,
  others: readonly string[],
): Promise<CliffordError> {
  const tokens = await readTokens(env, root);
  const known = tokens.length === 0 ? 'there are none' : tokens.map((each) => each.name).join(', ');
  return new CliffordError(`Cannot revoke token ${JSON.stringify(name)}: none has that name`, {
    code: 'TOKEN_UNKNOWN',
    fix:
      others.length > 0
        ? `There is one of that name elsewhere. To end it: ${others.join(', or ')}`
        : `Those of ${root === ALL_PROJECTS ? 'all projects' : 'this project'}: ${known}`,
  });
}

function unreadable(file: string, reason: string): CliffordError {
  return new CliffordError(`Cannot read ${file}: ${reason}`, {
    code: 'TOKENS_UNREADABLE',
    fix: 'Remove it and make new tokens with clifford serve token add',
  });
}

function unwritable(reason: string, cause?: unknown): CliffordError {
  return new CliffordError(`Cannot remember a token: ${reason}`, {
    code: 'TOKENS_UNWRITABLE',
    fix: 'Set HOME or XDG_STATE_HOME to a folder you can write',
    cause,
  });
}
