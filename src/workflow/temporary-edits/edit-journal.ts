import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../lib/digest.ts';
import { isLink } from '../../lib/files/is-link.ts';
import { makeOwnFolder } from '../../lib/files/own-folder.ts';
import { writeAtomicallySync } from '../../lib/files/write-atomically.ts';
import { NotPlainFileError, readOwnFile } from '../../lib/files/plain-file.ts';
import { isMissing } from '../../lib/system-error.ts';
import { jsonValue } from '../../lib/json/json-value.ts';

const appliedEditSchema = z.strictObject({
  version: z.literal(1),
  /** The file itself, where the user's path is a link to it. */
  path: z.string(),
  keys: z.array(z.string()).min(1),
  /** As it was; `undefined`: there was none. */
  original: z.strictObject({ base64: z.base64(), mode: z.int() }).optional(),
  /** Folders made for it, the innermost first. */
  madeFolders: z.array(z.string()),
  /** Digest of the file as it was changed. */
  written: z.string(),
});

/** A file of the user's as it was, and how to tell whether somebody else changed it meanwhile. */
export type AppliedEdit = z.infer<typeof appliedEditSchema>;

/** Longest file of the user's that is changed for a run, in bytes. */
export const MAX_USERS_BYTES = 67_108_864;

/** Longest file that is read, in bytes: it has a file of the user's in it. */
const MAX_BYTES = 2 * MAX_USERS_BYTES;

const ENDING = '.applied.json';
const TEMPORARY = '.tmp';

/** What is changed for runs in a project, written down before it is touched: a crash forgets nothing. */
export class EditJournal {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** The edits that are written down. What another version of Clifford wrote is left to it. */
  appliedEdits(): AppliedEdit[] {
    return namesIn(this.#dir)
      .filter((name) => name.endsWith(ENDING))
      .flatMap((name) => appliedEditIn(join(this.#dir, name)) ?? []);
  }

  /** Durable when it returns. */
  write(applied: AppliedEdit): void {
    makeOwnFolder(this.#dir);
    writeAtomicallySync(this.#fileOf(applied), JSON.stringify(applied), { isDurable: true });
  }

  /** Takes away what a crash left half written: its file was not touched yet. */
  removeLeftovers(): void {
    for (const name of namesIn(this.#dir))
      if (name.endsWith(TEMPORARY)) rmSync(join(this.#dir, name), { force: true });
  }

  remove(applied: AppliedEdit): void {
    rmSync(this.#fileOf(applied), { force: true });
  }

  #fileOf({ path }: AppliedEdit): string {
    const digest = sha256(path, 'hex').slice(0, 16);
    return join(this.#dir, `${digest}${ENDING}`);
  }
}

/**
 * What is in a folder of ours. Without the lock of the whole, folder and files may be gone at any instant: whatever was in
 * them is over. What a link leads to is not ours.
 */
export function namesIn(dir: string): string[] {
  try {
    return isLink(dir) ? [] : readdirSync(dir);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function appliedEditIn(file: string): AppliedEdit | undefined {
  try {
    return appliedEditSchema.safeParse(jsonValue(readOwnFile(file, { maxBytes: MAX_BYTES }).toString('utf8')))
      .data;
  } catch (error) {
    // Nothing that Clifford has written.
    if (isMissing(error) || error instanceof NotPlainFileError) return undefined;
    throw error;
  }
}
