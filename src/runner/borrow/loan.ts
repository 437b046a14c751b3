import { isDeepStrictEqual } from 'node:util';
import { CliffordError } from '../../errors.ts';
import type { BorrowedFile } from '../agents/agent-adapter.ts';
import { digestOf } from './borrow-journal.ts';
import type { BorrowJournal, Loan } from './borrow-journal.ts';
import { setEntry, takeEntryOut } from './json-entry.ts';
import {
  missingFoldersOf,
  readUsersFile,
  realPathOf,
  removeEmptyFolders,
  removeLeftover,
  removeUsersFile,
  replaceUsersFile,
} from './users-file.ts';

/**
 * Changes a file for a run, and writes down before that how it was.
 *
 * @throws {CliffordError} `JSON_UNFIT` when it has no place for the entry. The file is as it was then.
 */
export function takeLoan(journal: BorrowJournal, file: BorrowedFile): void {
  const path = realPathOf(file.path);
  const loan = journal.loans().find((each) => each.path === path);
  const found = readUsersFile(path);
  // Another run has borrowed it: it may have changed it, or somebody else since.
  const before = loan ? withoutEntry(loan, found) : found;
  const text = before?.bytes.toString('utf8');
  const bytes = Buffer.from(setEntry(text, { ...file, path }));
  const next: Loan = {
    version: 1,
    path,
    keys: [...file.keys],
    ...(before && { original: { base64: before.bytes.toString('base64'), mode: before.mode } }),
    madeFolders: loan?.madeFolders ?? missingFoldersOf(path),
    written: digestOf(bytes),
  };
  if (isDeepStrictEqual(loan, next) && found?.bytes.equals(bytes)) return;
  journal.write(next);
  replaceUsersFile(path, { bytes, mode: before?.mode ?? 0o600 });
}

/**
 * Gives a file back as it was. When somebody changed it meanwhile, their change stays, and only the entry is
 * taken out. Returns what its owner should know.
 */
export function giveLoanBack(journal: BorrowJournal, loan: Loan): string | undefined {
  const { path, madeFolders } = loan;
  const found = readUsersFile(path);
  const original = originalOf(loan);
  removeLeftover(path);
  let note: string | undefined;
  if (found && digestOf(found.bytes) === loan.written) {
    if (original) replaceUsersFile(path, original);
    else removeUsersFile(path);
  } else if (found && !(original && found.bytes.equals(original.bytes))) {
    note = keepChange(loan, found);
  }
  removeEmptyFolders(madeFolders);
  journal.remove(loan);
  return note;
}

function keepChange(loan: Loan, found: { bytes: Buffer; mode: number }): string {
  const { path, keys } = loan;
  const entry = keys.join('.');
  try {
    const left = withoutEntry(loan, found);
    if (left) replaceUsersFile(path, left);
    return `${path} was changed while an agent needed ${entry} in it: the change stays, ${entry} was taken out`;
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
    return `${path} was changed while an agent needed ${entry} in it, and cannot be read any more: take ${entry} out by hand`;
  }
}

/** What a borrowed file would be if it were not. */
function withoutEntry(
  loan: Loan,
  found: { bytes: Buffer; mode: number } | undefined,
): { bytes: Buffer; mode: number } | undefined {
  const original = originalOf(loan);
  if (!found || digestOf(found.bytes) === loan.written) return found && original;
  const text = takeEntryOut(found.bytes.toString('utf8'), loan, original?.bytes.toString('utf8'));
  return { bytes: Buffer.from(text), mode: found.mode };
}

function originalOf({ original }: Loan): { bytes: Buffer; mode: number } | undefined {
  return original && { bytes: Buffer.from(original.base64, 'base64'), mode: original.mode };
}
