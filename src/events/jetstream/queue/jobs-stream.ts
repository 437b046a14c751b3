import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { troubleOf } from '../jetstream-errors.ts';
import type { LogServer } from '../log-server.ts';
import { assertFit } from '../stream-fit.ts';
import type { JobPlace, QueueNames } from './queue-names.ts';

const NS_PER_MS = 1_000_000;
/** The consumer is there, with another configuration. */
const CONSUMER_EXISTS = [10105, 10148];

/** What the stream of a queue has to be: each job is handed to one worker, and no sprint is in it twice at one place. */
const NEEDED = {
  retention: RetentionPolicy.Workqueue,
  storage: StorageType.File,
  discard: DiscardPolicy.New,
  discard_new_per_subject: true,
  max_msgs_per_subject: 1,
  max_age: 0,
} as const satisfies Partial<StreamConfig>;

/** Makes the stream of the queue, where it is not there. `replicas`: on how many servers of a cluster it is kept. */
export async function makeJobsStream(server: LogServer, names: QueueNames, replicas: number): Promise<void> {
  const { manager, name } = server;
  const config = await server.ask('open the queue of', () => infoOrMake());
  const { stream, all: subject } = names;
  assertFit({ name, stream, subject, needed: NEEDED, duty: 'hand each sprint to one worker' }, config);

  async function infoOrMake(): Promise<StreamConfig> {
    try {
      return (await manager.streams.info(names.stream)).config;
    } catch (error) {
      if (troubleOf(error) !== 'no-stream') throw error;
    }
    const made = await manager.streams.add({
      ...NEEDED,
      name: names.stream,
      description: 'Sprints of a Clifford project that wait for workers',
      subjects: [names.all],
      max_bytes: -1,
      max_msgs: -1,
      num_replicas: replicas,
    });
    return made.config;
  }
}

/**
 * Makes the consumer that hands out the jobs of a lane with such needs. `deadlineMs`: for how long a job that nobody extends is held. One
 * that is there waits no shorter while a job is held: its worker extends it as often as it was said when it was taken.
 */
export async function makeConsumer(
  server: LogServer,
  names: QueueNames,
  { place, deadlineMs }: { readonly place: Pick<JobPlace, 'lane' | 'needs'>; readonly deadlineMs: number },
): Promise<void> {
  const { consumers } = server.manager;
  const { name, subject } = names.consumerOf(place);
  const config = { ack_wait: deadlineMs * NS_PER_MS };
  await server.ask('open the queue of', async () => {
    try {
      await consumers.add(names.stream, {
        ...config,
        durable_name: name,
        filter_subject: subject,
        ack_policy: AckPolicy.Explicit,
        deliver_policy: DeliverPolicy.All,
        // How often is too often is said by the log, which knows what came of each delivery.
        max_deliver: -1,
        max_ack_pending: -1,
      });
    } catch (error) {
      if (!(error instanceof JetStreamApiError) || !CONSUMER_EXISTS.includes(error.code)) throw error;
      const before = await consumers.info(names.stream, name);
      const { ack_wait = 0 } = before.config;
      const isShorter = config.ack_wait < ack_wait;
      if (ack_wait === config.ack_wait || (isShorter && before.num_ack_pending > 0)) return;
      const { num_ack_pending: held } = await consumers.update(names.stream, name, config);
      // One that was taken meanwhile may be extended as often as it was said before.
      if (isShorter && held > 0) await consumers.update(names.stream, name, { ack_wait });
    }
  });
}
