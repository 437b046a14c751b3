import { readProcFile } from './proc-file.ts';

/**
 * The pids that a process descends from or works for: its parent and so on up to the first process, then the leaders
 * of its group and its session, which stay the same when a parent has ended. Linux only, elsewhere none; about 20 µs
 * each. A process that has made itself a session of its own and whose parents have ended has none that say anything.
 */
export function relatedProcesses(pid: number = process.pid): number[] {
  const found = new Set<number>();
  const own = linksOf(pid);
  for (let next = own?.parent; next !== undefined && next > 0 && !found.has(next);) {
    found.add(next);
    next = linksOf(next)?.parent;
  }
  for (const leader of [own?.group, own?.session])
    if (leader !== undefined && leader > 0 && leader !== pid) found.add(leader);
  return [...found];
}

/**
 * A variable that a process was started with; what it does to its environment later does not change that.
 * `undefined`: it has none, it is gone, or it is another user's. Linux only.
 */
export function startedWith(pid: number, name: string): string | undefined {
  const found = readProcFile(pid, 'environ')
    ?.split('\0')
    .find((entry) => entry.startsWith(`${name}=`));
  return found?.slice(name.length + 1);
}

function linksOf(pid: number): { parent: number; group: number; session: number } | undefined {
  const stat = readProcFile(pid, 'stat');
  // The command's name, in brackets, may hold spaces and brackets itself.
  const [, parent, group, session] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  if (parent === undefined || group === undefined || session === undefined) return undefined;
  return { parent: Number(parent), group: Number(group), session: Number(session) };
}
