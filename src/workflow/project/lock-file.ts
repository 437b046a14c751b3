import { join } from 'node:path';
import { refuseLink } from '../../lib/files/own-folder.ts';

/**
 * Where a lock of a project is: `.clifford/locks/<name>`.
 *
 * @param stateDir - The project's `.clifford`.
 * @throws {CliffordError} `FOLDER_LINKED` when that folder is a symbolic link.
 */
export function lockFile(stateDir: string, name: string): string {
  const folder = join(stateDir, 'locks');
  refuseLink(folder);
  return join(folder, name);
}
