import { z } from 'zod';
import { CliffordError } from '../../errors.ts';
import { codeOf } from '../../lib/system-error.ts';
import {
  remember,
  remembered,
  userStateFile,
  type ProjectMemory,
} from '../../workflow/project/state-home.ts';
import type { Env } from '../../workflow/project/who-calls.ts';

const digestSchema = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

const projectSchema = z.strictObject({
  servers: z.record(z.string(), digestSchema),
  policy: digestSchema,
  at: z.iso.datetime(),
});

/** What was trusted of a project: digests by the id of the server, that of the policy, and when. */
export type TrustedProject = z.infer<typeof projectSchema>;

/**
 * The file that remembers what this user trusts: `clifford/trusted.json` below `XDG_STATE_HOME`, else below
 * `~/.local/state`. `undefined`: there is no such folder, nothing is remembered.
 */
export function trustFile(env: Env): string | undefined {
  return userStateFile(env, 'trusted.json');
}

/** What was trusted of the project with this real path. @throws {CliffordError} `TRUST_UNREADABLE` */
export async function readTrust(env: Env, root: string): Promise<TrustedProject | undefined> {
  const memory = memoryOf(env);
  return memory && remembered(memory, root);
}

/**
 * Replaces what is trusted of a project; what others write at the same time stays. Mode 0600.
 *
 * @throws {CliffordError} `TRUST_UNREADABLE`; `TRUST_UNWRITABLE`; `LOCK_BUSY`, `LOCK_INACCESSIBLE`
 */
export async function writeTrust(env: Env, root: string, project: TrustedProject): Promise<void> {
  const memory = memoryOf(env);
  if (!memory) throw unwritable('your trust', 'neither HOME nor XDG_STATE_HOME is set');
  try {
    await remember(memory, root, () => project);
  } catch (cause) {
    if (cause instanceof CliffordError) throw cause;
    throw unwritable(memory.file, `the system says ${codeOf(cause) ?? String(cause)}`, cause);
  }
}

function memoryOf(env: Env): ProjectMemory<TrustedProject> | undefined {
  const file = trustFile(env);
  return file === undefined ? undefined : { file, schema: projectSchema, unreadable };
}

function unreadable(file: string, reason: string): CliffordError {
  return new CliffordError(`Cannot read ${file}: ${reason}`, {
    code: 'TRUST_UNREADABLE',
    fix: 'Remove it and trust your projects again with clifford mcp trust',
  });
}

function unwritable(what: string, reason: string, cause?: unknown): CliffordError {
  return new CliffordError(`Cannot remember ${what}: ${reason}`, {
    code: 'TRUST_UNWRITABLE',
    fix: 'Set HOME or XDG_STATE_HOME to a folder you can write, or CLIFFORD_TRUST_PROJECT=1 for this run',
    cause,
  });
}
