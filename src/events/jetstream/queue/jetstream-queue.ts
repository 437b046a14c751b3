import { JetStreamApiCodes, JetStreamApiError, type ConsumerInfo } from '@nats-io/jetstream';
import { randomUUID } from 'node:crypto';
import { lanes, sprintNotQueued, sprintQueued, type Job, type JobQueue } from '../../queue/job-queue.ts';
import type { LogAddress } from '../log-address.ts';
import { LogServer } from '../log-server.ts';
import { nextPublication } from '../next-change.ts';
import { holdJob, leaveToHolder } from './hold-job.ts';
import { jobText, parseJob, type Sent } from './job-text.ts';
import { fitWait, makeConsumer, makeJobsStream, waitOf } from './jobs-stream.ts';
import { answerAsWorker, askWorkers } from './presence.ts';
import { pullJob, type Delivery } from './pull-job.ts';
import { isSprintName, jobKey, queueNames, sprintOfKey, type JobPlace } from './queue-names.ts';

/** How to open a queue. */
export type JetStreamQueueOptions = LogAddress & {
  /** On how many servers of a cluster it is kept, where it is not there yet. */
  readonly replicas: number;
  /** How long a job that its worker does not extend is held, in ms. */
  readonly deadlineMs: number;
};

/** A job, and the message it is. */
type Stored = NonNullable<ReturnType<typeof parseJob>> & { readonly seq: number };

/** What became of a message: it is there; another one was sent first; its place has one already. */
type Published = 'there' | 'outrun' | 'no room';

/** Messages that are asked for at once. */
const AT_ONCE = 32;
const WRONG_LAST: readonly number[] = [
  JetStreamApiCodes.StreamWrongLastSequence,
  JetStreamApiCodes.StreamWrongLastSequenceUnknown,
];

/**
 * The queue of a project on a server with NATS JetStream: a work-queue stream beside that of the log. Connects, and makes what is
 * missing.
 *
 * @throws {CliffordError} as `openJetStreamLog` does.
 */
