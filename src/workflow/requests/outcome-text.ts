import type { RequestState } from '../../machines/project-state.ts';

/** Who closed a request and how, in one line for the person who came second. */
export function closedBy({ answer, dismissal, phase }: RequestState): string {
  if (answer) {
    const did = answer.rejected ? 'turned it down' : 'answered it';
    return `${answer.by} ${did} through ${answer.via} at ${answer.at}: ${answer.response}`;
  }
  if (dismissal) {
    const why = dismissal.reason === undefined ? '' : ` (${dismissal.reason})`;
    return `${dismissal.by} dismissed it through ${dismissal.via}${why}`;
  }
  return `it is ${phase}`;
}
