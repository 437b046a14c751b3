import { JetStreamApiError } from '@nats-io/jetstream';
import { troubleOf } from './jetstream-errors.ts';
import type { LogServer } from './log-server.ts';

/** No stream, no consumer and no project is called so: the server refuses what is for it, if it gets as far as to look. */
export const NOWHERE = 'clifford-nowhere';
/** The error of an append that expects another stream. */
const STREAM_MISMATCH = 10060;

/** Sends a message that expects to come to a stream which is not there. @throws when one may not publish it. */
export async function publishInVain({ jetstream }: LogServer, subject: string): Promise<void> {
  try {
    await jetstream.publish(subject, '', {
      expect: { streamName: NOWHERE, lastSubjectSequence: Number.MAX_SAFE_INTEGER },
    });
  } catch (error) {
    // Nothing may be there yet that could refuse it.
    if (troubleOf(error) !== 'unavailable' && !isMismatch(error)) throw error;
  }
}

/** Asks for a stream to be made that has another name in the request than before it. @throws when one may not ask. */
export async function makeInVain({ connection, api }: LogServer, stream: string): Promise<void> {
  const body = JSON.stringify({ name: NOWHERE, subjects: [NOWHERE] });
  await connection.request(`${api}.STREAM.CREATE.${stream}`, body);
}

/** Asks what nobody answers, since it is for what is not there. @throws when one may not ask. */
export async function askInVain({ connection }: LogServer, subject: string): Promise<void> {
  try {
    await connection.request(subject);
  } catch (error) {
    if (troubleOf(error) !== 'unavailable') throw error;
  }
}

/** Listens for a moment. @throws when one may not. */
export async function listenInVain({ connection }: LogServer, subject: string): Promise<void> {
  const { promise: refused, reject } = Promise.withResolvers<never>();
  const subscription = connection.subscribe(subject, {
    callback: (error) => {
      if (error) reject(error);
    },
  });
  try {
    // What the server says of it comes before its answer to this.
    await Promise.race([connection.flush(), refused]);
  } finally {
    subscription.unsubscribe();
  }
}

function isMismatch(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === STREAM_MISMATCH;
}
