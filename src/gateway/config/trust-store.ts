import { z } from 'zod';
import { CliffordError } from '../../errors.ts';
import { userMemory } from '../../workflow/project/user-memory.ts';
import type { Env } from '../../workflow/project/who-calls.ts';

const digestSchema = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

const projectSchema = z.strictObject({
  servers: z.record(z.string(), digestSchema),
  policy: digestSchema,
  at: z.iso.datetime(),
});

/** What was trusted of a project: digests by the id of the server, that of the policy, and when. */
export type TrustedProject = z.infer<typeof projectSchema>;

const memory = userMemory({ name: 'trusted.json', schema: projectSchema, unreadable, unwritable });

/**
 * The file that remembers what this user trusts: `clifford/trusted.json` below `XDG_STATE_HOME`, else below
 * `~/.local/state`. `undefined`: there is no such folder, nothing is remembered.
 */
export function trustFile(env: Env): string | undefined {
  return memory.fileOf(env);
}

/** What was trusted of the project with this real path. @throws {CliffordError} `TRUST_UNREADABLE` */
export async function readTrust(env: Env, root: string): Promise<TrustedProject | undefined> {
  return memory.read(env, root);
}

/**
 * Replaces what is trusted of a project; what others write at the same time stays. Mode 0600.
 *
 * @throws {CliffordError} `TRUST_UNREADABLE`; `TRUST_UNWRITABLE`; `LOCK_BUSY`, `LOCK_INACCESSIBLE`
 */
export async function writeTrust(env: Env, root: string, project: TrustedProject): Promise<void> {
  await memory.change(env, root, () => project);
}

function unreadable(file: string, reason: string): CliffordError {
  return new CliffordError(`Cannot read ${file}: ${reason}`, {
    code: 'TRUST_UNREADABLE',
    fix: 'Remove it and trust your projects again with clifford mcp trust',
  });
}

function unwritable(reason: string, cause?: unknown): CliffordError {
  return new CliffordError(`Cannot remember your trust: ${reason}`, {
    code: 'TRUST_UNWRITABLE',
    fix: 'Set HOME or XDG_STATE_HOME to a folder you can write, or CLIFFORD_TRUST_PROJECT=1 for this run',
    cause,
  });
}
