import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { ROLES, type Role } from '../../events/jetstream/access.ts';
import type { LogUser } from '../../events/jetstream/access-config.ts';
import { newUserKey, publicKeyOf } from '../../events/jetstream/user-key.ts';
import { ifThere } from '../../lib/files/if-there.ts';
import { ownText, writeNewFile } from '../../lib/files/plain-file.ts';

/** A user of a log, and the file that has the seed of their key. */
export type KeptUser = LogUser & { readonly file: string };

/** Who is to have a key. */
export type Wanted = Pick<LogUser, 'role' | 'name'>;

const FILE = new RegExp(`^(?<project>[\\w-]+)\\.(?<role>${ROLES.join('|')})\\.(?<name>[\\w-]+)\\.nk$`);
/** A seed has 58 characters. */
const MAX_BYTES = 4_096;

/** Keeps a folder of keys, itself included, out of git: it may be in a project. */
const IGNORE = { file: '.gitignore', text: '*\n' };

/** Makes a key for each of those who have none yet (0600). Returns what was made. */
export function makeKeys(folder: string, project: string, wanted: readonly Wanted[]): KeptUser[] {
  if (wanted.length > 0) makeFolder(folder);
  const known = new Set(keptUsers(folder, project).map(({ file }) => file));
  const missing = wanted.filter((each) => !known.has(fileOf(folder, project, each)));
  return missing.map((each) => {
    const { seed, publicKey } = newUserKey();
    const file = fileOf(folder, project, each);
    writeNewFile(file, `${seed}\n`, 0o600);
    return { ...each, publicKey, file };
  });
}

/**
 * Everybody whose key for a log is in a folder, by role and name.
 *
 * @throws {CliffordError} `LOG_KEY_INVALID`.
 */
export function keptUsers(folder: string, project: string): KeptUser[] {
  const files = ifThere(() => readdirSync(folder), []).toSorted();
  const found = files.flatMap((entry) => {
    const { project: of, role, name } = FILE.exec(entry)?.groups ?? {};
    if (of !== project || name === undefined || !isRole(role)) return [];
    const file = join(folder, entry);
    const publicKey = publicKeyOf(ownText(file, { maxBytes: MAX_BYTES }) ?? '');
    if (publicKey === undefined) throw invalid(file);
    return [{ role, name, publicKey, file }];
  });
  return ROLES.flatMap((role) => found.filter((user) => user.role === role));
}

/** One that is there already may have other files, which git is to have. */
function makeFolder(folder: string): void {
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (made !== undefined) writeNewFile(join(folder, IGNORE.file), IGNORE.text, 0o600);
}

function fileOf(folder: string, project: string, { role, name }: Wanted): string {
  return join(folder, `${project}.${role}.${name}.nk`);
}

function isRole(text: string | undefined): text is Role {
  return ROLES.some((role) => role === text);
}

function invalid(file: string): CliffordError {
  return new CliffordError(`Cannot use ${file}: it is not the seed of a user's nkey`, {
    code: 'LOG_KEY_INVALID',
    fix: 'Remove it, and make another one with: clifford log access',
  });
}
