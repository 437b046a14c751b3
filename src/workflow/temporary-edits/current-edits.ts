import { realpathSync } from 'node:fs';
import { pathFrom } from '../../lib/files/path-from.ts';
import { sha256 } from '../../lib/digest.ts';
import { contentDigest } from '../../lib/files/file-digest.ts';
import { NotPlainFileError, readOwnFile } from '../../lib/files/plain-file.ts';
import { codeOf } from '../../lib/system-error.ts';
import type { Project } from '../project/project.ts';
import { EditJournal, MAX_USERS_BYTES } from './edit-journal.ts';
import { editJournalFolder, hasTemporaryEdits, temporaryOf } from './journal-folder.ts';

/**
 * The files of a project that are changed for a run just now, of whichever sprint, by path from its root with
 * `/`; with a digest of what they are without that, `undefined`: they are not there. Costs a look for a folder
 * where there are none.
 */
export function currentEdits({ root, dir }: Pick<Project, 'root' | 'dir'>): Map<string, string | undefined> {
  const files = new Map<string, string | undefined>();
  if (!hasTemporaryEdits(dir)) return files;
  // The journal has the paths of the files themselves, no links.
  const top = realpathSync(root);
  for (const { path, original } of new EditJournal(editJournalFolder(dir)).appliedEdits()) {
    const digest = original && contentDigest(Buffer.from(original.base64, 'base64'), original.mode);
    files.set(fromRoot(top, path), digest);
    files.set(fromRoot(top, temporaryOf(path)), undefined);
  }
  return files;
}

/**
 * Which files of a project are just now as Clifford has changed them for a run, and which of those has somebody changed since,
 * by path from its root with `/`.
 */
export function editedForRuns({
  root,
  dir,
}: Pick<Project, 'root' | 'dir'>): ReadonlyMap<string, 'only by Clifford' | 'by others, too'> {
  if (!hasTemporaryEdits(dir)) return new Map();
  const top = realpathSync(root);
  return new Map(
    new EditJournal(editJournalFolder(dir)).appliedEdits().flatMap(({ path, written }) => {
      const by = isAsWritten(path, written) ? ('only by Clifford' as const) : ('by others, too' as const);
      return [
        [fromRoot(top, path), by] as const,
        [fromRoot(top, temporaryOf(path)), 'only by Clifford'] as const,
      ];
    }),
  );
}

function isAsWritten(path: string, written: string): boolean {
  try {
    return sha256(readOwnFile(path, { maxBytes: MAX_USERS_BYTES }), 'hex') === written;
  } catch (error) {
    if (error instanceof NotPlainFileError || codeOf(error) !== undefined) return false;
    throw error;
  }
}

function fromRoot(top: string, path: string): string {
  return pathFrom(top, path);
}
