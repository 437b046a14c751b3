import { lstat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { readSmallFile } from '../../lib/files/small-file.ts';
import { utf8Text } from '../../lib/text/utf8-text.ts';
import type { Project } from '../project/project.ts';
import { CallPlaces, type CallOfFiles, type Place } from './call-places.ts';

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
  const places = new CallPlaces({ root, state }, call);
  let left = MOST_BYTES_OF_ALL;
  for (const path of paths) {
    if (files.has(path)) continue;
    const file =
      files.size < MOST_FILES && left > 0
        ? await fileNow(places, path)
        : ({ is: 'unread', why: 'there are too many' } as const);
    if (file.is === 'text') left -= file.text.length;
    files.set(path, file.is === 'text' && !isWhole ? { ...file, text: hideSecrets().hide(file.text) } : file);
  }
  return files;
}

/** What is another text when one of the files of a call has changed, or is another one; and how many names were followed for it. */
export type FilesStamp = { readonly stamp: string; readonly names: number };

/**
 * Which files these are: by where each is, when it was written, and how long it is. Nothing is read. `''`: there is none to look at.
 */
export async function filesStamp(
  project: Pick<Project, 'root' | 'state'>,
  call: CallOfFiles,
  paths: readonly string[],
): Promise<FilesStamp> {
  if (!call.isOwn) return { stamp: '', names: 0 };
  const places = new CallPlaces(project, call);
  const marks: string[] = [];
  for (const path of paths) marks.push(await markOf(places, path));
  return { stamp: marks.join(' '), names: places.names };
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
  const places = new CallPlaces(project, call);
  const marks: string[] = [];
  for (const [path, { is }] of files)
    marks.push(`${is} ${await markOf(places, path, { isWritten: is === 'unread' })}`);
  return marks;
}

/** Where it leads, and, if that is asked for, when it was written: why there is nothing to say is said by whoever reads it. */
async function markOf(places: CallPlaces, path: string, { isWritten = true } = {}): Promise<string> {
  const found = await places.find(path);
  if (!('place' in found)) return isWritten ? ' none' : ' ';
  return `${relative(found.folder, found.place)} ${isWritten ? await stampOf(found) : ''}`;
}

async function stampOf({ place, isThere }: Place): Promise<string> {
  if (!isThere) return 'none';
  try {
    const about = await lstat(place, { bigint: true });
    // It changes with each file in it, of which nothing is shown.
    if (about.isDirectory()) return 'folder';
    const { ino, size, mtimeNs, ctimeNs } = about;
    return [ino, size, mtimeNs, ctimeNs].join(':');
  } catch {
    return 'none';
  }
}

async function fileNow(places: CallPlaces, path: string): Promise<FileNow> {
  const found = await places.find(path);
  if (!('place' in found)) return { is: 'unread', ...found };
  const file = await fileAt(found);
  return found.leadsTo === undefined ? file : { ...file, leadsTo: found.leadsTo };
}

async function fileAt({ folder, place, isDangling }: Place): Promise<FileNow> {
  const own = relative(folder, place).split(sep).find(isTheirOwn);
  if (own !== undefined) return unread(`it is in ${own}`);
  const bytes = await readSmallFile(place);
  if (bytes === undefined)
    return isDangling ? unread('it is a link to a file that is missing') : { is: 'none' };
  if (!Buffer.isBuffer(bytes)) return unread(bytes.refused);
  const text = bytes.includes(0) ? undefined : utf8Text(bytes, { keepsMark: true });
  return text === undefined ? unread('it is no text') : { is: 'text', text };
}

/** What Clifford and Git keep for themselves, in whatever case a file system takes it. */
function isTheirOwn(name: string): boolean {
  return ['.clifford', '.git'].includes(name.toLowerCase());
}

function unread(why: string): FileNow {
  return { is: 'unread', why };
}
