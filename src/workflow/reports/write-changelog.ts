import { constants } from 'node:fs';
import { basename, dirname } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { inFolder } from '../../lib/files/opened-folder.ts';
import { NotPlainFileError, readWithMode } from '../../lib/files/plain-file.ts';
import { codeOf } from '../../lib/system-error.ts';
import type { Project } from '../project/project.ts';
import { whereToWrite } from '../project/where-to-write.ts';
import { underProjectionLock } from '../projections/projection-lock.ts';
import { unwritable } from '../projections/unwritable.ts';
import { writeAtomically } from '../../lib/files/write-atomically.ts';
import { changelogBlock } from './changelog-block.ts';
import { editChangelog } from './edit-changelog.ts';

const { O_RDONLY, O_NOFOLLOW } = constants;

/** Longest changelog that is edited, in bytes. */
const MAX_BYTES = 67_108_864;

const FIX =
  'Correct that, or name another file as changelog.file in clifford.json, and call it again: nothing is lost';

/**
 * Brings a sprint's block in the changelog up to date with the log, under a lock of its own.
 *
 * @param file - Absolute, or relative to the project's root; as the configuration names it.
 * @throws {CliffordError} `PROJECTION_UNWRITABLE`; the entries stand in the log all the same.
 */
export async function writeChangelog(project: Project, stream: string, file: string): Promise<void> {
  const path = await placeOf(project.root, file);
  await underProjectionLock({ dir: project.dir, name: 'changelog', fix: FIX }, async () => {
    const part = (await project.refresh()).streams.get(stream)?.changelog;
    if (!part) return;
    try {
      // While the lock was waited for, a link may have taken the place of a folder.
      await inFolder(dirname(path), { root: project.root, makeMode: 0o777 }, async (at) => {
        const target = at(basename(path));
        const before = readRegular(target);
        const after = editChangelog(before?.bytes ?? Buffer.alloc(0), stream, changelogBlock(stream, part));
        if (after === before?.bytes) return;
        await writeAtomically(target, after, before ? { exactMode: before.mode } : { mode: 0o666 });
      });
    } catch (cause) {
      throw unwritable(path, cause instanceof CliffordError ? cause.message : cause, { fix: FIX });
    }
  });
}

/** The folder may be reached by a link within the project; the file itself may be none. */
async function placeOf(root: string, file: string): Promise<string> {
  try {
    return await whereToWrite(root, file);
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
    const why =
      error.code === 'PLACE_RESERVED'
        ? "changelog.file may be nothing of git's or Clifford's"
        : `changelog.file has to be inside the project ${root}`;
    throw unwritable(file, why, { fix: FIX });
  }
}

/** `undefined`: there is none. */
function readRegular(path: string): { bytes: Buffer; mode: number } | undefined {
  try {
    const { bytes, mode } = readWithMode(path, { maxBytes: MAX_BYTES, flags: O_RDONLY | O_NOFOLLOW });
    if (isUtf16(bytes)) throw new NotPlainFileError('it is in UTF-16');
    return { bytes, mode: mode & 0o777 };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function isUtf16([first, second]: Buffer): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/**
 * Records entries of a sprint for the changelog, and under which name. Those it has already are passed
 * over: nothing new is a success without an event.
 */
export async function updateChangelog(
  project: Project,
  { stream, sprintName, entries }: { stream: string; sprintName: string; entries: readonly string[] },
): Promise<void> {
  // The log keeps no secrets: an entry that holds one is known again as the log has it.
  const name = project.asLogged(sprintName);
  const logged = [...new Set(entries.map(project.asLogged))];
  await project.dispatch(stream, (state) => {
    const known = state.streams.get(stream)?.changelog;
    const isKnown = logged.every((entry) => known?.entries.includes(entry));
    if (known?.name === name && isKnown) return [];
    return [{ type: 'changelog.updated', subject: stream, data: { entries: logged, sprintName: name } }];
  });
}
