import type { RecordedAnswer, RequestState } from '../../machines/project-state.ts';
import { answererText } from '../../events/answerer.ts';
import { stripAgentLine } from '../../lib/text/sanitise.ts';

/** Who was first with a question, and what they said: for the person who came second. */
export function howClosed({ answer, dismissal }: Pick<RequestState, 'answer' | 'dismissal'>): string {
  if (answer?.verdict)
    return stripAgentLine(`${answer.by} ${didText(answer)} first, through ${answer.via}${why(answer)}`);
  if (answer) {
    const did = answer.rejected ? 'turned it down' : 'answered';
    return stripAgentLine(
      `${answererText(answer.by)} ${did} first, through ${answer.via}: ${answer.response}`,
    );
  }
  if (!dismissal) return 'The question was closed';
  const because = dismissal.reason === undefined ? '' : `: ${dismissal.reason}`;
  return stripAgentLine(
    `${answererText(dismissal.by)} dismissed the question, through ${dismissal.via}${because}`,
  );
}

function didText({ verdict, scope = 'once' }: RecordedAnswer): string {
  if (verdict === 'denied') return 'denied the call';
  return scope === 'once' ? 'approved the call' : `approved the call (${scope})`;
}

/** The bare words are what is recorded where nothing more was said. */
function why({ response }: RecordedAnswer): string {
  return /^(?:yes|no)$/i.test(response.trim()) ? '' : `: ${response}`;
}
