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
