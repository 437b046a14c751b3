import { execFileSync } from 'node:child_process';

/** Nothing resists root: as what tests go on then that need somebody else, and otherwise as who runs them. */
export const isRoot = process.getuid?.() === 0;

/** Nobody else here. */
const NOBODY = 65_534;

/** The argument that has a program of `fixtures/processes` become an ordinary user; none where it is run by one. */
export const ordinaryUser: readonly string[] = isRoot ? [String(NOBODY)] : [];

/** What has a program become one, before its own line. */
export const byOrdinary: readonly string[] = isRoot
  ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
  : [];

/** Gives folders to the ordinary user, with all that is in them. */
export function giveToOrdinary(...folders: readonly string[]): void {
  if (isRoot) execFileSync('chown', ['-R', '-h', `${NOBODY}:${NOBODY}`, ...folders]);
}
