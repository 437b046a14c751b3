import type { ConsumerInfo } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import type { LogServer } from '../log-server.ts';

/** A message that was handed out, until it is acknowledged or nobody has extended it for as long as its consumer waits. */
export type Delivery = {
  readonly subject: string;
  readonly seq: number;
  /** Answers the server about it, and waits until the server has heard. */
  readonly say: (word: string) => Promise<void>;
};

/** How long the server may take for one answer, in ms. */
const REQUEST_MS = 2_500;
/** The status of an answer without a message. */
const STATUS_HEADER = 400;

/** What a consumer has at this moment; `undefined`: nothing. */
export async function pullJob(
  server: LogServer,
  { stream_name: stream, name }: Pick<ConsumerInfo, 'stream_name' | 'name'>,
): Promise<Delivery | undefined> {
  const subject = `$JS.API.CONSUMER.MSG.NEXT.${stream}.${name}`;
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
  return {
    subject: message.subject,
    seq: sequenceIn(reply),
    say: async (word) => {
      await server.ask('answer the queue of', async () => {
        try {
          await server.connection.request(reply, word, { timeout: REQUEST_MS });
        } catch (error) {
          // Its consumer is gone, and the delivery with it.
          if (!(error instanceof errors.RequestError && error.isNoResponders())) throw error;
        }
      });
    },
  };
}

/** `$JS.ACK.<stream>.<consumer>.<delivered>.<seq>.…`, or with domain and account before the stream. */
function sequenceIn(reply: string): number {
  const words = reply.split('.');
  return Number(words[words.length > 9 ? 7 : 5]);
}
