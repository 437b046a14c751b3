import { hashLine } from '../line/line-codec.ts';
import { lineBefore } from './line-before.ts';
import type { FilePlace } from './place.ts';
import { sizeOf } from './tail.ts';

/**
 * Why a place does not belong to this file, or `undefined` when it does: the file reaches that far, a line ends
 * there, and it is the line that the place was noted after. An edit of the same length further up goes unseen; only a
 * full read finds it.
 */
export function placeFault(fd: number, { position, proof }: FilePlace): string | undefined {
  if (position === 0) return undefined;
  const size = sizeOf(fd);
  if (size < position) return endsAt(size);
  const line = lineBefore(fd, position);
  if (line === undefined) return 'no line ends there';
  return hashLine(line) === proof ? undefined : 'a different line comes before it';
}

/** Why a place beyond the end of a file is not of it. */
export function endsAt(size: number): string {
  return `the file ends at byte ${size}`;
}
