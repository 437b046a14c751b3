import { RUNNER } from '../../runner/sprint/perform-action.ts';
import { subjectOf } from '../../events/envelope.ts';
import { closingWordOf } from '../../workflow/requests/outcome-text.ts';
import { fit } from '../../lib/text/cells.ts';
import { requestTitle } from '../../views/requests/request-title.ts';
import { shownAnswer } from '../../views/calls/shown-words.ts';
import { answererText, viaText } from '../../events/answerer.ts';
import type { Cli } from '../cli.ts';
import type { QuestionView } from '../../views/requests/question-view.ts';
import { clockText } from '../../lib/time/clock-text.ts';
import { waitedText } from '../../lib/time/duration.ts';
import { foreignText } from './foreign.ts';
import { nobodyWaitsText } from '../../views/requests/nobody-waits.ts';
import { questionBlock } from './question-lines.ts';
import { hanging, type Page } from './paragraph.ts';
import { requestName } from './short-id.ts';
import { visibleLine } from '../../lib/text/visible.ts';

/** So much is shown of a question that has ended: enough to know it by. */
const ENDED_COLUMNS = 200;

type Look = Pick<Cli, 'style'> &
  Page & {
    /** Milliseconds since 1970. */
    readonly now: number;
    /** Ids of all questions that are open. */
    readonly open: readonly string[];
    /** Whether somebody is at work on a sprint. */
    readonly hasRunner: (sprint: string) => boolean;
  };

/** A question of the list, for people: which it is, who asks since when, what it says, how to answer. */
export function questionEntry(question: QuestionView, look: Look): string[] {
  const { style, now, open } = look;
  const { id, kind, approval, sprint, task, asker, askedAt, phase } = question;
  const did = kind === 'prompt' ? 'came to a prompt' : approval ? 'asked for a tool call' : 'asked';
  const place = subjectOf(sprint, task);
  if (phase !== 'open') {
    const head = hanging(
      look,
      `${style('dim', id)} `,
      `${visibleLine(place)}: ${visibleLine(asker)} ${did} at ${askedAt}`,
      4,
    );
    const [ended = '', ...answers] = endLines(question);
    const asked = fit(requestTitle(question), ENDED_COLUMNS);
    const lines = (texts: readonly string[], indent: number) =>
      texts.flatMap((text) => foreignText(look, text)).map((line) => ' '.repeat(indent) + line);
    return [head, ...lines([asked, ended], 4), ...lines(answers, 6)];
  }
  const named = requestName(question, open);
  const since = waitedText(now - Date.parse(askedAt));
  return [
    hanging(
      look,
      `${style('yellow', named)} `,
      `${visibleLine(place)}: ${visibleLine(asker)} ${did} ${since} ago${waitText(question, look)}`,
      4,
    ),
    ...questionBlock({ ...question, id: named }, look),
  ];
}

function waitText(question: QuestionView, { now, hasRunner }: Pick<Look, 'now' | 'hasRunner'>): string {
  const { isAwaited, parkedSince, approval, sprint, asker, askedBy } = question;
  if (asker === RUNNER && askedBy === undefined && !hasRunner(sprint))
    return '; nobody is at work on the sprint now, the answer counts with the next run';
  if (parkedSince !== undefined)
    return `; parked since ${clockText(Date.parse(parkedSince), now)}, it starts again with the answer`;
  if (isAwaited) return ' and waits';
  return `; no agent waits now, ${nobodyWaitsText({ sprint, isCall: approval !== undefined })}`;
}

/** How a question ended: on one line, but the answers to a form, which have lines of their own. */
export function endLines(question: QuestionView): string[] {
  const { answer, dismissal, options, phase, askedBy } = question;
  if (answer) {
    const response = shownAnswer(question, answer);
    const did = closingWordOf(answer);
    const option = answer.option === undefined ? undefined : options[answer.option];
    const picked = option === undefined ? '' : ` (option ${(answer.option ?? 0) + 1})`;
    const pending = phase === 'delivered' ? '' : ', which no agent has received yet';
    const lead = `${did} by ${answererText(answer.by, askedBy)} ${viaText(answer.via)}${pending}`;
    if (answer.answers) return [`${lead}:`, ...response.split('\n')].map(visibleLine);
    return [visibleLine(response === '' ? lead : `${lead}: ${response}${picked}`)];
  }
  const { by = 'clifford', via = 'log', reason } = dismissal ?? {};
  return [
    visibleLine(
      `dismissed by ${answererText(by, askedBy)} ${viaText(via)}${reason === undefined ? '' : `: ${reason}`}`,
    ),
  ];
}
