/** The statuses that a sprint and its tasks have in `manifest.json`. */
export const manifestStatuses = ['pending', 'active', 'blocked', 'completed', 'pushed'] as const;
export type ManifestStatus = (typeof manifestStatuses)[number];

/** Whether a status says that all is done. `pushed` is other programs' word for what they took further. */
export function isDoneStatus(status: ManifestStatus): boolean {
  return status === 'completed' || status === 'pushed';
}
