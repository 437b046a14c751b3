import type { ToolCall } from '../call/tool.ts';
import { waitLimitMs } from './wait-limits.ts';

/** What is left until the client of a call would give it up, in ms. `undefined`: as long as it takes. */
export function untilLimit({ agent, session, progress, arrivedAt }: ToolCall): number | undefined {
  const limitMs = waitLimitMs({
    name: agent.client,
    hasToken: progress !== undefined,
    gaveUpAfterMs: session.gaveUpAfterMs,
    overrideMs: session.waitSettings.limitMs,
  });
  return limitMs === undefined ? undefined : limitMs - (performance.now() - arrivedAt);
}

/** Calls `then` after `ms`, unless the returned function is called before. No time: never. */
export function after(ms: number | undefined, then: () => void): (() => void) | undefined {
  if (ms === undefined) return undefined;
  const timer = setTimeout(then, Math.max(0, ms));
  return () => clearTimeout(timer);
}
