/** Most paths or ids that a reason names. */
const NAMED = 5;

/** A few paths or ids in words. */
export function listed(paths: readonly string[]): string {
  const more = paths.length - NAMED;
  return `${paths.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
