/** Where a client's server runs, and whom it tells about problems. */
export type SessionPlace = {
  /** Absolute. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Tells the person who runs the server; agents do not see it. */
  readonly report: (problem: unknown) => void;
};

/**
 * What Clifford remembers of one client while it is connected. Lost with the process: everything that
 * has to last is in the log.
 */
export type Session = SessionPlace & {
  /** The sprint it last named in a call. */
  lastStream: string | undefined;
  /** The task of the attempt it belongs to, once that was seen. */
  ownTask: { readonly stream: string; readonly taskId: string } | undefined;
  /** Why it is being ended. */
  endedBecause: string | undefined;
};

export function createSession(place: SessionPlace): Session {
  return { ...place, lastStream: undefined, ownTask: undefined, endedBecause: undefined };
}
