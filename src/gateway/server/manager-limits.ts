/** What the gateway puts up with. Times in ms. */
export type ManagerLimits = {
  /** Largest message of a server, in bytes. A larger one ends its connection. */
  readonly maxMessageBytes: number;
  /** Before the second attempt to reach a server; doubled each time … */
  readonly firstDelayMs: number;
  /** … up to this. */
  readonly longestDelayMs: number;
  /** So many attempts in a row that did not last make a server `failed`. */
  readonly attempts: number;
  /** A server that was ready for so long starts with a clean slate. */
  readonly healthyAfterMs: number;
  /** Within this a server has to answer a ping after a call that took too long. */
  readonly pingMs: number;
  /** So long a server that is asked for its revision of MCP may say nothing before it gets `initialize`, too. */
  readonly probeMs: number;
  /** Between the end of a server's stdin and SIGTERM, and again until SIGKILL. */
  readonly stopGraceMs: number;
};

/** Both graces are over well within a second: Clifford itself has no longer, its last words included, when its client leaves. */
export const MANAGER_LIMITS: ManagerLimits = {
  maxMessageBytes: 32 * 1024 * 1024,
  firstDelayMs: 500,
  longestDelayMs: 30_000,
  attempts: 5,
  healthyAfterMs: 30_000,
  pingMs: 10_000,
  probeMs: 2_000,
  stopGraceMs: 350,
};
