import { answerLine } from '../../events/form/answers-text.ts';
import { because } from '../../events/text-parts.ts';
import type { RecordedAnswer, RequestState } from '../../machines/project-state.ts';
import { withShownAnswer } from '../../views/calls/shown-words.ts';
import { didText } from '../../workflow/requests/outcome-text.ts';
import { answererText, viaText } from '../../events/answerer.ts';
import { stripAgentLine } from '../../lib/text/sanitise.ts';

/** Who closed a question, and what they said. */
export function howClosed(request: Pick<RequestState, 'asked' | 'answer' | 'dismissal'>): string {
  const { answer, dismissal } = withShownAnswer(request);
  if (answer) {
    const what = answer.verdict ? 'the call' : answer.rejected || answer.rephrase ? 'it' : undefined;
    const who = answererText(answer.by);
    return stripAgentLine(`${who} ${didText(answer, what)}, ${viaText(answer.via)}${wordsOf(answer)}`);
  }
  if (!dismissal) return 'The question was closed';
  return stripAgentLine(
    `${answererText(dismissal.by)} dismissed the question, ${viaText(dismissal.via)}${because(dismissal.reason)}`,
  );
}

/** What was said, but the bare yes or no to a call: that is recorded where nothing more was said. */
function wordsOf(answer: RecordedAnswer): string {
  const { verdict, response } = answer;
  return verdict && /^(?:yes|no)$/i.test(response.trim()) ? '' : because(answerLine(answer));
}
