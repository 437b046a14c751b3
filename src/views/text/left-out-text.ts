/**
 * Stands where the beginning of something is left out: `… 3 earlier: git log`.
 *
 * @param all - The command that prints it, too.
 */
export function leftOutText(what: string, all: string): string {
  return `… ${what}: ${all}`;
}
