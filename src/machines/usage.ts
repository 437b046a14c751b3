import type { EventData } from '../events/catalog.ts';

/** What agents used up: tokens that were not read from a cache, and money as far as they say. */
export type Usage = { readonly input: number; readonly output: number; readonly costUsd: number };

/** Tokens that were used in a session. `cached`: read from a cache, not part of `input`. */
export type SessionTokens = { readonly input: number; readonly output: number; readonly cached: number };

export const noTokens: SessionTokens = { input: 0, output: 0, cached: 0 };

/** The sum with what an agent reports. */
export function addTokens(sum: SessionTokens, { tokens }: EventData<'agent.usage'>): SessionTokens {
  return {
    input: sum.input + tokens.input,
    output: sum.output + tokens.output,
    cached: sum.cached + (tokens.cached ?? 0),
  };
}

export const noUsage: Usage = { input: 0, output: 0, costUsd: 0 };

/** The sum with what an agent reports. */
export function addUsage(sum: Usage, { tokens, costUsd = 0 }: EventData<'agent.usage'>): Usage {
  return {
    input: sum.input + tokens.input,
    output: sum.output + tokens.output,
    costUsd: sum.costUsd + costUsd,
  };
}
