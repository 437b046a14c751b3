import type { AnnotationCondition, PolicyWord } from '../config/policy-config.ts';

/** One call, as the policy sees it. */
export type GateCall = {
  readonly serverId: string;
  /** The tool's own name at its server, not the one the agent calls it by. */
  readonly toolName: string;
  readonly args: unknown;
  /** Only of a server with `"trust": "full"`. */
  readonly annotations?: AnnotationCondition | undefined;
  /** The sprint the call is made for. */
  readonly stream?: string | undefined;
  readonly taskId?: string | undefined;
  /** Whether the tool's definition is the one that was pinned. */
  readonly definition?: 'pinned' | 'changed' | 'new' | undefined;
  /** Digest of the tool's definition as it is now. Without it no yes of a human is found again. */
  readonly definitionDigest?: string | undefined;
  /**
   * Where the server's relative paths start, absolute; the project's root unless told, `null` where nobody knows: it
   * runs behind a URL.
   */
  readonly cwd?: string | null | undefined;
};

/** What the policy says of a call. */
export type GateDecision = {
  readonly decision: PolicyWord;
  /** Which rule it was: `denylist[0] fs/write_*`, `granted r-1 (always, by ada)`, `default`. */
  readonly rule: string;
  /** Why, in words for the agent. */
  readonly reason: string;
};
