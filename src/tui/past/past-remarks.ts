import { count } from '../../lib/text/count.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { placeOf } from '../../workflow/history/found-events.ts';
import type { Remark } from '../text/remark.ts';
import { currentQuestion } from '../screen/current-question.ts';
import type { Found, Past } from './past.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { colors } from '../terminal/theme.ts';
import { waitVerb } from '../../views/requests/waits-text.ts';

/** What there is to say of a moment of the past: what changed between two, where it goes, and what needs the person now. */
export function pastRemarks(state: ScreenState): Remark[] {
  const { past, focus } = state;
  if (!past) return [];
  const { goal, asks, changes, marked, present } = past;
  const asked = asks === 'words' ? 'Find events' : 'Go to event or time';
  const waiting = present.open.length;
  const isOnCard = stillWaits(past, currentQuestion(state)?.id);
  return [
    ...(focus.at === 'goal' ? [{ text: `${asked}: ${goal.text}▏`, color: colors.focus }] : []),
    ...(waiting > 0 && !isOnCard
      ? [
          {
            text: `${count(waiting, 'question')} ${waitVerb(waiting)} now: L goes there`,
            color: colors.question,
          },
        ]
      : []),
    ...(past.found ? [{ text: foundText(past, past.found), color: colors.focus }] : []),
    ...(changes ?? []).map((text, at) => (at === 0 ? { text, ifCut: LISTED } : { text })),
    ...(marked !== undefined && !changes
      ? [{ text: `Event ${marked} is marked: d at another one shows what has changed`, color: colors.focus }]
      : []),
  ];
}

/** The key that says what has changed in place of the panes, where not all of it is in sight below them. */
const LISTED = ', d lists them';

/** What stands below a question of the past that waits now, too, in place of what became of it: it is not the only one that may. */
export function stillWaitsText({ present }: Past): string {
  const others = present.open.length - 1;
  const more = others === 1 ? ', and so does 1 other' : `, and so do ${others} others`;
  return `It waits now, too${others > 0 ? more : ''}: L goes there`;
}

function stillWaits({ present }: Past, question: string | undefined): boolean {
  return present.open.some(({ id }) => id === question);
}

/** `◆ 3 of 12 events have: wrong password`. */
function foundText({ moment, isSifted }: Past, { words, versions }: Found): string {
  const at = placeOf(versions, moment.version);
  const where = versions[at] === moment.version ? `${at + 1} of ` : '';
  const all = where === '' ? count(versions.length, 'event') : `${versions.length} events`;
  return `◆ ${where}${all} with: ${visibleLine(words)}${isSifted ? ' (only these are steps)' : ''}`;
}
