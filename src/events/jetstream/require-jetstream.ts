import type { JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { START_JETSTREAM, troubleOf, unreachable } from './jetstream-errors.ts';

/**
 * Refuses a server that is of no cluster and has no JetStream, where nobody whom it leads to answers for it either: who
 * does not wait for one that is away need not wait for that.
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
    throw unreachable(
      log,
      `Cannot use ${log}: its server has no JetStream, nor has any that it leads to`,
      error,
      START_JETSTREAM,
    );
  }
}
