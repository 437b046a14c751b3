import type { JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { CliffordError } from '../../errors.ts';
import { troubleOf } from './jetstream-errors.ts';

/**
 * Refuses a server that is of no cluster and has no JetStream, where nobody whom it leads to answers for it either: that is not
 * waited for.
 *
 * @throws {CliffordError} `LOG_UNREACHABLE`.
 */
export async function requireJetStream(
  log: string,
  { info }: Pick<NatsConnection, 'info'>,
  manager: JetStreamManager,
): Promise<void> {
  if (info?.jetstream || info?.cluster !== undefined) return;
  try {
    await manager.getAccountInfo();
  } catch (error) {
    // What else is wrong is said of what is asked of it.
    if (troubleOf(error) !== 'unavailable') return;
    throw new CliffordError(`Cannot use ${log}: its server has no JetStream, nor has any that it leads to`, {
      code: 'LOG_UNREACHABLE',
      fix: 'Start it with JetStream (nats-server -js, or jetstream {} in its configuration), or bring back the one it leads to',
      recovery: 'retry',
      cause: error,
    });
  }
}
