import { CliffordError } from '../../errors.ts';
import { insideRoot } from '../../lib/files/inside-root.ts';
import { readSmallFile } from '../../lib/files/small-file.ts';
import { codeOf } from '../../lib/system-error.ts';
import { utf8Text } from '../../lib/text/utf8-text.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../project/project.ts';
import { workFolder } from '../worktree/work-folder.ts';

/** What stands in a file that a call is about: nothing, a text, secrets taken out of it, or what cannot be shown, and why: `it is a folder`. */
export type FileNow =
  | { readonly is: 'none' }
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'unread'; readonly why: string };

/** The same of several, by the paths that the call has for them. */
export type FilesNow = ReadonlyMap<string, FileNow>;

/** Of one call so many files are read, and so many bytes of all of them; of one file 1 MiB. */
const MOST_FILES = 100;
const MOST_BYTES_OF_ALL = 4_194_304;

type Asked = Pick<RequestState, 'stream' | 'taskId'> & {
  readonly asked: Pick<RequestState['asked'], 'task'>;
};

/**
 * What stands now in the files that a call names: where its agent works, or in the project. What leads out of it, is no plain
 * file, no text or too long is not read.
 *
 * @param isWhole - Secrets stay in: a human wants to see all of it.
 */
export async function filesNow(
  { root, state, hideSecrets }: Pick<Project, 'root' | 'state' | 'hideSecrets'>,
  { stream, taskId, asked }: Asked,
  paths: readonly string[],
  { isWhole = false } = {},
): Promise<FilesNow> {
  const task = state.streams.get(stream)?.tasks.get(taskId ?? asked.task ?? '');
  const folders = [...new Set([workFolder({ root }, task), root])];
  const files = new Map<string, FileNow>();
  let left = MOST_BYTES_OF_ALL;
  for (const path of paths) {
    if (files.has(path)) continue;
    const file =
      files.size < MOST_FILES && left > 0
        ? await fileNow(folders, path)
        : ({ is: 'unread', why: 'there are too many' } as const);
    if (file.is === 'text') left -= file.text.length;
    files.set(path, file.is === 'text' && !isWhole ? { ...file, text: hideSecrets().hide(file.text) } : file);
  }
  return files;
}

async function fileNow(folders: readonly string[], path: string): Promise<FileNow> {
  try {
    const bytes = await readSmallFile(await placeIn(folders, path));
    if (bytes === undefined) return { is: 'none' };
    if (!Buffer.isBuffer(bytes)) return unread(bytes.refused);
    const text = bytes.includes(0) ? undefined : utf8Text(bytes, { keepsMark: true });
    return text === undefined ? unread('it is no text') : { is: 'text', text };
  } catch (error) {
    // An agent names what it likes.
    if (error instanceof CliffordError)
      return unread(
        error.code === 'OUTSIDE_PROJECT' ? 'it is outside of the project' : 'it is no usable path',
      );
    const code = codeOf(error);
    if (code === undefined) throw error;
    return unread(`the system says ${code}`);
  }
}

/** In the first of these folders in which it leads to something. */
async function placeIn(folders: readonly string[], path: string): Promise<string> {
  const [folder = '', ...others] = folders;
  try {
    return await insideRoot(folder, path);
  } catch (error) {
    if (others.length === 0 || !(error instanceof CliffordError)) throw error;
    return placeIn(others, path);
  }
}

function unread(why: string): FileNow {
  return { is: 'unread', why };
}
