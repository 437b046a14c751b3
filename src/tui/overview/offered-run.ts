import { runTexts } from '../../views/run-text.ts';
import type { WhoRuns } from '../../views/who-runs.ts';

/** Who is at work on a sprint, and what Enter would do about nobody being: the fullest text first. */
export function offeredRunTexts(runs: WhoRuns): readonly string[] {
  return [...(offers[runs.is] ?? []), ...runTexts(runs)];
}

/** Where there is room for it. */
const offers: Partial<Record<WhoRuns['is'], readonly string[]>> = {
  deserted: ['no runner at work: Enter starts one'],
  'not-started': ['nobody runs it: Enter starts it', 'Enter starts it'],
  'nothing-left': ['nothing is left to do: Enter completes it', 'Enter completes it', 'Enter ends'],
  failed: ['r runs it again', 'r: again'],
};
