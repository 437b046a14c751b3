import { filesInCall, type FilesInCall } from '../../events/call-files/files-in-call.ts';
import type { FilesNow } from '../../workflow/requests/files-now.ts';
import { callChanges, changedPaths, writesUnshown, type CallChange } from './call-changes.ts';

/**
 * What a human sees that a call would make of files, as a text: another one when they would see something else. In which
 * lines of a file it stands by then does not count. `undefined`: it would change none.
 */
function changesSeen(changes: readonly CallChange[], unseen: readonly string[]): string | undefined {
  if (changes.length === 0 && unseen.length === 0) return undefined;
  return JSON.stringify([
    ...unseen,
    ...changes.map(({ path, leadsTo, how, lines, over, isFound, firstLine }) => ({
      path,
      leadsTo,
      how,
      lines,
      over,
      isFound,
      isOnce: firstLine !== undefined,
    })),
  ]);
}

/** The texts that a call would write over without that being shown: nobody has seen which ones they are, and each of them counts. */
function textsUnseen(
  inCall: FilesInCall,
  files: FilesNow,
  changes: readonly CallChange[],
): readonly string[] {
  const unshown = changes.filter(
    ({ how, over }) => how === 'delete' || how === 'move' || (how === 'write' && over?.is === 'uncompared'),
  );
  const paths = new Set([...writesUnshown(inCall), ...unshown.map(({ path }) => path)]);
  return [...paths].flatMap((path) => {
    const file = files.get(path);
    return file?.is === 'text' ? [file.text] : [];
  });
}

/** How every face looks at what a call would make of files. */
export const seeChanges = {
  pathsOf: (args: unknown) => changedPaths(filesInCall(args)),
  seenOf: (args: unknown, files: FilesNow) => {
    const inCall = filesInCall(args);
    const changes = callChanges(inCall, files);
    return changesSeen(changes, textsUnseen(inCall, files, changes));
  },
};
