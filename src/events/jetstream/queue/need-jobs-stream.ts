import { CliffordError } from '../../../errors.ts';
import type { LogServer } from '../log-server.ts';
import { makeJobsStream } from './jobs-stream.ts';
import { queueNames } from './queue-names.ts';

/** This user may have nothing to do with the queue; or the server has no room for it. */
const NOT_MADE = ['LOG_FORBIDDEN', 'LOG_REFUSED'];

/**
 * Makes the stream of the queue beside that of a log, where it is not there yet. Who makes a stream says what it sends on, and where: it
 * may be the request to remove the log. So nobody is left one to make.
 *
 * @throws {CliffordError} `LOG_STREAM_UNFIT` when somebody has made it so; as {@link LogServer.ask}.
 */
export async function needJobsStream(server: LogServer, replicas: number): Promise<void> {
  try {
    await makeJobsStream(server, queueNames(server.project), replicas);
  } catch (error) {
    if (!(error instanceof CliffordError) || !NOT_MADE.includes(error.code)) throw error;
  }
}
