import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type ConsumerInfo,
  type StreamConfig,
} from '@nats-io/jetstream';
import { troubleOf } from '../jetstream-errors.ts';
import type { LogServer } from '../log-server.ts';
import { assertFit } from '../stream-fit.ts';
import type { JobPlace, QueueNames } from './queue-names.ts';

const NS_PER_MS = 1_000_000;
/** A lane, and what its jobs need: they have a consumer. */
type LaneOf = Pick<JobPlace, 'lane' | 'needs'>;

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
  max_msgs: -1,
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
      num_replicas: replicas,
    });
    return made.config;
  }
}

/**
 * Makes the consumer that hands out the jobs of a lane with such needs, where it is not there. `deadlineMs`: for how long a job that nobody
 * extends is held.
 */
export async function makeConsumer(
  server: LogServer,
  names: QueueNames,
  { place, deadlineMs }: { readonly place: LaneOf; readonly deadlineMs: number },
): Promise<void> {
  const { name, subject } = names.consumerOf(place);
  await server.ask('open the queue of', async () => {
    try {
      await server.manager.consumers.add(names.stream, {
        ack_wait: deadlineMs * NS_PER_MS,
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
    }
  });
}

/** How long a consumer waits to hear of a worker, in ms. */
export function waitOf({ config }: Pick<ConsumerInfo, 'config'>): number {
  return (config.ack_wait ?? 0) / NS_PER_MS;
}

/**
 * Has a consumer wait as long as the longest of the deadlines that its jobs have, in ms; `undefined`: one whose message says none, for which
 * it is made no shorter. Nor is it while a job is held: its worker extends it as often as it was said when it was taken. To be called by
 * whoever has just added a job with `deadlineMs`.
 *
 * What is in the queue is looked at again after each change: of two that change it at once the later one sees the job of the other.
 */
export async function fitWait(
  server: LogServer,
  names: QueueNames,
  {
    place,
    deadlineMs,
    deadlines,
  }: {
    readonly place: LaneOf;
    readonly deadlineMs: number;
    readonly deadlines: () => Promise<readonly (number | undefined)[]>;
  },
): Promise<void> {
  const { consumers } = server.manager;
  const { name } = names.consumerOf(place);
  const look = () => server.ask('read the queue of', () => consumers.info(names.stream, name));
  let before = await look();
  if (waitOf(before) === deadlineMs) return;
  for (let least = 0; ; before = await look()) {
    const wait = waitOf(before);
    const asked = (await deadlines()).map((each) => each ?? wait);
    const longest = Math.max(least, before.num_ack_pending > 0 ? wait : 0, ...asked);
    // Without any job there is nothing to wait for.
    if (longest === wait || longest === 0) return;
    const { num_ack_pending: held } = await server.ask('open the queue of', () =>
      consumers.update(names.stream, name, { ack_wait: longest * NS_PER_MS }),
    );
    // One that was taken meanwhile may be extended as often as it was said before.
    if (held > 0) least = Math.max(least, wait);
  }
}
