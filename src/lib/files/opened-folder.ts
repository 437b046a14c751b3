import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  realpathSync,
  fstatSync,
  readlinkSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { codeOf, isMissing } from '../system-error.ts';
import { leadsElsewhere } from './own-folder.ts';
import { openPlainFile, readOwnFile } from './plain-file.ts';
import { realPath } from './real-path.ts';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

/** Where Linux has the folders that this process has opened, as folders. Nowhere else is there such a place. */
const OPENED = '/proc/self/fd';

/** How a folder is opened. */
type Way = {
  /** The way from here to the folder leads over no link. That to here may. */
  readonly root: string;
  /** Makes what is missing of it, with this mode. */
  readonly makeMode?: number;
};

/** The path of a name in a folder. What is done with it is done in that folder. */
type At = (name: string) => string;

/**
 * Works in a folder that was found to be a good place a moment ago: it is opened, and has to be where its path says.
 * What takes its place from then on, such as a link that leads elsewhere, changes nothing. Where the system has no such
 * paths, it has to be there when the work begins.
 *
 * @param folder - Absolute, below `root`, as {@link insideRoot} returns it.
 * @throws {CliffordError} `FOLDER_LINKED` when it, or a folder on the way to it, has become a link.
 * @throws the errors of the system, `ENOENT` when it is not there, and what `work` throws.
 */
export async function inFolder<T>(folder: string, way: Way, work: (at: At) => Promise<T>): Promise<T> {
  const { at, named, close } = openFolder(folder, way);
  try {
    return await work(at);
  } catch (error) {
    throw named(error);
  } finally {
    close();
  }
}

/** The same at once. */
export function inFolderSync<T>(folder: string, way: Way, work: (at: At) => T): T {
  const { at, named, close } = openFolder(folder, way);
  try {
    return work(at);
  } catch (error) {
    throw named(error);
  } finally {
    close();
  }
}

/**
 * Opens a plain file, to read it, that was found to be a good one a moment ago. No link is followed.
 *
 * @param path - Absolute, as {@link insideRoot} returns it.
 * @throws {CliffordError} as {@link inFolder}; {@link NotPlainFileError} and the errors of the system.
 */
export function openInPlace(path: string, way: Pick<Way, 'root'>): number {
  return inFolderSync(dirname(path), way, (at) => openPlainFile(at(basename(path)), O_RDONLY | O_NOFOLLOW));
}

/** The bytes of such a file. */
export function readInPlace(path: string, { root, maxBytes }: { root: string; maxBytes: number }): Buffer {
  return inFolderSync(dirname(path), { root }, (at) => readOwnFile(at(basename(path)), { maxBytes }));
}

function openFolder(folder: string, { root, makeMode }: Way) {
  const fd = openedInPlace(folder, root, makeMode);
  const opened = `${OPENED}/${fd}`;
  const isPath = existsSync(opened);
  const named = (error: unknown) => {
    if (error instanceof Error) error.message = error.message.replaceAll(opened, folder);
    return error;
  };
  return {
    at: (name: string) => join(isPath ? opened : folder, name),
    /** An error of the system, with the folder as people know it. */
    named,
    close: () => closeSync(fd),
  };
}

function openedInPlace(folder: string, root: string, makeMode: number | undefined): number {
  const fd = openOrMake(folder, root, makeMode);
  if (placeOfOpened(fd, folder) === join(realpathSync(root), relative(root, folder))) return fd;
  closeSync(fd);
  throw leadsElsewhere(folder);
}

function openOrMake(folder: string, root: string, makeMode: number | undefined): number {
  try {
    return openSync(folder, O_RDONLY | O_DIRECTORY);
  } catch (error) {
    if (makeMode === undefined || folder === root || !isMissing(error)) throw error;
  }
  inFolderSync(dirname(folder), { root, makeMode }, (at) => {
    try {
      mkdirSync(at(basename(folder)), { mode: makeMode });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  });
  return openSync(folder, O_RDONLY | O_DIRECTORY);
}

/**
 * Where a file or a folder is that was opened by `path`, links followed, whatever that path names by now. `undefined`:
 * it is no longer anywhere, or nobody can tell.
 */
function placeOfOpened(fd: number, path: string): string | undefined {
  const own = `/proc/self/fd/${fd}`;
  const place = existsSync('/proc/self/fd') ? readlinkSync(own) : realPath(path);
  if (place === undefined) return undefined;
  // Of what was removed Linux says the path with a remark behind it.
  const there = statSync(place, { bigint: true, throwIfNoEntry: false });
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return there?.dev === dev && there.ino === ino ? place : undefined;
}
