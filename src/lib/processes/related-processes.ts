import { readProcFile } from './proc-file.ts';
import { ownPid, readProcess, type ProcessEntry } from './process-table.ts';

/** The pids that a process descends from: its parent and so on up to the first process. Linux only; about 20 µs each. */
export function ancestors(pid: number): number[] {
  return ancestorsOf(readProcess(pid));
}

function ancestorsOf(own: ProcessEntry | undefined): number[] {
  const found = new Set<number>();
  for (let next = own?.parent; next !== undefined && next > 0 && !found.has(next);) {
    found.add(next);
    next = readProcess(next)?.parent;
  }
  return [...found];
}

/**
 * The pids that a process descends from or works for: its ancestors, then the leaders of its group and its session,
 * which stay the same when a parent has ended. Linux only, elsewhere none. A process that has made itself a session of
 * its own and whose parents have ended has none that say anything.
 */
export function relatedProcesses(pid: number = ownPid()): number[] {
  const own = readProcess(pid);
  const leaders = own ? [own.group, own.session].filter((leader) => leader > 0 && leader !== pid) : [];
  return [...new Set([...ancestorsOf(own), ...leaders])];
}

/**
 * A variable that a process was started with, as long as it hides that neither by becoming another program, nor by
 * writing over it, nor by being one that cannot be read. `undefined`: it has none, it is gone or hidden, or it is
 * another user's. Linux only.
 */
export function startedWith(pid: number, name: string): string | undefined {
  const found = readProcFile(pid, 'environ')
    ?.split('\0')
    .find((entry) => entry.startsWith(`${name}=`));
  return found?.slice(name.length + 1);
}
