import { join } from 'node:path';
import { isHeld } from '../../lib/files/kernel-lock.ts';
import { heldLocks } from '../../lib/processes/lock-holder.ts';
import { lockFile } from './lock-file.ts';

/** The file whose kernel lock the runner of a sprint holds for its life. `dir`: the project's `.clifford`. */
export function runnerLockPath(dir: string, stream: string): string {
  return lockFile(dir, `runner-${stream}.lock`);
}

/** The locks of the runners that are at work on a project, or may be. `dir`: the project's `.clifford`. */
export function heldRunnerLocks(dir: string): string[] {
  return heldLocks(join(dir, 'locks'), 'runner-');
}

/**
 * Whether a runner on this machine is at work on a sprint, whatever the log says: one that crashed has said
 * nothing. True, too, when nobody here may know.
 */
export function isRunnerAtWork(dir: string, stream: string): boolean {
  return isHeld(runnerLockPath(dir, stream)) ?? true;
}
