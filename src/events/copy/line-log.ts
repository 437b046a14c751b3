import type { EventLog } from '../log/event-log.ts';

/** The lines of one append to one stream, in their order. */
export type LineAppend = {
  readonly stream: string;
  /** The version of the first of them. */
  readonly version: number;
  readonly lines: readonly string[];
};

/** A log as lines, whatever keeps it: what is copied from one to another. */
export type LineLog = Pick<EventLog, 'read' | 'close'> & {
  /** For people: a file, or where on a server. */
  readonly name: string;
  /** Every line, in the order of the log, as it stands there, in batches. What is wrong with one `read` says. */
  lines(): AsyncIterable<readonly string[]>;
  /**
   * Appends lines as they are, in this order, each append as a whole: to the last byte, also of their places in the chain. Durable when
   * it resolves.
   *
   * @throws {ConflictError} when a stream is not where they go on, or has come there by other lines. What stands before the append it is about may be written.
   * @throws {CliffordError} as `EventLog.append` does.
   */
  appendLines(appends: readonly LineAppend[]): Promise<void>;
};
