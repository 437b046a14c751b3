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

/** What a process that speaks for an agent knows beside the log. Lost with the process. */
export type AgentContext = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Tells the person who runs that process; agents do not see it. */
  readonly report: (problem: unknown) => void;
  /** The sprint the agent last named. */
  lastStream: string | undefined;
  /** The task of the attempt it belongs to, once that was seen. */
  ownTask: { readonly stream: string; readonly taskId: string } | undefined;
};
