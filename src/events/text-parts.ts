/** `: <reason>`, or nothing. */
export function because(reason: string | undefined): string {
  return reason === undefined ? '' : `: ${reason}`;
}

/** `by <who>: <reason>`. */
export function byWhom({ by, reason }: { by: string; reason?: string | undefined }): string {
  return `by ${by}${because(reason)}`;
}
