import { readProcFile } from './proc-file.ts';
import { readProcess } from './process-table.ts';

/** The users that a process runs as, the one who started it first; `undefined`: it is gone. Linux only. */
export function usersOf(pid: number): readonly string[] | undefined {
  const [, uids] = /^Uid:\s*(.*)$/m.exec(readProcFile(pid, 'status') ?? '') ?? [];
  return uids?.split(/\s+/);
}

/**
 * Whether a process of another user has started this one, and waits above it, as `sshd` does for whoever logs in. No process
 * gets such a parent later, but the first of the system, which adopts. Linux only.
 */
export function isStartedByAnotherUser(pid: number): boolean {
  const { parent = 0 } = readProcess(pid) ?? {};
  if (parent <= 1) return false;
  const [[own] = [], [above] = []] = [usersOf(pid), usersOf(parent)];
  return own !== undefined && above !== undefined && own !== above;
}
