import type { RecordedAnswer, RequestState } from '../../machines/project-state.ts';
import { answererText } from '../../events/answerer.ts';

/** Who closed a request and how, in one line for the person who came second. */
export function closedBy({ answer, dismissal, phase, asked }: RequestState): string {
  const { runId } = asked.origin;
  if (answer) {
    const did = didText(answer);
    return `${answererText(answer.by, runId)} ${did} through ${answer.via} at ${answer.at}: ${answer.response}`;
  }
  if (dismissal) {
    const why = dismissal.reason === undefined ? '' : ` (${dismissal.reason})`;
    return `${answererText(dismissal.by, runId)} dismissed it through ${dismissal.via}${why}`;
  }
  return `it is ${phase}`;
}

function didText({ rejected, verdict, scope }: RecordedAnswer): string {
  if (verdict === 'approved') return scope === 'once' ? 'approved it' : `approved it (${scope})`;
  if (verdict === 'denied') return 'denied it';
  return rejected ? 'turned it down' : 'answered it';
}
