import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import type { Project } from '../../workflow/project/project.ts';
import { CallHistory, callTypes } from './call-history.ts';
import type { RecordedCall } from './recorded-call.ts';

/**
 * The calls that the log has, of one stream or of all, in the order they were made. Takes a look at every line of the log,
 * and reads those that are about calls.
 *
 * @throws {CliffordError} `LOG_CORRUPT`, `LOG_NEWER`
 */
export async function readCalls(
  { log }: Pick<Project, 'log'>,
  stream?: string,
): Promise<readonly RecordedCall[]> {
  const history = new CallHistory();
  const selection = stream === undefined ? { stream: ADHOC_STREAM, types: callTypes } : { stream };
  for await (const { events } of log.select(selection)) for (const event of events) history.take(event);
  return history.calls();
}
