import { linkSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import { v7 as uuidv7 } from 'uuid';
import { writeNewFile } from '../lib/files/plain-file.ts';
import { codeOf } from '../lib/system-error.ts';
import { stampOf, type Stamp } from './signal-file.ts';

/**
 * Writes a file that appears as a whole, or not at all: what lies there already is left alone.
 *
 * @returns false when something lies there.
 */
export function publish(path: string, content: object): boolean {
  const temporary = `${path}.${uuidv7()}.tmp`;
  try {
    writeNewFile(temporary, `${JSON.stringify(content, null, 2)}\n`, 0o600);
    return place(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Removes a file of ours, unless it is gone or another one has taken its place. */
export function withdraw(path: string, { key }: Stamp): void {
  if (stampOf(path)?.key !== key) return;
  try {
    unlinkSync(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

function place(temporary: string, path: string): boolean {
  try {
    // Unlike a rename, a link never replaces what another program has put there meanwhile.
    linkSync(temporary, path);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(code ?? '')) throw error;
  }
  // A file system without hard links.
  if (stampOf(path)) return false;
  renameSync(temporary, path);
  return true;
}
