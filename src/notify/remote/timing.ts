/** How fast calls follow each other, in ms. */
export type Timing = {
  /** So long what comes together is gathered: a burst is one message. */
  readonly gatherMs: number;
  /** Between two messages of a channel: a chat takes about twenty a minute. */
  readonly pauseMs: number;
  /** After a message that was not taken, twice as long each time. */
  readonly firstRetryMs: number;
  /** Between two tries to record what the log has not taken. */
  readonly recordMs: number;
  /** Between two tries of whoever waits for its turn: the kernel tells nobody. */
  readonly turnMs: number;
};

/** As it is but in tests. */
export const usualTiming: Timing = {
  gatherMs: 1_000,
  pauseMs: 3_000,
  firstRetryMs: 2_000,
  recordMs: 5_000,
  turnMs: 500,
};
