import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** As much as V8's young generation needs for reading a log, in bytes: two halves of 16 MB. */
const ENOUGH_BYTES = 2 * 16 * 1024 * 1024;

/** A flag of V8's, which a process has one of, as it has one of this. */
let isCapped = false;

/**
 * Keeps V8's young generation from growing beyond 32 MB. V8 doubles it each time as much has survived
 * as it holds, however slowly: a long log would end with 64 MB of it for no gain. Its growth factor is
 * a plain number that V8 reads at each growth; where a V8 ignores it, only the memory is lost.
 *
 * Cheap enough to be called for every chunk of a log.
 */
export function capYoungGeneration(): void {
  if (isCapped) return;
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  if (young === undefined || young.space_size < ENOUGH_BYTES) return;
  setFlagsFromString('--semi-space-growth-factor=1');
  isCapped = true;
}
