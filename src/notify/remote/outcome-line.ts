import { answerLine } from '../../events/form/answers-text.ts';
import { cleanLine } from '../../lib/text/hidden-characters.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { answererText, viaText } from '../../events/answerer.ts';
import { didText } from '../../workflow/requests/outcome-text.ts';

const MAX_LENGTH = 200;

/** How a request ended, for the message that told of it: `✔ ada answered it on the screen: Postgres`. */
export function outcomeLine({ answer, dismissal, asked }: RequestState): string {
  if (answer) {
    const isNo = answer.verdict === 'denied' || answer.rejected === true;
    const words = answer.verdict === undefined ? `: ${answerLine(answer)}` : '';
    const who = answererText(answer.by, asked.origin.runId);
    return cleanLine(
      `${isNo ? '✗' : '✔'} ${who} ${didText(answer, 'it')} ${viaText(answer.via)}${words}`,
      MAX_LENGTH,
    );
  }
  return cleanLine(
    `✗ over: ${dismissal?.reason ?? `${dismissal?.by ?? 'somebody'} dismissed it`}`,
    MAX_LENGTH,
  );
}
