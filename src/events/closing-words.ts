/** What was done with a question or a call that is closed, as people read it. */
export const closingWords = [
  'answered',
  'rejected',
  'asked to rephrase it',
  'allowed',
  'allowed (task)',
  'allowed (sprint)',
  'allowed (always)',
  'allowed as changed',
  'denied',
  'asked about it first',
  'dismissed',
] as const;
/** See {@link closingWords}. */
export type ClosingWord = (typeof closingWords)[number];
