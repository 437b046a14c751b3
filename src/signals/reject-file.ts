import { randomBytes } from 'node:crypto';
import { basename, extname, join } from 'node:path';
import { makeOwnFolder } from '../lib/files/own-folder.ts';
import { MAX_TEXT_LENGTH } from '../events/field-schemas.ts';
import { inOwnFolder, labelOf, type SignalDeps } from './signal-deps.ts';
import { streamUnderWay } from '../workflow/sprint/home-stream.ts';
import { systemCodeOf } from '../lib/system-error.ts';
import { writeAtomicallySync } from '../lib/files/write-atomically.ts';
import { moveFile } from '../lib/files/move-file.ts';
import { stampOf, type Stamp } from './signal-file.ts';

/** Why a file was refused, and where that is recorded. */
export type Rejection = {
  readonly reason: string;
  readonly stamp: Stamp;
  /** The stream of the event. Default: that of files that name no request. */
  readonly stream?: string;
  /** What the file was called before it was claimed. Default: as it is called. */
  readonly label?: string;
};

/**
 * Moves a file to `.clifford/rejected/`, with the reason beside it, and records `signal.rejected`: one
 * event per file. A file that cannot be moved is ignored until it changes.
 */
export async function rejectFile(
  deps: SignalDeps,
  path: string,
  { reason, stamp, stream = streamUnderWay(deps.project.state), label = labelOf(deps, path) }: Rejection,
): Promise<void> {
  // It was taken back, or written anew since it was read: then that one is read in its turn.
  if (stampOf(path)?.key !== stamp.key) return;
  if (moveAside(deps, path, { label, reason }) === 'gone') return;
  // Where it could not be moved.
  deps.reader.refuse(path, stamp);
  const data = { file: label, reason: reason.slice(0, MAX_TEXT_LENGTH) };
  await deps.project.record(stream, [{ type: 'signal.rejected', subject: stream, data }]);
}

function moveAside(
  deps: SignalDeps,
  path: string,
  { label, reason }: { label: string; reason: string },
): 'moved' | 'stuck' | 'gone' {
  const folder = join(deps.project.dir, 'rejected');
  const name = basename(label);
  const type = extname(name);
  const unique = `${basename(name, type)}-${randomBytes(4).toString('hex')}${type}`;
  try {
    makeOwnFolder(folder);
    inOwnFolder(deps, path, (file) => moveFile(file, join(folder, unique)));
    // Whoever watches the folder reads the reason as a whole.
    writeAtomicallySync(join(folder, `${unique}.reason.txt`), `${label}: ${reason}\n`);
    return 'moved';
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === 'ENOENT') return 'gone';
    deps.problems.tell(
      path,
      `Cannot move ${label} to ${labelOf(deps, folder)}/: ${code}. It is ignored until it changes: ${reason}`,
    );
    return 'stuck';
  }
}
