import { closeSync, constants, fsyncSync, openSync } from 'node:fs';

const { O_RDONLY, O_DIRECTORY } = constants;

/**
 * Has the names in a folder survive a power cut: some ms.
 *
 * @throws the system's error, `ENOTDIR` at once for what is no folder.
 */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, O_RDONLY | O_DIRECTORY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
