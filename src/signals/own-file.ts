import { linkSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { writeNewFile } from '../lib/files/plain-file.ts';
import { codeOf } from '../lib/system-error.ts';
import { MAX_BYTES, stampOf, type Stamp } from './signal-file.ts';

/** What stands in a file of ours. */
function textOf(content: object): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

/**
 * Whether a file of ours would be taken again by whoever reads it: one that is refused would be moved aside, and written again, without end.
 *
 * @param schema - That of its reader.
 */
export function isReadable(content: object, schema: z.ZodType): boolean {
  return Buffer.byteLength(textOf(content)) <= MAX_BYTES && schema.safeParse(content).success;
}

/**
 * Writes a file that appears as a whole, or not at all: what lies there already is left alone.
 *
 * @returns false when something lies there.
 */
export function publish(path: string, content: object): boolean {
  const temporary = `${path}.${uuidv7()}.tmp`;
  try {
    writeNewFile(temporary, textOf(content), 0o600);
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
