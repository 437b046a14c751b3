/** How a command ends. Stable: scripts rely on them, docs/cli.md lists them. */
export const exitCodes = {
  done: 0,
  /** It failed for a known reason. */
  failed: 1,
  /** What was typed, or a file it names, has to be corrected first. */
  input: 2,
  /** Only a human can go on, and there was no time to wait: `run --no-wait`, `ask --wait`. */
  blocked: 3,
  /** A usage limit has to end first, and there was no time to wait: `run --no-wait`. */
  limited: 4,
  /** A budget is used up. */
  overspent: 5,
  /** Not foreseen: a bug in Clifford. */
  bug: 70,
  /** Ctrl-C, or SIGTERM. */
  interrupted: 130,
} as const;

/** One of {@link exitCodes}. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
