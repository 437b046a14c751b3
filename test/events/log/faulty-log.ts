import { setTimeout as pause } from 'node:timers/promises';
import { CliffordError } from '../../../src/errors.ts';
import type { EventBatch, EventLog } from '../../../src/events/log/event-log.ts';
import { OutcomeUnknownError } from '../../../src/events/log/outcome-unknown.ts';

/** What goes wrong, and how often: the part of the appends, reads or batches that it happens to, 0 to 1. */
export type Faults = {
  /** An append is refused; nothing is written. */
  readonly refused: number;
  /** An append fails and the handle takes nothing more; nothing is written, or all of it. */
  readonly failedBefore: number;
  readonly failedAfter: number;
  /** An append is given up; it is written a little later. */
  readonly timedOut: number;
  /** An append or a read takes some ms. */
  readonly slow: number;
  /** A batch is brought twice. */
  readonly duplicated: number;
  /** A read ends before the end of the log. */
  readonly stale: number;
  /** A read or a follower fails, before or after some batches. */
  readonly unreadable: number;
};

/** Every fault now and then. */
export const everyFault: Faults = {
  refused: 0.02,
  failedBefore: 0.02,
  failedAfter: 0.03,
  timedOut: 0.03,
  slow: 0.1,
  duplicated: 0.1,
  stale: 0.1,
  unreadable: 0.01,
};

/** What the one who appends is not to notice, where what makes an append known again is on top. Half of all appends fail so. */
export const failingAppends: Faults = {
  ...everyFault,
  refused: 0,
  failedBefore: 0.1,
  failedAfter: 0.2,
  timedOut: 0.2,
  duplicated: 0,
  stale: 0,
  unreadable: 0,
};

/** What is known of all handles that are wrapped. */
export type FaultTally = {
  /** The ids of events that an append has returned. */
  readonly acknowledged: Set<string>;
  readonly hits: Record<keyof Faults, number>;
};

/** Nothing happened yet. */
export function newTally(): FaultTally {
  const none = { refused: 0, failedBefore: 0, failedAfter: 0, timedOut: 0 };
  return {
    acknowledged: new Set(),
    hits: { ...none, slow: 0, duplicated: 0, stale: 0, unreadable: 0 },
  };
}

const LONGEST_DELAY_MS = 4;

/** A handle of a log to which faults happen, at random. What is written keeps to the contract. */
export function faultyLog(
  inner: EventLog,
  { faults, random, tally = newTally() }: { faults: Faults; random: () => number; tally?: FaultTally },
): EventLog {
  const underWay = new Set<Promise<unknown>>();
  let poison: CliffordError | undefined;
  let isClosed = false;
  const hits = (fault: keyof Faults): boolean => {
    const isHit = random() < faults[fault];
    if (isHit) tally.hits[fault] += 1;
    return isHit;
  };
  const delay = () => pause(random() * LONGEST_DELAY_MS);

  async function* troubled(batches: AsyncIterable<EventBatch>, isRead: boolean): AsyncGenerator<EventBatch> {
    if (hits('slow')) await delay();
    if (isRead && hits('stale')) return;
    if (hits('unreadable')) throw unreachable();
    for await (const batch of batches) {
      yield batch;
      if (hits('duplicated')) yield batch;
      if (isRead && hits('stale')) return;
      if (hits('unreadable')) throw unreachable();
    }
  }

  const append: EventLog['append'] = async (stream, events, options) => {
    if (poison) throw poison;
    if (hits('slow')) await delay();
    if (hits('refused')) throw refused(stream);
    if (hits('failedBefore')) throw (poison = unknown(stream, 'reopen'));
    if (hits('timedOut')) {
      // Whoever repeats it may be first: an engine tells by the ids that it has the events.
      const landing = delay().then(() => inner.append(stream, events, { ...options, isRetry: true }));
      underWay.add(landing.catch(() => undefined));
      throw unknown(stream, 'retry');
    }
    const stored = await inner.append(stream, events, options);
    if (hits('failedAfter')) throw (poison = unknown(stream, 'reopen'));
    for (const { id } of stored) tally.acknowledged.add(id);
    return stored;
  };

  return {
    ...inner,
    append(...args) {
      if (isClosed) return inner.append(...args);
      const appending = append(...args);
      underWay.add(appending.catch(() => undefined));
      return appending;
    },
    read: (options) => troubled(inner.read(options), true),
    follow: (options) => troubled(inner.follow(options), false),
    async close() {
      isClosed = true;
      // One that is given up meanwhile is still to land.
      for (let size = 0; size < underWay.size;) {
        size = underWay.size;
        await Promise.all(underWay);
      }
      await inner.close();
    },
  };
}

function refused(stream: string): CliffordError {
  return new CliffordError(`Cannot append to stream ${stream}: the log takes nothing for now`, {
    code: 'LOG_BUSY',
    fix: 'Try again',
    recovery: 'retry',
  });
}

function unknown(stream: string, recovery: 'retry' | 'reopen'): CliffordError {
  return new OutcomeUnknownError(`Cannot append to stream ${stream}: nobody knows what became of it`, {
    code: 'LOG_POISONED',
    fix: 'Append the same events again',
    recovery,
  });
}

function unreachable(): CliffordError {
  return new CliffordError('Cannot read the log: it does not answer', {
    code: 'LOG_INACCESSIBLE',
    fix: 'Try again',
    recovery: 'retry',
  });
}
