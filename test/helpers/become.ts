/** Becomes another user: only once everything is loaded, which that one may not be able to read. */
export function become(uid: string | undefined): void {
  if (uid === undefined) return;
  process.setgroups?.([]);
  process.setgid?.(Number(uid));
  process.setuid?.(Number(uid));
}
