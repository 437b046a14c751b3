import { expect, it } from 'vitest';
import type { StoredEvent } from '../../../src/events/envelope.ts';
import { LogFold } from '../../../src/workflow/project/log-fold.ts';
import { History, on } from '../../helpers/history.ts';

/** What one stream has, as a log brings it. */
const eventsIn = (stream: string) => new History(on(stream, 'sprint.created')).events;

/** As reading brings these, in which every stream has one event. */
function readUpTo(...streams: readonly string[]) {
  const events: StoredEvent[] = streams.flatMap(eventsIn);
  const heads = Object.fromEntries(streams.map((stream) => [stream, { version: 1, hash: '' }]));
  return { events, checkpoint: () => ({ token: '', events: streams.length, heads }) };
}

it('reading has caught up once it has come to what is ahead in every stream', () => {
  const fold = new LogFold();
  for (const stream of ['a', 'b']) fold.goAhead(stream, eventsIn(stream));
  expect(fold.hasCaughtUp).toBe(false);
  expect(fold.take(readUpTo('a'))).toEqual([]);
  expect(fold.hasCaughtUp).toBe(false);
  fold.take(readUpTo('a', 'b'));
  expect(fold.hasCaughtUp).toBe(true);
});
