/**
 * What the log of a project is called on a server. A project and a stream of events (a sprint's id, `adhoc`) are legal
 * tokens of a subject as they are: letters, digits, `_` and `-`.
 */
export type LogNames = {
  /** The JetStream stream that has the log. */
  readonly stream: string;
  /** Every subject of the log. */
  readonly all: string;
  /** The subject of one stream of events. */
  readonly subjectOf: (stream: string) => string;
  /** Before the requests of JetStream, where the account of who appends has them from that of the log. */
  readonly useApi: string;
  /** The same where an account only looks. */
  readonly lookApi: string;
  /** The stream of events that a subject is for. */
  readonly streamOf: (subject: string) => string;
};

/** The names of a project. */
export function logNames(project: string): LogNames {
  const prefix = `clifford.ev.${project}.`;
  return {
    stream: `clifford-events-${project}`,
    all: `${prefix}>`,
    useApi: `clifford.use.${project}`,
    lookApi: `clifford.api.${project}`,
    subjectOf: (stream) => prefix + stream,
    streamOf: (subject) => subject.slice(prefix.length),
  };
}
