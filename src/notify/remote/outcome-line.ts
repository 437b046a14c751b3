import { answerLine } from '../../events/form/answers-text.ts';
import { cleanLine } from '../../lib/text/hidden-characters.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { answererText, viaText } from '../../events/answerer.ts';
import { didText } from '../../workflow/requests/outcome-text.ts';
import type { Shows } from './shows.ts';

const MAX_LENGTH = 200;

/**
 * How a request ended, for the message that told of it: `✔ ada answered it on the screen: Postgres`. Where a channel shows
 * names alone, without what was said.
 */
export function outcomeLine({ answer, dismissal, asked }: RequestState, shows: Shows): string {
  const isSaid = shows === 'questions';
  if (answer) {
    const isNo = answer.verdict === 'denied' || answer.rejected === true;
    const words = answer.verdict === undefined && isSaid ? `: ${answerLine(answer)}` : '';
    const who = answererText(answer.by, asked.origin.runId);
    return cleanLine(
      `${isNo ? '✗' : '✔'} ${who} ${didText(answer, 'it')} ${viaText(answer.via)}${words}`,
      MAX_LENGTH,
    );
  }
  const why = isSaid ? dismissal?.reason : undefined;
  return cleanLine(`✗ over: ${why ?? `${dismissal?.by ?? 'somebody'} dismissed it`}`, MAX_LENGTH);
}
