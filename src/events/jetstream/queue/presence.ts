import { errors } from '@nats-io/transport-node';
import { asLogError } from '../jetstream-errors.ts';
import type { LogServer } from '../log-server.ts';

/** How long workers have to answer, in ms. */
const ANSWER_MS = 1_000;

/** No label has it in it. */
const BETWEEN = ',';

/** Has a worker answer whoever asks who is there, with its labels. @returns what ends that. */
export function answerAsWorker(server: LogServer, subject: string, labels: readonly string[]): () => void {
  const subscription = server.connection.subscribe(subject, {
    // Who may not listen there is not asked either: accounts of before have neither right.
    callback: (error, message) => void (error ?? message.respond(labels.join(BETWEEN))),
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
  server: LogServer,
  subject: string,
  isEnough: (labels: readonly string[]) => boolean,
): Promise<boolean | undefined> {
  try {
    const answers = await server.connection.requestMany(subject, '', { maxWait: ANSWER_MS, noMux: true });
    for await (const answer of answers) {
      if (isEnough(answer.string().split(BETWEEN))) return true;
    }
    return false;
  } catch (error) {
    if (error instanceof errors.NoRespondersError) return false;
    if (error instanceof errors.PermissionViolationError) return undefined;
    throw asLogError(server.name, 'ask the workers of', error);
  }
}
