import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Replaced by the build; unknown when the sources run as they are. */
declare const CLIFFORD_FOLD_DIGEST: string | undefined;

/** The rooms that what a fold makes of a log follows from: this one has no part in it but the form of the snapshot. */
const ROOMS = ['lib', 'events', 'machines'];

/** Worked out once: the code of a process does not change. */
let known: string | undefined;

/**
 * Digest of all code that decides what a fold makes of a log. A snapshot that was made with other code is worth
 * nothing: comments count, too, since it only costs time to make it anew.
 */
export function foldDigest(): string {
  known ??=
    typeof CLIFFORD_FOLD_DIGEST === 'string'
      ? CLIFFORD_FOLD_DIGEST
      : digestOfFold(join(import.meta.dirname, '../..'));
  return known;
}

/**
 * The same for the sources in the folder `src`: base64url SHA-256.
 *
 * @internal for the build
 */
export function digestOfFold(src: string): string {
  const digest = createHash('sha256');
  for (const room of ROOMS.map((name) => join(src, name)).filter((path) => existsSync(path))) {
    const files = readdirSync(room, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    for (const file of files.sort()) digest.update(`${file}\n`).update(readFileSync(join(room, file)));
  }
  return digest.digest('base64url');
}
