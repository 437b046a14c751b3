import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { openJetStreamLog, type JetStreamLogOptions } from '../../../src/events/jetstream/jetstream-log.ts';
import type { EventLog } from '../../../src/events/log/event-log.ts';
import type { NatsServer } from '../../helpers/nats-server.ts';
import type { LogPlace } from '../log/event-log-contract.ts';

/** A log of its own on a server. */
export function natsPlace({ address }: Pick<NatsServer, 'address'>): LogPlace & {
  readonly options: JetStreamLogOptions;
} {
  const project = randomUUID();
  const options = { servers: [address], project, name: `nats://${address}/${project}` };
  return { options, open: (more) => openJetStreamLog({ ...options, ...more }) };
}

/** Opens a log, as another process would, and closes it when the test is finished. */
export async function openNatsLog(place: LogPlace): Promise<EventLog> {
  const log = await place.open();
  onTestFinished(() => log.close());
  return log;
}
