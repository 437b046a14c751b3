import type { Verdict } from '../events/verify-events.ts';

/** What the end of a command says about the work, in a few words. */
export const verdictText: Readonly<Record<Verdict, string>> = {
  clean: 'as before',
  regressed: 'it succeeded before the work',
  fixed: 'it failed before the work',
  'broken-before': 'it failed before the work, too',
};
