import { join } from 'node:path';
import { NotPlainFileError, readOwnFile } from '../../lib/files/plain-file.ts';
import { codeOf } from '../../lib/system-error.ts';
import type { FileChange } from '../git/git-diff.ts';
import { fileDigest } from '../../lib/files/file-digest.ts';
import { splitNul, type Git } from '../git/git.ts';
import type { WorkTreeSnapshot } from './snapshot.ts';

/** Most bytes of one new file, and of all of them, that are read. */
const MOST_BYTES = 1_000_000;
const MOST_BYTES_OF_ALL = 8_000_000;

/** Bytes of a file that are looked at to tell whether it is a text, as git does. */
const HEAD_BYTES = 8_000;

/** The files that git does not know yet, but for those that it is to ignore. */
export async function newFiles(git: Git, root: string): Promise<FileChange[]> {
  const listed = await git.read(['ls-files', '--others', '--exclude-standard', '-z', '--', '.']);
  const paths = splitNul(listed);
  let left = MOST_BYTES_OF_ALL;
  return paths.map((path) => {
    const { bytes, note } = left > 0 && !path.endsWith('/') ? contentOf(join(root, path)) : { note: UNREAD };
    left -= bytes?.length ?? 0;
    return newFile(path, bytes, path.endsWith('/') ? 'A repository of its own' : note);
  });
}

const UNREAD = 'Too long to be shown here';

function contentOf(path: string): { bytes?: Buffer; note?: string } {
  try {
    return { bytes: readOwnFile(path, { maxBytes: MOST_BYTES }) };
  } catch (error) {
    if (error instanceof NotPlainFileError) return { note: `Not shown: ${error.message}` };
    if (codeOf(error) === undefined) throw error;
    return { note: `Not shown: ${codeOf(error)}` };
  }
}

function newFile(path: string, bytes: Buffer | undefined, note: string | undefined): FileChange {
  const file = { path, how: 'added', lines: undefined, patch: '', note } as const;
  if (!bytes) return file;
  if (bytes.subarray(0, HEAD_BYTES).includes(0))
    return { ...file, note: 'Not a text: nothing of it is shown' };
  if (bytes.length === 0) return { ...file, lines: { added: 0, removed: 0 }, note: 'It is empty' };
  const text = bytes.toString('utf8');
  const lines = text.replace(/\n$/, '').split('\n');
  const end = text.endsWith('\n') ? '' : '\\ No newline at end of file\n';
  const patch = `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}${end}`;
  return { ...file, lines: { added: lines.length, removed: 0 }, patch };
}

/** Those of these files that are not as they were before the task began. */
export async function unlessAsBefore(
  files: readonly FileChange[],
  { root, before, signal }: { root: string; before: WorkTreeSnapshot; signal: AbortSignal },
): Promise<FileChange[]> {
  const known = new Map(before.files);
  const changed: FileChange[] = [];
  for (const file of files) {
    const digest = known.get(file.path);
    if (digest === undefined) changed.push(file);
    else if (digest !== (await fileDigest(join(root, file.path), signal)))
      changed.push({
        ...file,
        note: file.note ?? 'It had changes before the task began, which are shown, too',
      });
  }
  return changed;
}
