import type { EventData } from '../events/catalog.ts';

/** What agents used up: tokens that were not read from a cache, and money as far as they say. */
export type Usage = { readonly input: number; readonly output: number; readonly costUsd: number };

export const noUsage: Usage = { input: 0, output: 0, costUsd: 0 };

/** The sum with what an agent reports. */
export function addUsage(sum: Usage, { tokens, costUsd = 0 }: EventData<'agent.usage'>): Usage {
  return {
    input: sum.input + tokens.input,
    output: sum.output + tokens.output,
    costUsd: sum.costUsd + costUsd,
  };
}
