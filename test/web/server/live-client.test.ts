import { expect, it } from 'vitest';
import { LiveClient } from '../../../src/web/server/live/live-client.ts';
import type { LiveStream } from '../../../src/web/server/live/live-stream.ts';
import { placeOf } from '../../../src/web/server/live/ready-event.ts';
import type { Caller } from '../../../src/web/server/callers/caller.ts';

const event = (version: number) => ({ sprint: 'demo', version, json: String(version) });

it('puts the past in front of what came while it was read, each event once', () => {
  const sent: unknown[][] = [];
  const stream = { behindSince: undefined, send: (...message: unknown[]) => sent.push(message) };
  const client = new LiveClient({
    stream: stream as unknown as LiveStream,
    caller: {} as Caller,
    follows: { sprint: 'demo' },
  });
  client.isCatchingUp = true;
  client.add([event(3), event(4)]);
  client.flush();
  expect(sent).toEqual([]);
  client.caughtUp([event(1), event(2), event(3)]);
  client.flush();
  client.flush();
  expect(sent).toEqual([['events', '[1,2,3,4]', placeOf(event(4))]]);
});
