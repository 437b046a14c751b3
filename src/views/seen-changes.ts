import type { FilesNow } from '../workflow/requests/files-now.ts';
import { callChanges, changedPaths, type CallChange } from './call-changes.ts';

/**
 * What a human sees that a call would make of files, as a text: another one when they would see something else. In which
 * lines of a file it stands by then does not count. `undefined`: it would change none.
 */
function changesSeen(changes: readonly CallChange[]): string | undefined {
  if (changes.length === 0) return undefined;
  return JSON.stringify(
    changes.map(({ path, leadsTo, isEdit, lines, over, isFound, firstLine }) => ({
      path,
      leadsTo,
      isEdit,
      lines,
      over,
      isFound,
      isOnce: firstLine !== undefined,
    })),
  );
}

/** How every face looks at what a call would make of files. */
export const seeChanges = {
  pathsOf: changedPaths,
  seenOf: (args: unknown, files: FilesNow) => changesSeen(callChanges(args, files)),
};
