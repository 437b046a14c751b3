import { glob, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { codeOf } from '../../src/lib/system-error.ts';

/** The processes at work in a project whose command line contains a text, where there is a `/proc`. */
export async function processesOf(root: string, command: string): Promise<number[]> {
  const pids: number[] = [];
  for await (const folder of glob('/proc/[0-9]*')) {
    const [commandLine, environment] = await Promise.all(
      ['cmdline', 'environ'].map((file) => readFile(join(folder, file), 'utf8').catch(() => '')),
    );
    const isOurs = environment?.split('\0').includes(`CLIFFORD_PROJECT_ROOT=${root}`);
    if (isOurs && commandLine?.includes(command)) pids.push(Number(basename(folder)));
  }
  return pids;
}

/** Kills processes at once, and says how many were still there to be killed. */
export function killAll(pids: readonly number[]): number {
  let killed = 0;
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
      killed += 1;
    } catch (error) {
      // It ended by itself between the look and the shot.
      if (codeOf(error) !== 'ESRCH') throw error;
    }
  }
  return killed;
}
