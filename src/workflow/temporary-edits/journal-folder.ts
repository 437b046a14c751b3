import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Where it is written down which of the user's files are changed for a run. */
export function editJournalFolder(stateDir: string): string {
  return join(stateDir, 'temporary-edits');
}

/** Whether files may be changed for a run, or were for one that was killed. Costs one look. */
export function hasTemporaryEdits(stateDir: string): boolean {
  return existsSync(editJournalFolder(stateDir));
}

/** Where a file is written that is changed for a run, before it takes the place of the other one. */
export function temporaryOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.clifford`);
}
