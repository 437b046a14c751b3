/** `: <reason>`, or nothing where no word was said. */
export function because(reason = ''): string {
  return reason.trim() === '' ? '' : `: ${reason}`;
}

/** `by <who>: <reason>`. */
export function byWhom({ by, reason }: { by: string; reason?: string | undefined }): string {
  return `by ${by}${because(reason)}`;
}
