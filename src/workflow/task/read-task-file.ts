import { closeSync, fstatSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { openInPlace } from '../../lib/files/opened-folder.ts';
import { codeOf } from '../../lib/system-error.ts';
import { insideRoot } from '../../lib/files/inside-root.ts';

/**
 * Most bytes of a task file that an agent gets. Clients drop the link at a message of 10 MiB.
 *
 * @internal for tests
 */
export const MAX_TASK_BYTES = 1_000_000;

/**
 * The text of a task file; `null` when it is missing, is no regular file, or leads out of the
 * project. A longer one is cut, and says so.
 *
 * @param nameOf - How that names the file, of which the absolute path is given. Default: by that.
 */
export async function readTaskFile(
  root: string,
  sprintDir: string,
  file: string,
  maxBytes = MAX_TASK_BYTES,
  nameOf = (path: string) => path,
): Promise<string | null> {
  try {
    const path = await insideRoot(root, join(sprintDir, file));
    const { text, size } = readText(root, path, maxBytes);
    return size <= maxBytes
      ? text
      : `${text}\n[cut after ${maxBytes} of ${size} bytes: read ${nameOf(path)}]`;
  } catch (error) {
    if (!(error instanceof CliffordError) && codeOf(error) === undefined) throw error;
    return null;
  }
}

function readText(root: string, path: string, maxBytes: number): { text: string; size: number } {
  const fd = openInPlace(path, { root });
  try {
    const { size } = fstatSync(fd);
    const buffer = Buffer.alloc(Math.min(size, maxBytes));
    return { text: buffer.toString('utf8', 0, readSync(fd, buffer)), size };
  } finally {
    closeSync(fd);
  }
}
