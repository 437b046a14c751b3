/** What of an agent's own tool calls a human is asked about where no rule decides. */
export const askLevels = ['everything', 'what-matters', 'nothing'] as const;
/** One of {@link askLevels}. */
export type AskLevel = (typeof askLevels)[number];

/** What one command of a shell has to be: exactly one of these. */
export type CommandCondition =
  /** These words, with whatever words behind them. */
  | { readonly startsWith: string }
  | { readonly glob: string }
  | { readonly regex: string }
  | { readonly equals: string };

/** What a path has to be: exactly one of these. */
export type PathCondition = { readonly below: string } | { readonly glob: string };

/** One rule on what agents do with their own tools. What it does not name, it does not ask for. */
export type AgentRule = {
  readonly agent?: string;
  /** `execute`, `edit`, `delete`, `move`, `read`, `search`, `fetch`, `think`, `switch_mode`, `other`. */
  readonly kind?: string;
  readonly command?: CommandCondition;
  readonly path?: PathCondition;
  readonly host?: string;
  readonly sprint?: string;
  readonly task?: string;
  readonly decision: 'allow' | 'deny' | 'confirm';
  /** For the agent, or the human who is asked. */
  readonly reason?: string;
};

/** What becomes of an attempt whose agent did something without asking. */
export const unaskedEnds = ['record', 'stop'] as const;

/** What agents may do with their own tools: shell commands, edits, …. */
export type AgentPolicy = {
  readonly ask: AskLevel;
  readonly rules: readonly AgentRule[];
  /** Where nothing is said: `stop` for what is denied, `record` for what a human is asked about. */
  readonly unasked?: (typeof unaskedEnds)[number];
};

/** What holds where nobody said anything. */
export const DEFAULT_AGENT_POLICY: AgentPolicy = { ask: 'what-matters', rules: [] };
