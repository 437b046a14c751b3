import { ConflictError, type EventLog } from '../../src/events/log/event-log.ts';
import { sampleEvent } from './sample-events.ts';

/** Appends an event of the stream `s` on its newest version, again where another writer was first. */
export async function decide(log: EventLog, n: number): Promise<void> {
  for (;;) {
    try {
      await log.append('s', [sampleEvent('s', n)], { expectedVersion: await log.head('s') });
      return;
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
    }
  }
}
