import type { RecordedAnswer, RequestState } from '../../machines/project-state.ts';

/** Who closed a request and how, in one line for the person who came second. */
export function closedBy({ answer, dismissal, phase }: RequestState): string {
  if (answer) {
    const did = didText(answer);
    return `${answer.by} ${did} through ${answer.via} at ${answer.at}: ${answer.response}`;
  }
  if (dismissal) {
    const why = dismissal.reason === undefined ? '' : ` (${dismissal.reason})`;
    return `${dismissal.by} dismissed it through ${dismissal.via}${why}`;
  }
  return `it is ${phase}`;
}

function didText({ rejected, verdict, scope }: RecordedAnswer): string {
  if (verdict === 'approved') return scope === 'once' ? 'approved it' : `approved it (${scope})`;
  if (verdict === 'denied') return 'denied it';
  return rejected ? 'turned it down' : 'answered it';
}
