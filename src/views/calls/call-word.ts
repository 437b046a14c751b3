/**
 * What became of a call: it waits or runs, a result came, an error, it was refused, it was allowed when its agent had given
 * up, and did not run, or it ran though nobody was asked.
 */
export const callWords = ['open', 'allowed', 'done', 'failed', 'denied', 'late', 'unasked'] as const;
/** See {@link callWords}. */
export type CallWord = (typeof callWords)[number];

/**
 * What a call is after one more event of it. What ran unasked was no less so where it was refused, and stays that, as what was refused
 * does, whatever its agent says of it then; so does what was allowed too late, unless it was done all the same.
 */
export function nextWord(before: CallWord, next: CallWord): CallWord {
  if (next === 'unasked') return next;
  const stays = before === 'denied' || before === 'unasked' || (before === 'late' && next !== 'done');
  return stays ? before : next;
}
