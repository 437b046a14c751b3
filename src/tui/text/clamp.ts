/** The number of these bounds that is nearest to a value; `least` where they contradict each other. */
export function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}
