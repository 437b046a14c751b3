import { answerLine } from '../../events/form/answers-text.ts';
import { clockText } from '../../lib/time/clock-text.ts';
import type { RecordedAnswer, RequestState } from '../../machines/project-state.ts';
import { answererText, viaText } from '../../events/answerer.ts';

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
    return `${answererText(answer.by, runId)} ${did} ${viaText(answer.via)} at ${at}: ${answerLine(answer)}`;
  }
  if (dismissal) {
    const why = dismissal.reason === undefined ? '' : ` (${dismissal.reason})`;
    return `${answererText(dismissal.by, runId)} dismissed it ${viaText(dismissal.via)}${why}`;
  }
  return `it is ${phase}`;
}

type Said = Pick<RecordedAnswer, 'rejected' | 'rephrase' | 'verdict' | 'scope'>;

/** What somebody did with a question or a call: `allowed it (task)`, `rejected it`; without `what`, `rejected`. */
export function didText({ rejected, rephrase, verdict, scope = 'once' }: Said, what?: string): string {
  const object = what === undefined ? '' : ` ${what}`;
  if (rephrase) return `asked to rephrase${object === '' ? ' it' : object}`;
  if (verdict === undefined) return rejected ? `rejected${object}` : `answered${object}`;
  if (verdict === 'questioned') return `asked about${object === '' ? ' it' : object} first`;
  if (verdict === 'edited') return `allowed${object} as changed`;
  if (verdict === 'denied') return `denied${object}`;
  return `allowed${object}${scope === 'once' ? '' : ` (${scope})`}`;
}
