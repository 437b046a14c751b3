/** An agent as it appears in the log. */
export type Agent = {
  /** Its run id when a runner started it, else the id of its session: unique per process. */
  readonly id: string;
  /** Set when a runner started it: its events are legal only while that attempt is the current one. */
  readonly runId?: string | undefined;
  /** Name of its MCP client, or of the program. */
  readonly client?: string | undefined;
};

/** How an agent is named as the author of a decision. */
export function nameOfAgent({ client, id }: Agent): string {
  return client ?? id;
}
