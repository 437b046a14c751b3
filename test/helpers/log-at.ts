import { openJetStreamLog } from '../../src/events/jetstream/jetstream-log.ts';
import { openJsonlLog } from '../../src/events/jsonl/jsonl-log.ts';
import type { EventLog } from '../../src/events/log/event-log.ts';
import { parseLogUrl } from '../../src/workflow/log/log-url.ts';

/** Opens the log in a file, or at the URL of one on a server. Many may write there. */
export function openLogAt(place: string): Promise<EventLog> {
  return place.startsWith('nats:')
    ? openJetStreamLog(parseLogUrl(place))
    : openJsonlLog(place, { lockWaitMs: 60_000 });
}
