import type { StreamConfig } from '@nats-io/jetstream';
import { CliffordError } from '../../errors.ts';

/** A stream of the server, and what it has to be. */
export type FittingStream = {
  /** Of the log, or the queue, in messages. */
  readonly name: string;
  readonly stream: string;
  /** Its one subject. */
  readonly subject: string;
  readonly needed: Partial<StreamConfig>;
  /** What it does not do where it is something else, e.g. `keep every event`. */
  readonly duty: string;
};

/** What no stream may do, and the values that mean that it does not. Older servers say nothing of what they do not know. */
const NOT_DONE: Readonly<Partial<Record<keyof StreamConfig, readonly unknown[]>>> = {
  // Whoever publishes says when a message goes.
  allow_msg_ttl: [undefined, false],
  // A message is acknowledged before it is written.
  persist_mode: [undefined, 'default'],
  // A message comes to lie elsewhere than where it is looked for.
  subject_transform: [undefined],
  // What it sends on is published in its own account, where it may be the request to remove the log.
  republish: [undefined],
};

/**
 * Makes sure that a stream is what it has to be. A server leaves out what it does not know, without a word: what it answers counts.
 *
 * @throws {CliffordError} `LOG_STREAM_UNFIT`.
 */
export function assertFit(
  { name, stream, subject, needed, duty }: FittingStream,
  config: StreamConfig,
): void {
  const unfit = (reason: string) =>
    new CliffordError(`Cannot use ${name}: the stream ${stream} does not ${duty}: ${reason}`, {
      code: 'LOG_STREAM_UNFIT',
      fix: 'Correct the configuration of the stream, or use another project',
    });
  for (const [key, value] of Object.entries(needed)) {
    const actual: unknown = config[key as keyof StreamConfig];
    if (actual !== value)
      throw unfit(`its ${key} is ${JSON.stringify(actual)}, not ${JSON.stringify(value)}`);
  }
  for (const [key, values] of Object.entries(NOT_DONE)) {
    const actual: unknown = config[key as keyof StreamConfig];
    if (!values.includes(actual)) throw unfit(`its ${key} is ${JSON.stringify(actual)}`);
  }
  if (config.subjects.length !== 1 || config.subjects[0] !== subject)
    throw unfit(`its subjects are ${config.subjects.join(', ')}, not ${subject}`);
}
