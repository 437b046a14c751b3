/** A delay that doubles each time, from `firstMs` to `longestMs`. `times`: how often there was one before. */
export function backoffMs(
  { firstMs, longestMs }: { readonly firstMs: number; readonly longestMs: number },
  times: number,
): number {
  return Math.min(firstMs * 2 ** times, longestMs);
}
