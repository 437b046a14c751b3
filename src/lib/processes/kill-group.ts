import { setTimeout as pause } from 'node:timers/promises';

/** Ends every process of a group: SIGTERM, a grace in ms, SIGKILL. None of the group has to live. */
export async function killGroup(pid: number, graceMs: number): Promise<void> {
  const deadline = performance.now() + graceMs;
  let isAlive = send(pid, 'SIGTERM');
  while (isAlive && performance.now() < deadline) {
    await pause(10);
    isAlive = send(pid, 0);
  }
  if (isAlive) send(pid, 'SIGKILL');
}

/** Whether somebody was there to get it. */
function send(pid: number, what: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    return process.kill(-pid, what);
  } catch {
    return false;
  }
}
