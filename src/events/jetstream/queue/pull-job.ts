import type { ConsumerInfo } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import type { LogServer } from '../log-server.ts';

/** A message that was handed out, until it is acknowledged or nobody has extended it for as long as its consumer waits. */
export type Delivery = {
  readonly subject: string;
  readonly seq: number;
  /** It was not handed out before. */
  readonly isFirst: boolean;
  /** When it was asked for, in ms of the clock: the server waits from then on, or from a little later. */
  readonly askedAt: number;
  /** Answers the server about it, and waits until the server has heard. */
  readonly say: (word: string) => Promise<void>;
  /** Has it handed out again, at once or after a while in ms. */
  readonly giveBack: (afterMs: number) => Promise<void>;
};

const NS_PER_MS = 1_000_000;

/** How long the server may take for one answer, in ms. */
const REQUEST_MS = 2_500;
/** The status of an answer without a message. */
const STATUS_HEADER = 400;

/** What a consumer has at this moment; `undefined`: nothing. */
export async function pullJob(
  server: LogServer,
  { stream_name: stream, name }: Pick<ConsumerInfo, 'stream_name' | 'name'>,
): Promise<Delivery | undefined> {
  const subject = `${server.api}.CONSUMER.MSG.NEXT.${stream}.${name}`;
  const askedAt = Date.now();
  // An answer that comes too late is a delivery nobody has: it is handed out again after the consumer's wait.
  const message = await server.ask('take a sprint from the queue of', () =>
    server.connection.request(subject, JSON.stringify({ batch: 1, no_wait: true }), {
      timeout: REQUEST_MS,
      // The message comes with a subject of its own, by which the client would not know whose answer it is.
      noMux: true,
    }),
  );
  const { reply } = message;
  if ((message.headers?.code ?? 0) >= STATUS_HEADER || reply === undefined || reply === '') return undefined;
  const say = async (word: string) => {
    await server.ask('answer the queue of', async () => {
      try {
        await server.connection.request(reply, word, { timeout: REQUEST_MS });
      } catch (error) {
        // Its consumer is gone, and the delivery with it.
        if (!(error instanceof errors.RequestError && error.isNoResponders())) throw error;
      }
    });
  };
  return {
    subject: message.subject,
    ...countsIn(reply),
    askedAt,
    say,
    giveBack: (afterMs) =>
      say(afterMs > 0 ? `-NAK ${JSON.stringify({ delay: afterMs * NS_PER_MS })}` : '-NAK'),
  };
}

/** `$JS.ACK.<stream>.<consumer>.<delivered>.<seq>.…`, or with domain and account before the stream. */
function countsIn(reply: string): Pick<Delivery, 'seq' | 'isFirst'> {
  const words = reply.split('.');
  const [times, seq] = words.slice(words.length > 9 ? 6 : 4);
  return { seq: Number(seq), isFirst: Number(times) === 1 };
}
