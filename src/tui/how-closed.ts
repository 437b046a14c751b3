import type { RequestState } from '../machines/project-state.ts';
import { asOneLine } from './sanitise.ts';

/** Who was first with a question, and what they said: for the person who came second. */
export function howClosed({ answer, dismissal }: Pick<RequestState, 'answer' | 'dismissal'>): string {
  if (answer) {
    const did = answer.rejected ? 'turned it down' : 'answered';
    return asOneLine(`${answer.by} ${did} first, through ${answer.via}: ${answer.response}`);
  }
  if (!dismissal) return 'The question was closed';
  const why = dismissal.reason === undefined ? '' : `: ${dismissal.reason}`;
  return asOneLine(`${dismissal.by} dismissed the question, through ${dismissal.via}${why}`);
}
