import { CliffordError } from '../../errors.ts';

/**
 * Runs `work`, which records a human's word to a request.
 *
 * @param cannot - What cannot be done then, e.g. `answer req-3`.
 * @throws {CliffordError} `LOG_UNREACHABLE`, and that nothing is recorded; what `work` throws.
 */
export async function sayNotRecorded<T>(cannot: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CliffordError) || error.code !== 'LOG_UNREACHABLE') throw error;
    const { message, code, fix, recovery } = error;
    const said = `Cannot ${cannot}: it is not recorded, the log is away: ${message}`;
    throw new CliffordError(said, { code, fix, recovery, cause: error });
  }
}
