/** A path of a file as people name it: from the root of the project on, where it is an absolute one of a file there. */
export function withinProject(root: string, path: string): string {
  const rest = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : '';
  // It would be an absolute one again.
  return rest === '' || rest.startsWith('/') ? path : rest;
}

/** What says what becomes of which files; whatever else a title may be, such as a command, is exact. */
const OF_FILES = /^(?:Edit|Write|Read|Delete|Move|Search) /;

/** The same for the files in the title of a request: `Edit src/a.ts +3 −1, /etc/hosts +1 −0`. */
export function titleWithin(root: string, title: string): string {
  if (!OF_FILES.test(title)) return title;
  return title
    .split(/( )/)
    .map((word) => withinProject(root, word))
    .join('');
}
