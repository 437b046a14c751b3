import { answererText } from '../../events/answerer.ts';
import { because } from '../../events/text-parts.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { asChanged } from '../calls/as-changed.ts';
import type { Decision } from './decisions.ts';

/** What was decided about a request, on one line and safe to show: what it was about, what was said, and by whom. */
export function decidedParts(decision: Decision): {
  readonly about: string;
  readonly said: string;
  readonly who: string;
} {
  const { task, asked, by } = decision;
  return {
    about: `${task === undefined ? '' : `${visibleLine(task)}: `}${asked}`,
    said: visibleLine(saidText(decision)),
    who: visibleLine(answererText(by)).replace(/,$/, ''),
  };
}

/** What became of a request, as it follows `was`. */
export const outcomeWords: Readonly<Record<Decision['outcome'], string>> = {
  answered: 'answered',
  rejected: 'rejected',
  rephrased: 'to be asked in other words',
  dismissed: 'dismissed',
  approved: 'allowed',
  edited: asChanged(false),
  denied: 'denied',
  questioned: 'sent back with a question',
};

const scopes = { once: '', task: ' in this task', sprint: ' in this sprint', always: ' always' } as const;

function saidText(decision: Decision): string {
  const { outcome, response } = decision;
  if (outcome === 'answered' && response !== undefined) return response;
  return outcomeText(decision) + because(response);
}

/** What became of a request, without the words: `allowed in this task`. */
export function outcomeText({ outcome, scope = 'once', hasFailed }: Decision): string {
  if (outcome === 'edited') return asChanged(hasFailed === true);
  return outcomeWords[outcome] + (outcome === 'approved' ? scopes[scope] : '');
}
