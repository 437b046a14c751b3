import type { Checkpoint } from '../event-log.ts';
import { lineBefore } from './line-before.ts';
import { hashLine } from './line-codec.ts';
import { sizeOf } from './tail.ts';

/**
 * Why `checkpoint` does not belong to this file, or `undefined` when it does: the file reaches that
 * far, a line ends there, and it is the line the checkpoint was made after. An edit of the same
 * length further up goes unseen; only a full read finds it.
 */
export function checkpointFault(
  fd: number,
  { position, proof }: Pick<Checkpoint, 'position' | 'proof'>,
): string | undefined {
  if (position === 0) return undefined;
  const size = sizeOf(fd);
  if (size < position) return endsAt(size);
  const line = lineBefore(fd, position);
  if (line === undefined) return 'no line ends there';
  return hashLine(line) === proof ? undefined : 'a different line comes before it';
}

/** Why a checkpoint beyond the end of a file is not of it. */
export function endsAt(size: number): string {
  return `the file ends at byte ${size}`;
}
