import { readlinkSync } from 'node:fs';
import { holderOf, readOr } from './lock-holder.ts';

/** The namespace of processes that a machine starts with: nothing is outside of it. */
const FIRST_NAMESPACE = 'pid:[4026531836]';

/**
 * Whether one of these kernel locks, which are held, is so by a process that this one cannot see: in another namespace of
 * processes, as outside of a container. Linux only, elsewhere never.
 */
export function hasUnseenHolder(locks: readonly string[]): boolean {
  if (process.platform !== 'linux' || readOr('', () => readlinkSync('/proc/self/ns/pid')) === FIRST_NAMESPACE)
    return false;
  return locks.some((path) => holderOf(path) === undefined);
}
