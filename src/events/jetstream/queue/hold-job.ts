import type { ConsumerInfo } from '@nats-io/jetstream';
import type { HeldJob, Job } from '../../queue/job-queue.ts';
import type { LogServer } from '../log-server.ts';
import { pullJob, type Delivery } from './pull-job.ts';

/** What one worker has passed by for another is handed out after this part of the deadline: by then it is asked for again. */
const LEFT_SHARE = 2;

/** A job as it was handed out. */
export type HandedOut = {
  readonly job: Job;
  readonly delivery: Delivery;
  readonly consumer: Pick<ConsumerInfo, 'stream_name' | 'name'>;
  /** How long the consumer waits to hear of the worker, in ms. */
  readonly deadlineMs: number;
  /** Whether the message that was handed out still stands for the job. */
  readonly isInQueue: () => Promise<boolean>;
};

/**
 * A job that this worker has been handed.
 *
 * Once nothing was heard of its worker for as long as the consumer waits, the server has it for whoever asks next, and to say afterwards
 * that the worker lives does not change that: the worker has to ask for it again.
 */
export function holdJob(
  server: LogServer,
  { job, delivery, consumer, deadlineMs, isInQueue }: HandedOut,
): HeldJob {
  let newest = delivery;
  let heardAt = delivery.askedAt;
  return {
    ...job,
    deadlineMs,
    extend: async () => {
      // By the clock, which goes on while the machine sleeps.
      const saidAt = Date.now();
      await newest.say('+WPI');
      if (Date.now() - heardAt >= deadlineMs / LEFT_SHARE) newest = (await takeAgain()) ?? newest;
      heardAt = saidAt;
      return (await isInQueue()) ? 'held' : 'gone';
    },
    finish: () => newest.say('+ACK'),
    giveBack: (afterMs = 0) => newest.giveBack(afterMs),
  };

  /** `undefined`: nobody was to have it yet, or another worker has been handed it. */
  async function takeAgain(): Promise<Delivery | undefined> {
    for (;;) {
      const next = await pullJob(server, consumer);
      if (!next || next.seq === delivery.seq) return next;
      if (next.isFirst) {
        // What is handed out again comes before that: this job is not among it.
        await next.giveBack(0);
        return undefined;
      }
      await leaveToHolder(next, deadlineMs);
    }
  }
}

/** Gives back what another worker had of which nothing was heard. If it says before it is handed out again that it lives, it keeps it. */
export function leaveToHolder(delivery: Delivery, deadlineMs: number): Promise<void> {
  return delivery.giveBack(deadlineMs / LEFT_SHARE);
}
