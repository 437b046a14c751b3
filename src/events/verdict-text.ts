import type { Verdict } from './verdict.ts';

/** A verdict in a few words. */
export const verdictText: Readonly<Record<Verdict, string>> = {
  clean: 'as before',
  regressed: 'it succeeded before the work',
  fixed: 'it failed before the work',
  'broken-before': 'it failed before the work, too',
};
