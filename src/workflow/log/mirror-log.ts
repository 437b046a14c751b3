import { CliffordError } from '../../errors.ts';
import { logFile, openLogFile, type OpenLog } from '../project/project-log.ts';
import { MIRROR_FILE, type MirrorMark } from './mirror-mark.ts';

/** Opens the mirror of a log on a server: it is read as any log in a file, and takes nothing. */
export function openMirror(mark: MirrorMark): OpenLog {
  return async (place) => ({
    ...(await openLogFile(place)),
    append: () => Promise.reject(isMirror(logFile(place.dir), mark)),
  });
}

/** What is to be appended to a mirror. */
export function isMirror(file: string, { of, at }: MirrorMark): CliffordError {
  return new CliffordError(
    `Cannot append to ${file}: it is the mirror of ${of}${at === null ? '' : `, as of ${at}`}; what is decided has to be there`,
    {
      code: 'LOG_IS_MIRROR',
      fix: `Name that log with --log or CLIFFORD_LOG, when its server can be reached. To go on in the file, apart from it for good, remove .clifford/${MIRROR_FILE}`,
      recovery: 'give-up',
    },
  );
}
