/**
 * What Clifford remembers of one client while it is connected. Lost with the process: everything that
 * has to last is in the log.
 */
export type Session = {
  /** Absolute. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The sprint it last named in a call. */
  lastStream: string | undefined;
  /** The task of the attempt it belongs to, once that was seen. */
  ownTask: { readonly stream: string; readonly taskId: string } | undefined;
  /** Why it is being ended. */
  endedBecause: string | undefined;
  /** Tells the person who runs the server; agents do not see it. */
  readonly report: (problem: unknown) => void;
};
