/** What is known of a call's client when the call begins to wait. */
export type WaitingClient = {
  /** As it called itself in `initialize`. */
  readonly name: string | undefined;
  /** It sent a progress token: progress may keep the call alive. */
  readonly hasToken: boolean;
  /** How long the shortest call lasted that it gave up because of a time-out, in ms. */
  readonly gaveUpAfterMs: number | undefined;
  /** What the environment says; 0: without limit. */
  readonly overrideMs: number | undefined;
};

/** Wall-clock limits that progress does not move, less a reserve: 300 s and 600 s. */
const HARD_LIMITS_MS: Readonly<Record<string, number>> = {
  'codex-mcp-client': 280_000,
  'gemini-cli-mcp-client': 570_000,
};

/** Limits of clients without progress: half an hour for one, and the 60 s of the MCP SDKs for the rest. */
const SILENT_LIMITS_MS: Readonly<Record<string, number>> = { 'claude-code': 28 * 60_000 };
const SILENT_LIMIT_MS = 50_000;

/** The share of a time limit that was seen which is used. */
const SAFE_SHARE = 0.8;

/**
 * How long a call may wait before it has to be answered, in ms from its arrival, so that its client
 * does not give it up. `undefined`: as long as it takes.
 *
 * The name only chooses a time: one that is wrong costs a call that is cut off or made again.
 */
export function waitLimitMs({
  name = '',
  hasToken,
  gaveUpAfterMs,
  overrideMs,
}: WaitingClient): number | undefined {
  if (overrideMs !== undefined) return overrideMs === 0 ? undefined : overrideMs;
  const known = HARD_LIMITS_MS[name] ?? (hasToken ? undefined : (SILENT_LIMITS_MS[name] ?? SILENT_LIMIT_MS));
  if (gaveUpAfterMs === undefined) return known;
  return Math.min(known ?? Infinity, Math.ceil(gaveUpAfterMs * SAFE_SHARE));
}

/** Whether a client's reason for cancelling a call is a time limit of its own. */
export function isTimeOut(reason: unknown): boolean {
  return typeof reason === 'string' && /time[sd]?[ -]?out|-32001/i.test(reason);
}
