import { z } from 'zod';
import { CliffordError } from '../../errors.ts';
import { codeOf } from '../../lib/system-error.ts';
import { jsonValue } from '../../lib/json/json-value.ts';
import { readSmallFile } from '../../lib/files/small-file.ts';
import { aloneWithUserState, userStateFile } from '../../workflow/project/state-home.ts';
import { writeAtomically } from '../../lib/files/write-atomically.ts';

type Env = Readonly<Record<string, string | undefined>>;

const digestSchema = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

const projectSchema = z.strictObject({
  servers: z.record(z.string(), digestSchema),
  policy: digestSchema,
  at: z.iso.datetime(),
});

const storeSchema = z.strictObject({
  version: z.literal(1),
  projects: z.record(z.string(), projectSchema),
});

/** What was trusted of a project: digests by the id of the server, that of the policy, and when. */
export type TrustedProject = z.infer<typeof projectSchema>;

type Store = z.infer<typeof storeSchema>;

/**
 * The file that remembers what this user trusts: `clifford/trusted.json` below `XDG_STATE_HOME`, else below
 * `~/.local/state`. `undefined`: there is no such folder, nothing is remembered.
 */
export function trustFile(env: Env): string | undefined {
  return userStateFile(env, 'trusted.json');
}

/**
 * What was trusted of the project with this real path.
 *
 * @throws {CliffordError} `TRUST_UNREADABLE`
 */
export async function readTrust(env: Env, root: string): Promise<TrustedProject | undefined> {
  const file = trustFile(env);
  const projects = file === undefined ? {} : (await readStore(file)).projects;
  return Object.hasOwn(projects, root) ? projects[root] : undefined;
}

/**
 * Replaces what is trusted of a project; what others write at the same time stays. Mode 0600.
 *
 * @throws {CliffordError} `TRUST_UNREADABLE`; `TRUST_UNWRITABLE`; `LOCK_BUSY`, `LOCK_INACCESSIBLE`
 */
export async function writeTrust(env: Env, root: string, project: TrustedProject): Promise<void> {
  const file = trustFile(env);
  if (file === undefined) throw unwritable('your trust', 'neither HOME nor XDG_STATE_HOME is set');
  await aloneWithUserState(file, async () => {
    const { projects } = await readStore(file);
    const store: Store = { version: 1, projects: { ...projects, [root]: project } };
    try {
      await writeAtomically(file, `${JSON.stringify(store, null, 2)}\n`);
    } catch (cause) {
      throw unwritable(file, `the system says ${codeOf(cause) ?? String(cause)}`, cause);
    }
  });
}

async function readStore(file: string): Promise<Store> {
  const bytes = await readSmallFile(file);
  if (bytes === undefined) return { version: 1, projects: {} };
  if ('refused' in bytes) throw unreadable(file, bytes.refused);
  const store = storeSchema.safeParse(jsonValue(bytes.toString('utf8')));
  if (!store.success) throw unreadable(file, 'it is not what Clifford writes');
  return store.data;
}

function unreadable(file: string, reason: string): CliffordError {
  return new CliffordError(`Cannot read ${file}: ${reason}`, {
    code: 'TRUST_UNREADABLE',
    fix: 'Remove it and trust your projects again with clifford mcp trust',
    recovery: 'fix-input',
  });
}

function unwritable(what: string, reason: string, cause?: unknown): CliffordError {
  return new CliffordError(`Cannot remember ${what}: ${reason}`, {
    code: 'TRUST_UNWRITABLE',
    fix: 'Set HOME or XDG_STATE_HOME to a folder you can write, or CLIFFORD_TRUST_PROJECT=1 for this run',
    recovery: 'fix-input',
    cause,
  });
}
