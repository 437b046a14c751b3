import { realpathSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { contentDigest } from '../../workflow/commit/file-digest.ts';
import type { Project } from '../../workflow/project/project.ts';
import { EditJournal } from './edit-journal.ts';
import { editJournalFolder, hasTemporaryEdits } from './journal-folder.ts';
import { temporaryOf } from './users-file.ts';

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

function fromRoot(top: string, path: string): string {
  return relative(top, path).split(sep).join('/');
}
