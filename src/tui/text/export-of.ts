/** The command that has all of what a run wrote. */
export function exportOf(run: string): string {
  return `clifford export ${run}`;
}
