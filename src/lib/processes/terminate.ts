import { setTimeout as sleep } from 'node:timers/promises';
import { CliffordError } from '../../errors.ts';
import { codeOf } from '../system-error.ts';
import { hasProcessTable, listProcesses, readProcess } from './process-table.ts';

/** What to end: a process by its pid, or a whole process group by its negative id, as in kill(2). */
export type KillTarget = number;

/** How long a target may take to end after SIGTERM, in ms. */
export const TERM_GRACE_MS = 5_000;

/** How long the kernel may take to end a target after SIGKILL, in ms. */
const KILL_WAIT_MS = 5_000;

/** How often what is found anew is ended anew. */
const DESCENDANT_ROUNDS = 5;

/** Between two looks. Only a parent is notified of an exit, and most of a group is nobody's child here. */
const LOOK_EVERY_MS = 20;

/**
 * The kill ladder: SIGTERM, grace, SIGKILL. Resolves when nothing of the targets lives any more.
 *
 * @throws {CliffordError} `AGENT_SURVIVES` when one outlives SIGKILL, e.g. in an uninterruptible read.
 */
export async function terminate(
  targets: readonly KillTarget[],
  { graceMs = TERM_GRACE_MS }: { graceMs?: number } = {},
): Promise<void> {
  for (const target of targets) signal(target, 'SIGTERM');
  if (await allGone(targets, graceMs)) return;
  for (const target of targets) signal(target, 'SIGKILL');
  if (await allGone(targets, KILL_WAIT_MS)) return;
  const left = targets.filter(lives).map((target) => (target < 0 ? `group ${-target}` : `process ${target}`));
  throw new CliffordError(`Cannot end the agent: ${left.join(', ')} survived SIGKILL`, {
    code: 'AGENT_SURVIVES',
    fix: 'End it by hand, or restart the machine, then run the sprint again',
    recovery: 'give-up',
  });
}

/**
 * Ends what those that were told to end have started meanwhile, and what that starts in turn: at once, since by now
 * nothing of it has leave to take. Looks until nothing is found, a few times at most.
 *
 * @throws {CliffordError} `AGENT_SURVIVES`.
 */
export async function terminateDescendants(find: () => readonly KillTarget[]): Promise<void> {
  for (let round = 0; round < DESCENDANT_ROUNDS; round++) {
    const descendants = find();
    if (descendants.length === 0) return;
    await terminate(descendants, { graceMs: 0 });
  }
}

/** Waits until no target lives, `waitMs` at most. */
export async function allGone(targets: readonly KillTarget[], waitMs: number): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  while (targets.some(lives)) {
    if (performance.now() >= deadline) return false;
    await sleep(LOOK_EVERY_MS);
  }
  return true;
}

/** A process that has exited but is not reaped yet does not live. */
function lives(target: KillTarget): boolean {
  if (!signal(target, 0)) return false;
  if (!hasProcessTable) return true;
  if (target > 0) return readProcess(target)?.isDead === false;
  return listProcesses().some(({ group }) => group === -target);
}

/** False when there is nothing to signal. */
function signal(target: KillTarget, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, name);
  } catch (error) {
    const code = codeOf(error);
    // macOS says EPERM of a group in which only the unreaped are left.
    if (code === 'ESRCH' || (code === 'EPERM' && target < 0 && !hasProcessTable)) return false;
    throw error;
  }
}
