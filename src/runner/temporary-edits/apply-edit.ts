import { isDeepStrictEqual } from 'node:util';
import { sha256 } from '../../lib/digest.ts';
import { CliffordError } from '../../errors.ts';
import type { TemporaryEdit } from '../agents/agent-adapter.ts';
import type { AppliedEdit, EditJournal } from '../../workflow/temporary-edits/edit-journal.ts';
import { setEntry, takeEntryOut } from './json-entry.ts';
import { realPathToBe } from '../../lib/files/real-path.ts';
import {
  missingFoldersOf,
  readUsersFile,
  removeEmptyFolders,
  removeLeftover,
  removeUsersFile,
  replaceUsersFile,
} from './users-file.ts';

/** Changes a file for a run, and writes down before that how it was. */
export function applyEdit(journal: EditJournal, file: TemporaryEdit): void {
  const path = realPathToBe(file.path);
  const applied = journal.appliedEdits().find((each) => each.path === path);
  const found = readUsersFile(path);
  // Another run has edited it before: it may have changed it again, or somebody else since.
  const before = applied ? withoutEntry(applied, found) : found;
  const text = before?.bytes.toString('utf8');
  const bytes = Buffer.from(setEntry(text, { ...file, path }));
  const next: AppliedEdit = {
    version: 1,
    path,
    keys: [...file.keys],
    ...(before && { original: { base64: before.bytes.toString('base64'), mode: before.mode } }),
    madeFolders: applied?.madeFolders ?? missingFoldersOf(path),
    written: sha256(bytes, 'hex'),
  };
  if (isDeepStrictEqual(applied, next) && found?.bytes.equals(bytes)) return;
  journal.write(next);
  replaceUsersFile(path, { bytes, mode: before?.mode ?? 0o600 });
}

/**
 * Gives a file back as it was. When somebody changed it meanwhile, their change stays, and only the entry is
 * taken out. Returns what its owner should know.
 */
export function undoEdit(journal: EditJournal, applied: AppliedEdit): string | undefined {
  const { path, madeFolders } = applied;
  const found = readUsersFile(path);
  const original = originalOf(applied);
  removeLeftover(path);
  let note: string | undefined;
  if (found && sha256(found.bytes, 'hex') === applied.written) {
    if (original) replaceUsersFile(path, original);
    else removeUsersFile(path);
  } else if (found && !(original && found.bytes.equals(original.bytes))) {
    note = keepChange(applied, found);
  }
  removeEmptyFolders(madeFolders);
  journal.remove(applied);
  return note;
}

function keepChange(applied: AppliedEdit, found: { bytes: Buffer; mode: number }): string {
  const { path, keys } = applied;
  const entry = keys.join('.');
  try {
    const left = withoutEntry(applied, found);
    if (left) replaceUsersFile(path, left);
    return `${path} was changed while an agent needed ${entry} in it: the change stays, ${entry} was taken out`;
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
    return `${path} was changed while an agent needed ${entry} in it, and cannot be read any more: take ${entry} out by hand`;
  }
}

/** What a file that is changed for a run would be without that. */
function withoutEntry(
  applied: AppliedEdit,
  found: { bytes: Buffer; mode: number } | undefined,
): { bytes: Buffer; mode: number } | undefined {
  const original = originalOf(applied);
  if (!found || sha256(found.bytes, 'hex') === applied.written) return found && original;
  const text = takeEntryOut(found.bytes.toString('utf8'), applied, original?.bytes.toString('utf8'));
  return { bytes: Buffer.from(text), mode: found.mode };
}

function originalOf({ original }: AppliedEdit): { bytes: Buffer; mode: number } | undefined {
  return original && { bytes: Buffer.from(original.base64, 'base64'), mode: original.mode };
}
