/**
 * A path of a file as people name it: from the root of the project on, or of where an agent works, where it is an absolute one of a
 * file there. One that goes up again stays as it is.
 */
export function withinProject(root: string, path: string): string {
  const top = root.endsWith('/') ? root : `${root}/`;
  const rest = path.startsWith(top) ? path.slice(top.length) : '';
  // It would be an absolute one again.
  if (rest === '' || rest.startsWith('/')) return path;
  return rest.split('/').includes('..') ? path : rest;
}
