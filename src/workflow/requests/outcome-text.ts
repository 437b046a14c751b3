import { answerLine } from '../../events/form/answers-text.ts';
import { because } from '../../events/text-parts.ts';
import { clockText } from '../../lib/time/clock-text.ts';
import type { RecordedAnswer, RequestState } from '../../machines/project-state.ts';
import { answererText, viaText } from '../../events/answerer.ts';
import type { ClosingWord } from '../../events/closing-words.ts';

/**
 * Who closed a request and how, in one line for the person who came second.
 *
 * @param now - Of a reader in the time zone of this machine, ms since the epoch: when that was is told by their clock. Default: as
 *   the log has it.
 */
export function closedBy({ answer, dismissal, phase, asked }: RequestState, now?: number): string {
  const { runId } = asked.origin;
  if (answer) {
    const did = didText(answer, 'it');
    const at = now === undefined ? answer.at : clockText(Date.parse(answer.at), now);
    return `${answererText(answer.by, runId)} ${did} ${viaText(answer.via)} at ${at}${because(answerLine(answer))}`;
  }
  if (dismissal) {
    const why = dismissal.reason === undefined ? '' : ` (${dismissal.reason})`;
    return `${answererText(dismissal.by, runId)} dismissed it ${viaText(dismissal.via)}${why}`;
  }
  return `it is ${phase}`;
}

type Said = Pick<RecordedAnswer, 'rejected' | 'rephrase' | 'verdict' | 'scope'>;

/** What somebody did with a question or a call. */
export function closingWordOf({ rejected, rephrase, verdict, scope = 'once' }: Said): ClosingWord {
  if (rephrase) return 'asked to rephrase it';
  switch (verdict) {
    case undefined:
      return rejected ? 'rejected' : 'answered';
    case 'approved':
      return scope === 'once' ? 'allowed' : `allowed (${scope})`;
    case 'edited':
      return 'allowed as changed';
    case 'questioned':
      return 'asked about it first';
    case 'denied':
      return 'denied';
  }
}

/** The same, and with what, if that is to be said: `allowed q-1 (task)`, `asked about q-1 first`. */
export function didText(said: Said, what?: string): string {
  const word = closingWordOf(said);
  if (what === undefined) return word;
  return word.replace(/ it\b|(?<=^(?:answered|rejected|allowed|denied))/, () => ` ${what}`);
}
