import type { Usage } from '../machines/usage.ts';

/** What agents used, for people: `1,204 tokens, $0.12`; `''` when they said nothing of it. */
export function usageText({ input, output, costUsd }: Usage): string {
  const tokens = input + output;
  if (tokens === 0 && costUsd === 0) return '';
  const cost = costUsd === 0 ? '' : `, $${costUsd.toFixed(2)}`;
  return `${tokens.toLocaleString('en')} tokens${cost}`;
}
