import { lstat, realpath } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { hasDanglingLink } from '../../lib/files/dangling-link.ts';
import { insideRoot, isInside } from '../../lib/files/inside-root.ts';
import { realPathToBe } from '../../lib/files/real-path.ts';
import { readSmallFile } from '../../lib/files/small-file.ts';
import { codeOf } from '../../lib/system-error.ts';
import { utf8Text } from '../../lib/text/utf8-text.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../project/project.ts';
import { workFolder } from '../worktree/work-folder.ts';

/** What stands in a file that a call is about: nothing, a text, secrets taken out of it, or what cannot be shown, and why: `it is a folder`. */
export type FileNow = (
  | { readonly is: 'none' }
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'unread'; readonly why: string }
) & {
  /** Where it is, from the folder that it is looked for in, if links on its path lead elsewhere. Out of that: from the root of the system. */
  readonly leadsTo?: string | undefined;
};

/** The same of several, by the paths that the call has for them. */
export type FilesNow = ReadonlyMap<string, FileNow>;

/** Of one call so many files are read, and so many bytes of all of them; of one file 1 MiB. */
const MOST_FILES = 100;
const MOST_BYTES_OF_ALL = 4_194_304;

/** Whose call it is, and whether it is one of an agent's own tool: which files a server means nobody here knows. */
export type CallOfFiles = {
  readonly stream: string;
  readonly task: string | undefined;
  readonly isOwn: boolean;
};

/** The call that a request is about. */
export function callOfFiles({ stream, taskId, asked }: RequestState): CallOfFiles {
  return { stream, task: taskId ?? asked.task, isOwn: asked.approval?.isOwn === true };
}

/**
 * What stands now in the files that a call of an agent's own tool names: where its agent works, or in the project. What leads
 * out of it, is Clifford's or Git's own, no plain file, no text or too long is not read. Of a server's call there are none.
 *
 * @param isWhole - Secrets stay in: a human wants to see all of it.
 */
export async function filesNow(
  { root, state, hideSecrets }: Pick<Project, 'root' | 'state' | 'hideSecrets'>,
  call: CallOfFiles,
  paths: readonly string[],
  { isWhole = false } = {},
): Promise<FilesNow> {
  const files = new Map<string, FileNow>();
  if (!call.isOwn) return files;
  const folders = foldersOf({ root, state }, call);
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

/**
 * What is another text when one of these files has changed, or is another one: by where it is, when it was written, and how long it is.
 * Nothing is read. `''`: there is none to look at.
 */
export async function filesStamp(
  project: Pick<Project, 'root' | 'state'>,
  call: CallOfFiles,
  paths: readonly string[],
): Promise<string> {
  if (!call.isOwn) return '';
  const folders = foldersOf(project, call);
  return (await Promise.all(paths.map((path) => markOf(folders, path)))).join(' ');
}

/** Where each of these paths leads: two of one file lead to the same place, however they are written. */
export async function filePlaces(
  project: Pick<Project, 'root' | 'state'>,
  call: CallOfFiles,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const folders = foldersOf(project, call);
  const places = paths.map(async (path) => {
    const found = await placeIn(folders, path).catch(() => undefined);
    return [path, found?.place ?? resolve(folders[0] ?? '', path)] as const;
  });
  return new Map(await Promise.all(places));
}

/**
 * What else says which files these are: where each leads, from the folder that it is looked for in, and, of one that was not read,
 * when it was written.
 */
export async function filesMarks(
  project: Pick<Project, 'root' | 'state'>,
  call: CallOfFiles,
  files: FilesNow,
): Promise<readonly string[]> {
  const folders = foldersOf(project, call);
  const marks = [...files].map(
    async ([path, { is }]) => `${is} ${await markOf(folders, path, { isWritten: is === 'unread' })}`,
  );
  return Promise.all(marks);
}

/** Where it leads, and, if that is asked for, when it was written: why there is nothing to say is said by whoever reads it. */
async function markOf(folders: readonly string[], path: string, { isWritten = true } = {}): Promise<string> {
  const found = await placeIn(folders, path).catch(() => undefined);
  const leads = found ? relative(found.folder, found.place) : '';
  return `${leads} ${isWritten ? await stampOf(found) : ''}`;
}

async function stampOf(found: Place | undefined): Promise<string> {
  if (!found) return 'none';
  try {
    const about = await lstat(found.place, { bigint: true });
    // It changes with each file in it, of which nothing is shown.
    if (about.isDirectory()) return 'folder';
    const { ino, size, mtimeNs, ctimeNs } = about;
    return [ino, size, mtimeNs, ctimeNs].join(':');
  } catch {
    return 'none';
  }
}

function foldersOf(
  { root, state }: Pick<Project, 'root' | 'state'>,
  { stream, task }: CallOfFiles,
): readonly string[] {
  const known = state.streams.get(stream)?.tasks.get(task ?? '');
  return [...new Set([workFolder({ root }, known), root])];
}

async function fileNow(folders: readonly string[], path: string): Promise<FileNow> {
  try {
    const found = await placeIn(folders, path);
    const file = await fileAt(found, path);
    const leadsTo = await ledTo(found, path);
    return leadsTo === undefined ? file : { ...file, leadsTo };
  } catch (error) {
    // An agent names what it likes.
    if (error instanceof CliffordError) return outside(folders, path, error);
    const code = codeOf(error);
    if (code === undefined) throw error;
    return unread(`the system says ${code}`);
  }
}

/** @throws the system's error when it cannot be read. */
async function fileAt({ folder, place }: Place, path: string): Promise<FileNow> {
  const own = relative(folder, place).split(sep).find(isTheirOwn);
  if (own !== undefined) return unread(`it is in ${own}`);
  const bytes = await readSmallFile(place);
  if (bytes === undefined && hasDanglingLink(folder, path))
    return unread('it is a link to a file that is missing');
  if (bytes === undefined) return { is: 'none' };
  if (!Buffer.isBuffer(bytes)) return unread(bytes.refused);
  const text = bytes.includes(0) ? undefined : utf8Text(bytes, { keepsMark: true });
  return text === undefined ? unread('it is no text') : { is: 'text', text };
}

function outside(folders: readonly string[], path: string, error: CliffordError): FileNow {
  if (error.code !== 'OUTSIDE_PROJECT' || path.includes('\0')) return unread('it is no usable path');
  const [within] = folders.filter((folder) => isInside(folder, resolve(folder, path)));
  if (within === undefined) return unread('it is outside of the project');
  return { ...unread('it leads out of the project'), leadsTo: realPathToBe(resolve(within, path)) };
}

/** Where links on its path lead; `undefined`: there are none. */
async function ledTo({ folder, place }: Place, path: string): Promise<string | undefined> {
  const led = relative(folder, place);
  const named = resolve(folder, path);
  // It may be named by where the folder really is.
  const isThere = led === relative(folder, named) || led === relative(await realpath(folder), named);
  return isThere ? undefined : led;
}

/** What Clifford and Git keep for themselves, in whatever case a file system takes it. */
function isTheirOwn(name: string): boolean {
  return ['.clifford', '.git'].includes(name.toLowerCase());
}

type Place = { readonly folder: string; readonly place: string };

/** In the first of these folders in which it leads to something. */
async function placeIn(folders: readonly string[], path: string): Promise<Place> {
  const [folder = '', ...others] = folders;
  try {
    return { folder, place: await insideRoot(folder, path) };
  } catch (error) {
    if (others.length === 0 || !(error instanceof CliffordError)) throw error;
    return placeIn(others, path);
  }
}

function unread(why: string): FileNow {
  return { is: 'unread', why };
}
