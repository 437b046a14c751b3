import { answerLine } from '../../events/form/answers-text.ts';
import { clip } from '../../lib/text/clip.ts';
import { cleanLine } from '../../lib/text/hidden-characters.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { answererText, viaText } from '../../events/answerer.ts';
import { didText } from '../../workflow/requests/outcome-text.ts';
import { withShownAnswer } from '../../views/calls/shown-words.ts';
import type { Shows } from './shows.ts';

const MAX_LENGTH = 200;
const MAX_NAME_LENGTH = 60;
/** More are counted. */
const MAX_LINES = 10;

/** How the requests of a message ended, for the message that told of them: a line each. At least one. */
export function outcomeLines(requests: readonly RequestState[], shows: Shows): string {
  const [only, ...others] = requests;
  if (only && others.length === 0) return outcomeLine(only, shows);
  const lines = requests
    .slice(0, MAX_LINES)
    .map((request) => outcomeLine(request, shows, nameOf(request, shows)));
  const more = requests.length - lines.length;
  return [...lines, ...(more > 0 ? [`… and ${more} more are over`] : [])].join('\n');
}

/**
 * How a request ended, for the message that told of it: `✔ ada answered it on the screen: Postgres`. Where a channel shows
 * names alone, without what was said.
 */
export function outcomeLine(request: RequestState, shows: Shows, name?: string): string {
  const { answer, dismissal, asked } = withShownAnswer(request);
  const isSaid = shows === 'questions';
  if (answer) {
    const isNo = answer.verdict === 'denied' || answer.rejected === true;
    const words = answer.verdict === undefined && isSaid ? `: ${answerLine(answer)}` : '';
    const who = answererText(answer.by, asked.origin.runId);
    return cleanLine(
      `${isNo ? '✗' : '✔'} ${who} ${didText(answer, name ?? 'it')} ${viaText(answer.via)}${words}`,
      MAX_LENGTH,
    );
  }
  const why = (isSaid ? dismissal?.reason : undefined) ?? `${dismissal?.by ?? 'somebody'} dismissed it`;
  return cleanLine(`✗ ${name === undefined ? '' : `${name} is `}over: ${why}`, MAX_LENGTH);
}

/** Which of several it is. */
function nameOf({ asked, taskId, id }: RequestState, shows: Shows): string {
  if (shows === 'names') return taskId ?? asked.task ?? id;
  return `“${clip(cleanLine(asked.question, 4 * MAX_NAME_LENGTH), MAX_NAME_LENGTH)}”`;
}
