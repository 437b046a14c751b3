/** Whether two paths may well be of one file: one of them whole, the other from the root of the project on. */
function isSameFile(one: string, other: string): boolean {
  if (one === other) return true;
  const [whole, rest] = one.startsWith('/') ? [one, other] : [other, one];
  return whole.startsWith('/') && !rest.startsWith('/') && whole.endsWith(`/${rest}`);
}

/** Which of these may well be of the same file as a path: there may be as many as an agent likes, so names first. */
export function ofSameFile<Named extends { readonly path: string }>(
  all: readonly Named[],
): (path: string) => readonly Named[] {
  const byName = Map.groupBy(all, ({ path }) => nameOf(path));
  return (path) => byName.get(nameOf(path))?.filter((each) => isSameFile(path, each.path)) ?? [];
}

/** Whether a path may well be of the same file as one of these. */
export function isOneOf(paths: readonly string[]): (path: string) => boolean {
  const sameAs = ofSameFile([...new Set(paths)].map((path) => ({ path })));
  return (path) => sameAs(path).length > 0;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
