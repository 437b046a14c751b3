import { answererText } from '../../events/answerer.ts';
import { because } from '../../events/text-parts.ts';
import { visibleLine } from '../../lib/text/visible.ts';
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
  edited: 'allowed as changed',
  denied: 'denied',
  questioned: 'sent back with a question',
};

const scopes = { once: '', task: ' in this task', sprint: ' in this sprint', always: ' always' } as const;

function saidText({ outcome, scope = 'once', response }: Decision): string {
  if (outcome === 'answered' && response !== undefined) return response;
  const what = outcomeWords[outcome] + (outcome === 'approved' ? scopes[scope] : '');
  return what + because(response);
}
