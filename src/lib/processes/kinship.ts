import { spawnSync } from 'node:child_process';
import { ownPid, readProcess } from './process-table.ts';
import { ancestors } from './related-processes.ts';

/** How this process stands to another one; `unknown`: nothing that can be seen says so. */
export type Kinship = 'unrelated' | 'below' | 'unknown';

/**
 * Whether this process descends from one that puts all that it starts into sessions of their own, as a runner does with
 * agents. A process that leaves its session and outlives its parents is adopted, and nothing tells any more where it
 * comes from. What could not have been its lot is what says that it does not descend: a session that is the other's, too, or
 * older than it, or a parent that is, since none of them can be had later, or a terminal. Linux only.
 */
export function kinshipTo(other: number): Kinship {
  const [own, theirs] = [readProcess(ownPid()), readProcess(other)];
  if (!theirs || other === own?.pid || own?.session === theirs.session) return 'unrelated';
  if (!own) return 'unknown';
  const isOlder = (pid: number) => Number(readProcess(pid)?.start ?? Infinity) <= Number(theirs.start);
  // A session from outside of this namespace has no number here.
  if (own.session === 0 || isOlder(own.session)) return 'unrelated';
  const above = ancestors(own.pid);
  if (above.includes(other)) return 'below';
  const adopter = adopterHere();
  const adoptedBy = above.findIndex((pid) => pid === adopter);
  // Without one above, somebody has come in from outside of this namespace, which no process of here can do.
  if (adopter !== undefined && adoptedBy === -1) return 'unrelated';
  if (above.slice(0, Math.max(adoptedBy, 0)).some(isOlder)) return 'unrelated';
  return own.terminal === 0 ? 'unknown' : 'unrelated';
}

/**
 * Who adopts what is orphaned here: the first process of all, or one that has asked for it. About 5 ms. `undefined`: that
 * cannot be seen, as where `/proc` has other numbers than the system.
 */
function adopterHere(): number | undefined {
  if (ownPid() !== process.pid) return undefined;
  const { stdout } = spawnSync('/bin/sh', ['-c', 'sleep 5 >/dev/null 2>&1 & echo $!'], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const orphan = Number(stdout);
  if (!Number.isInteger(orphan) || orphan <= 1) return undefined;
  const { parent } = readProcess(orphan) ?? {};
  process.kill(orphan, 'SIGKILL');
  return parent;
}
