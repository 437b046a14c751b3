import { count } from '../../lib/text/count.ts';
import type { Remark } from '../text/remark.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { colors } from '../screen/theme.ts';

/** What there is to say of a moment of the past: what changed between two, where it goes, and what needs the person now. */
export function pastRemarks({ past, focus }: ScreenState): Remark[] {
  if (!past) return [];
  const { goal, changes, marked, present } = past;
  const waiting = present.open.length;
  return [
    ...(focus.at === 'goal' ? [{ text: `Go to event or time: ${goal.text}▏`, color: colors.focus }] : []),
    ...(waiting > 0
      ? [
          {
            text: `${count(waiting, 'question')} ${waiting === 1 ? 'waits' : 'wait'} now: L goes there`,
            color: colors.question,
          },
        ]
      : []),
    ...(changes ?? []).map((text) => ({ text })),
    ...(marked !== undefined && !changes
      ? [{ text: `Event ${marked} is marked: d at another one shows what has changed`, color: colors.focus }]
      : []),
  ];
}
