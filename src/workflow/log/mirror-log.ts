import { CliffordError } from '../../errors.ts';
import { LogCorruptError } from '../../events/jsonl/log-errors.ts';
import { logFile, openLogFile, type OpenLog } from '../project/project-log.ts';
import { MIRROR_FILE, type MirrorMark } from './mirror-mark.ts';

/** What is to be done about a mirror that nobody can read. */
export const MAKE_ANEW =
  'Move the file away: it is made anew from the server when clifford is next started and reaches that';

/** Opens the mirror of a log on a server: it is read as any log in a file, and takes nothing. */
export function openMirror(mark: MirrorMark): OpenLog {
  return async (place) => {
    const file = await openLogFile(place).catch((error: unknown) => {
      throw advised(mark, error);
    });
    return {
      ...file,
      read: (options) => withAdvice(mark, file.read(options)),
      select: (selection) => withAdvice(mark, file.select(selection)),
      append: () => Promise.reject(isMirror(logFile(place.dir), mark)),
    };
  };
}

async function* withAdvice<T>(mark: MirrorMark, batches: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* batches;
  } catch (error) {
    throw advised(mark, error);
  }
}

/** The log that it is the mirror of is a better copy than any of the file. */
function advised({ of }: MirrorMark, error: unknown): unknown {
  if (!(error instanceof LogCorruptError)) return error;
  return new CliffordError(`Cannot read the mirror of ${of}: ${error.message}`, {
    code: 'LOG_CORRUPT',
    fix: MAKE_ANEW,
    cause: error,
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
