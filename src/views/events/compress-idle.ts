/** When each event of a history is played, where nobody waits for long. Times in ms, at normal speed. */
export type PlayTimes = {
  /** From the first event to the last. */
  readonly totalMs: number;
  /** When a version is played, after the first. */
  readonly playedAt: (version: number) => number;
  /** The last version that is played by then; the first, before anything is. */
  readonly versionAt: (ms: number) => number;
  /** How much of the time before a version is left out; 0: nothing is. */
  readonly leftOutBefore: (version: number) => number;
};

/**
 * Plays a history as it was, but where nothing happened for longer than `longestMs`, only for so long.
 *
 * @param times - When each event happened, in ms, version 1 at place 0. Where one is earlier than the one before it, no
 *   time passes.
 */
export function compressIdle(
  times: ArrayLike<number>,
  { longestMs }: { readonly longestMs: number },
): PlayTimes {
  const played = new Float64Array(times.length);
  const gapBefore = (at: number) => Math.max(0, (times[at] ?? 0) - (times[at - 1] ?? times[at] ?? 0));
  for (let at = 1; at < played.length; at += 1)
    played[at] = (played[at - 1] ?? 0) + Math.min(gapBefore(at), longestMs);
  return {
    totalMs: played.at(-1) ?? 0,
    playedAt: (version) => played[version - 1] ?? 0,
    versionAt: (ms) => Math.max(1, placesUntil(played, ms)),
    leftOutBefore: (version) => Math.max(0, gapBefore(version - 1) - longestMs),
  };
}

/** How many of them, which never fall, are not above a limit. */
function placesUntil(rising: Float64Array, limit: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rising[middle] ?? 0) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}
