import type { EventLog } from '../../src/events/log/event-log.ts';
import type { EventType } from '../../src/events/catalog.ts';
import type { StoredEvent } from '../../src/events/envelope.ts';
import { fact } from './facts.ts';

/** Events of one subject as they stand in a log, a second apart. `data` overrides samples. */
export function eventLog(
  subject: string,
  ...events: readonly [type: EventType, data?: object][]
): StoredEvent[] {
  return events.map(
    ([type, data = {}], at) =>
      ({
        specversion: '1.0',
        id: `01900000-0000-7000-8000-${String(at).padStart(12, '0')}`,
        source: '/clifford/runner',
        time: new Date(Date.UTC(2026, 0, 31, 12, 0, at)).toISOString(),
        streamversion: at + 1,
        prevhash: '',
        schemaversion: 1,
        subject,
        ...fact(type, data),
      }) as StoredEvent,
  );
}

/** A log that has these events, of one stream, to select from: at first, and as they become more. */
export function logOf(events: readonly StoredEvent[]): Pick<EventLog, 'select'> {
  return {
    select: async function* ({ after }) {
      const from = Number(after?.token ?? 0);
      const token = String(events.length);
      yield await Promise.resolve({ events: events.slice(from), bookmark: () => ({ token, heads: {} }) });
    },
  };
}
