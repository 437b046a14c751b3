import { dollars } from '../../lib/text/dollars.ts';
import type { Usage } from '../../machines/usage.ts';

/** What agents used, for people: `1,204 tokens, $0.12`; `''` when they said nothing of it. */
export function usageText({ input, output, costUsd }: Usage): string {
  const tokens = input + output;
  if (tokens === 0 && costUsd === 0) return '';
  const cost = costUsd === 0 ? '' : `, ${dollars(costUsd)}`;
  return `${tokens.toLocaleString('en')} tokens${cost}`;
}

/** The same in a few cells: `$0.12`, where agents said what it cost, else `12k tok`. */
export function costText({ input, output, costUsd }: Usage): string {
  if (costUsd > 0) return dollars(costUsd);
  const tokens = input + output;
  if (tokens === 0) return '';
  return tokens < 1_000 ? `${tokens} tok` : `${Math.round(tokens / 1_000)}k tok`;
}