export async function openJetStreamQueue(options: JetStreamQueueOptions): Promise<JobQueue> {
  const { project, replicas, deadlineMs } = options;
  const server = await LogServer.connect(options);
  const names = queueNames(project);
  try {
    await server.ask('open the queue of', () => server.findApi());
    await makeJobsStream(server, names, replicas);
  } catch (error) {
    await server.close();
    throw error;
  }
  const { manager } = server;

  /** When the link to the server was there again, in ms of the clock. */
  let backAt = 0;
  server.onLink((change) => {
    if (change === 'back') backAt = Date.now();
  });

  const stored = async (filter: string): Promise<Stored[]> => (await look(filter)).found;

  /** Messages of the queue, in the order in which they were sent; and, from before they were read, the number of the last one ever sent. */
  async function look(filter: string): Promise<{ found: Stored[]; lastSeq: number }> {
    const info = await server.ask('read the queue of', () =>
      manager.streams.info(names.stream, { subjects_filter: filter }),
    );
    const subjects = Object.keys(info.state.subjects ?? {});
    const found: Stored[] = [];
    for (let at = 0; at < subjects.length; at += AT_ONCE)
      found.push(...(await Promise.all(subjects.slice(at, at + AT_ONCE).map(storedAt))).flat());
    return { found: found.toSorted((one, other) => one.seq - other.seq), lastSeq: info.state.last_seq };
  }

  async function storedAt(subject: string): Promise<Stored[]> {
    const place = names.placeOf(subject);
    const message =
      place &&
      isSprintName(sprintOfKey(place.key)) &&
      (await server.ask('read the queue of', () =>
        manager.streams.getMessage(names.stream, { last_by_subj: subject }),
      ));
    const parsed = place && message ? parseJob(place, message.string()) : undefined;
    return parsed && message ? [{ ...parsed, seq: message.seq }] : [];
  }

  const ofJob = async (job: Pick<Job, 'sprint' | 'task'>) =>
    isSprintName(job.sprint) ? stored(names.ofKey(jobKey(job))) : [];

  /** What a message stands for that was handed out, if it still does. */
  async function storedAs({ subject, seq }: Delivery): Promise<Stored | undefined> {
    const key = names.placeOf(subject)?.key;
    if (key === undefined || !isSprintName(sprintOfKey(key))) return undefined;
    const newest = (await stored(names.ofKey(key))).at(-1);
    return newest?.seq === seq ? newest : undefined;
  }

  /** @param after - The message that has to be the last one still. Default: any may be. */
  async function publish(job: Job, sent: Sent, after?: number): Promise<Published> {
    return server.ask('add to the queue of', async () => {
      try {
        await server.jetstream.publish(names.subjectOf({ ...job, key: jobKey(job) }), jobText(job, sent), {
          msgID: sent.id,
          ...(after !== undefined && { expect: { lastSequence: after } }),
        });
        return 'there';
      } catch (error) {
        const refused = error instanceof JetStreamApiError ? whyRefused(error) : undefined;
        if (refused) return refused;
        throw error;
      }
    });
  }

  async function remove({ seq }: Stored): Promise<void> {
    await server.ask('take out of the queue of', async () => {
      try {
        await manager.streams.deleteMessage(names.stream, seq);
      } catch (error) {
        // Somebody else has.
        if (!(error instanceof JetStreamApiError) || !error.message.includes('no message found')) throw error;
      }
    });
  }

  const infoOf = ({ name }: Pick<ConsumerInfo, 'name'>) =>
    server.ask('read the queue of', () => manager.consumers.info(names.stream, name));

  /** Sees to it that the consumer of a place waits long enough for a job that was sent there. */
  function fitTo(place: Job, ms: number): Promise<void> {
    const { subject } = names.consumerOf(place);
    const deadlines = async () => (await stored(subject)).map((each) => each.deadlineMs);
    return fitWait(server, names, { place, deadlineMs: ms, deadlines });
  }

  /** The consumers that may have a job for such a worker, those first that are to be asked first. */
  async function consumersFor(labels: readonly string[]): Promise<{ info: ConsumerInfo; place: JobPlace }[]> {
    const all = await server.ask('read the queue of', async () => {
      const infos: ConsumerInfo[] = [];
      for await (const info of manager.consumers.list(names.stream)) infos.push(info);
      return infos;
    });
    return all
      .flatMap((info) => {
        const place = names.placeOf(info.config.filter_subject ?? '');
        return place ? [{ info, place }] : [];
      })
      .filter(
        ({ info, place }) => info.num_pending + info.num_ack_pending > 0 && isWithin(place.needs, labels),
      )
      .toSorted((one, other) => rankOf(one.place) - rankOf(other.place));
  }

  return {
    name: server.name,

    async add(job) {
      await makeConsumer(server, names, { place: job, deadlineMs });
      const sent = { id: randomUUID(), deadlineMs };
      for (let became: Published | undefined; became !== 'there';) {
        const { found, lastSeq } = await look(names.ofKey(jobKey(job)));
        if (found.some(({ id }) => id === sent.id)) break;
        if (found.length > 0 || became === 'no room') throw sprintQueued(job.sprint);
        // Others may add it at the same time, to another place: it is looked again after whatever they sent.
        became = await publish(job, sent, lastSeq);
      }
      await fitTo(job, deadlineMs);
    },

    async list() {
      const all = await stored(names.all);
      return all
        .map(({ job }) => job)
        .toSorted((one, other) => lanes.indexOf(one.lane) - lanes.indexOf(other.lane));
    },

    async move(sprint, lane) {
      const before = await ofJob({ sprint });
      const newest = before.at(-1);
      if (!newest) throw sprintNotQueued(sprint);
      const job = { ...newest.job, lane };
      const ms = newest.deadlineMs ?? deadlineMs;
      await makeConsumer(server, names, { place: job, deadlineMs: ms });
      // Of two the newer one counts, so that the sprint is never out of the queue; but a place has room for one.
      const inTheWay = before.filter((each) => each.job.lane === lane);
      for (const each of inTheWay) await remove(each);
      if ((await publish(job, { id: randomUUID(), deadlineMs: ms })) !== 'there') throw sprintQueued(sprint);
      await fitTo(job, ms);
      for (const each of before) if (!inTheWay.includes(each)) await remove(each);
    },

    async cancel(sprint, task) {
      const all =
        task === undefined
          ? (await stored(names.all)).filter(({ job }) => job.sprint === sprint)
          : await ofJob({ sprint, task });
      if (all.length === 0) throw sprintNotQueued(sprint);
      for (const each of all) await remove(each);
    },

    async take(labels, isForOthers = () => false) {
      const passed: Delivery[] = [];
      try {
        for (const { info: consumer } of await consumersFor(labels)) {
          for (
            let delivery = await pullJob(server, consumer);
            delivery;
            delivery = await pullJob(server, consumer)
          ) {
            const found = await storedAs(delivery);
            // It was moved, or added twice: another message stands for the sprint. Or it is none of ours.
            if (!found) await delivery.say('+ACK');
            // Given back at once, it would be handed out before those that come after it.
            else if (isForOthers(found.job)) passed.push(delivery);
            else {
              const { seq, job } = found;
              // Asked only now: while what was handed out is held, the wait is made no shorter.
              const deadlineMs = waitOf(await infoOf(consumer));
              const isInQueue = async () => (await ofJob(job)).at(-1)?.seq === seq;
              if (delivery.isFirst || Date.now() - backAt >= deadlineMs / 2)
                return holdJob(server, { job, delivery, consumer, deadlineMs, isInQueue });
              // It is not known who could not be heard for as long as this worker could hear nobody.
              await leaveToHolder(delivery, deadlineMs);
            }
          }
        }
        return undefined;
      } finally {
        await Promise.all(passed.map((delivery) => delivery.giveBack(0)));
      }
    },

    attend: (labels) => answerAsWorker(server, names, labels),

    async withoutWorker(jobs) {
      let left = jobs;
      const answer = await askWorkers(server, names, (labels) => {
        left = left.filter(({ needs }) => !isWithin(needs, labels));
        return left.length === 0;
      });
      return answer === undefined ? undefined : left;
    },

    changed: ({ signal }) => nextPublication(server, names.all, signal),

    close: () => server.close(),
  };
}

function whyRefused({ code, message }: JetStreamApiError): Published | undefined {
  if (WRONG_LAST.includes(code)) return 'outrun';
  return message.includes('per subject') ? 'no room' : undefined;
}

function isWithin(needs: readonly string[], labels: readonly string[]): boolean {
  return needs.every((need) => labels.includes(need));
}

/** By lane, and in it what fewer workers can do first. */
function rankOf({ lane, needs }: Pick<JobPlace, 'lane' | 'needs'>): number {
  const MOST_NEEDS = 1_000;
  return lanes.indexOf(lane) * MOST_NEEDS - needs.length;
}
