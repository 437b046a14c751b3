import { runTexts } from '../../views/sprints/run-text.ts';
import { mayStart, type WhoRuns } from '../../views/sprints/who-runs.ts';

/**
 * Who is at work on a sprint, and what a key would do about nobody being, or that an agent is missing for that: the fullest text
 * first.
 */
export function offeredRunTexts(runs: WhoRuns, lacksAgent = false): readonly string[] {
  const texts = runTexts(runs);
  if (lacksAgent && mayStart(runs) !== 'no')
    return [`${texts[0]}: no agent is configured`, 'no agent is configured', 'needs an agent', ...texts];
  const { behind, alone } = offers[runs.is] ?? { alone: [] };
  return [...(behind === undefined ? [] : [`${texts[0]}: ${behind}`]), ...alone, ...texts];
}

/** What the keys do, where there is room for it: `behind` who is at work, and by itself. */
const offers: Partial<
  Record<WhoRuns['is'], { readonly behind?: string; readonly alone: readonly string[] }>
> = {
  deserted: { behind: 'Enter starts one', alone: [] },
  'not-started': { behind: 'Enter starts it', alone: ['Enter starts it'] },
  'nothing-left': { behind: 'Enter completes it', alone: ['Enter completes it', 'Enter ends'] },
  failed: { alone: ['r runs it again', 'r: again'] },
};
