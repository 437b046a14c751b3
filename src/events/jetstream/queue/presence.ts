import { randomUUID } from 'node:crypto';
import { asLogError, isPassing, troubleOf } from '../jetstream-errors.ts';
import type { LogServer } from '../log-server.ts';
import type { QueueNames } from './queue-names.ts';

/** How long workers have to answer, in ms. */
const ANSWER_MS = 1_000;

/** The server's own answer where no worker listens. */
const NOBODY_LISTENS = 503;

/** No label has it in it. */
const BETWEEN = ',';

/**
 * Has a worker answer whoever asks who is there, with its labels. It answers where such answers come to, and nowhere else: what it
 * publishes at a request of the server would be its own request.
 *
 * @returns what ends that.
 */
export function answerAsWorker(
  { connection }: LogServer,
  { presence, answerTo }: QueueNames,
  labels: readonly string[],
): () => void {
  const subscription = connection.subscribe(presence, {
    // Who may not listen there is not asked either: accounts of before have neither right.
    callback: (error, message) => {
      if (!error && message.reply?.startsWith(answerTo(''))) message.respond(labels.join(BETWEEN));
    },
  });
  return () => subscription.unsubscribe();
}

/**
 * Asks the workers that are there for their labels, until they are enough.
 *
 * @param isEnough - Is told the labels of one after the other.
 * @returns whether they were; `undefined`: this account may not ask.
 */
export async function askWorkers(
  { connection, name }: LogServer,
  { presence, answerTo }: QueueNames,
  isEnough: (labels: readonly string[]) => boolean,
): Promise<boolean | undefined> {
  const reply = answerTo(randomUUID());
  const { promise: answered, resolve, reject } = Promise.withResolvers<boolean>();
  const answers = connection.subscribe(reply, {
    callback: (error, message) => {
      if (error) reject(error);
      else if (message.headers?.code === NOBODY_LISTENS) resolve(false);
      else if (isEnough(message.string().split(BETWEEN))) resolve(true);
    },
  });
  const timer = setTimeout(resolve, ANSWER_MS, false);
  try {
    // It ends with the first answer, or with why there is none.
    connection.request(presence, '', { timeout: ANSWER_MS, noMux: true, reply }).catch(reject);
    return await answered;
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble === 'forbidden') return undefined;
    if (isPassing(trouble)) return false;
    throw asLogError(name, 'ask the workers of', error);
  } finally {
    clearTimeout(timer);
    answers.unsubscribe();
  }
}
