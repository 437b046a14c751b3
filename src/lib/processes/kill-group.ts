import { terminate } from './terminate.ts';

/** Ends every process of a group: SIGTERM, a grace in ms, SIGKILL. None of the group has to live; of what cannot be ended nobody is told. */
export async function killGroup(pid: number, graceMs: number): Promise<void> {
  try {
    await terminate([-pid], { graceMs });
  } catch {
    // Another user's, or in an uninterruptible read.
  }
}
