import type { JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { CliffordError } from '../../errors.ts';
import { troubleOf } from './jetstream-errors.ts';

/**
 * Refuses a server that keeps nothing and stands alone, which is not waited for: one of a cluster, or one that leads to others, may
 * have somebody behind it who does.
 *
 * @throws {CliffordError} `LOG_NO_JETSTREAM`.
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
    throw new CliffordError(`Cannot use ${log}: its server keeps nothing, as JetStream is off`, {
      code: 'LOG_NO_JETSTREAM',
      fix: 'Start the server with it: nats-server -js, or jetstream {} in its configuration',
      cause: error,
    });
  }
}
