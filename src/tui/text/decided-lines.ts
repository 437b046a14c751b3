import { answererText } from '../../events/answerer.ts';
import { cellsOf, fit } from '../../lib/text/cells.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import type { Decision } from '../../views/events/decisions.ts';

/** So much of what was asked is left in sight, in cells, however long the answer is. */
const LEAST_ASKED = 12;

/** What was decided about a request, in one row: `form: Which database? → SQLite (maria)`. */
export function decidedLine(decision: Decision, width: number): string {
  const { task, asked, by } = decision;
  const who = ` (${visibleLine(answererText(by)).replace(/,$/, '')})`;
  const about = `${task === undefined ? '' : `${visibleLine(task)}: `}${asked}`;
  const room = width - cellsOf(ARROW + who);
  const said = visibleLine(saidText(decision));
  const askedWidth = Math.max(LEAST_ASKED, Math.min(cellsOf(about), room - cellsOf(said)));
  return fit(`${fit(about, askedWidth)}${ARROW}${fit(said, Math.max(1, room - askedWidth))}${who}`, width);
}

const ARROW = ' → ';

const words: Readonly<Record<Decision['outcome'], string>> = {
  answered: 'answered',
  rejected: 'turned down',
  rephrased: 'to be asked in other words',
  dismissed: 'closed without an answer',
  approved: 'allowed',
  edited: 'allowed as changed',
  denied: 'refused',
  questioned: 'sent back with a question',
};

const scopes = { once: '', task: ' in this task', sprint: ' in this sprint', always: ' always' } as const;

function saidText({ outcome, scope = 'once', response }: Decision): string {
  if (outcome === 'answered' && response !== undefined) return response;
  const what = words[outcome] + (outcome === 'approved' ? scopes[scope] : '');
  return response === undefined ? what : `${what}: ${response}`;
}
