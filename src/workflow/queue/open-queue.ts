import { CliffordError } from '../../errors.ts';
import type { JobQueue } from '../../events/queue/job-queue.ts';
import { loadConfig } from '../config/load-config.ts';
import type { ConfigPlace } from '../config/config-place.ts';
import { chooseLog, type ServedLog } from '../log/choose-log.ts';

/**
 * The log of a project that has a queue: one on a server.
 *
 * @throws {CliffordError} `QUEUE_NEEDS_SERVER` when its log is the file; as `chooseLog`.
 */
export async function requireServedLog(place: ConfigPlace): Promise<ServedLog> {
  const log = await chooseLog(place);
  if (log) return log;
  throw queueNeedsServer();
}

/** That the log of a project has no queue: it is a file. */
export function queueNeedsServer(): CliffordError {
  return new CliffordError(
    'Cannot use a queue: the log of this project is a file, which workers elsewhere cannot share',
    {
      code: 'QUEUE_NEEDS_SERVER',
      fix: 'Name a log on a server with --log nats://host:4222/project, CLIFFORD_LOG or log.url; or run the sprint here with: clifford run',
    },
  );
}

/**
 * Opens the queue of the sprints that wait for workers. What speaks with servers is loaded when one is opened.
 *
 * @throws {CliffordError} as `openJetStreamQueue`.
 */
export async function openQueue(log: ServedLog, place: ConfigPlace): Promise<JobQueue> {
  const { queue } = await loadConfig(place);
  const { openJetStreamQueue } = await import('../../events/jetstream/queue/jetstream-queue.ts');
  return openJetStreamQueue({ ...log, deadlineMs: queue.deadline });
}
