import { type AgentPolicy, DEFAULT_AGENT_POLICY } from './agent-policy.ts';

/** What the policy can say of a call: it runs, it is refused, a human is asked. */
export type PolicyWord = 'allow' | 'deny' | 'confirm';

/** A value as JSON has it. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** What one argument of a call has to be: exactly one of these. */
export type ArgCondition =
  | { readonly equals: JsonValue }
  /** A pattern with `*` and `?` that a string matches as a whole. */
  | { readonly glob: string }
  /** A regular expression that matches anywhere in a string. */
  | { readonly regex: string }
  /** A folder that a path stays below, once its `..` are resolved. */
  | { readonly below: string }
  /** A command, and what follows it word by word: `git log` covers `git log -p`, not `git logout`. */
  | { readonly startsWith: string };

/** Conditions on arguments, all of which hold. A key is a path of fields: `options.path`. */
export type ArgConditions = Readonly<Record<string, ArgCondition>>;

/** What a server says of its tool. Believed only of servers with `"trust": "full"`. */
export type AnnotationCondition = {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
};

/** An entry of `allowlist` or `denylist`. Patterns have `*` and `?`. */
export type ListedTool = {
  readonly server: string;
  readonly tool: string;
  readonly args?: ArgConditions;
};

/** An entry of `rules`. Whatever it does not name, it does not ask for. Patterns have `*` and `?`. */
export type PolicyRule = {
  readonly server?: string;
  readonly tool?: string;
  readonly args?: ArgConditions;
  readonly annotations?: AnnotationCondition;
  /** A pattern of the id of a sprint. */
  readonly sprint?: string;
  /** A pattern of the id of a task. */
  readonly task?: string;
  readonly decision: PolicyWord;
  /** For the agent, or the human who is asked. */
  readonly reason?: string;
};

/** The `policy` of `mcp.json`. */
export type PolicyConfig = {
  /** For calls that no rule matches. */
  readonly default: PolicyWord;
  readonly allowlist: readonly ListedTool[];
  readonly denylist: readonly ListedTool[];
  readonly rules: readonly PolicyRule[];
  /** For what agents do with their own tools. */
  readonly agents: AgentPolicy;
  /** How long a human has before a call is denied, in ms. */
  readonly approvalTimeoutMs: number;
};

/** A policy that cannot be read, and why, in one line. Every call is refused. */
export type UnreadablePolicy = { readonly unreadable: string };

/** How long a human has unless `approvalTimeout` says otherwise, in ms. */
export const DEFAULT_APPROVAL_TIMEOUT_MS = 3_600_000;

/** What holds where `mcp.json` says nothing: a human is asked about every call. */
export const DEFAULT_POLICY: PolicyConfig = {
  default: 'confirm',
  allowlist: [],
  denylist: [],
  rules: [],
  agents: DEFAULT_AGENT_POLICY,
  approvalTimeoutMs: DEFAULT_APPROVAL_TIMEOUT_MS,
};
