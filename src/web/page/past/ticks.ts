import type { History } from '../../api/history.ts';
import { calendarDay, clockMinutes, clockTime } from '../../../lib/time/clock-text.ts';

/** An event that the scale names, and how. */
export type Tick = { readonly version: number; readonly time: string; readonly text: string };

/**
 * What stands below the slider: the time of day, with seconds where minutes would say the same twice, and where another day
 * begins that day.
 *
 * @param gaps - So many lie between the labels at most.
 */
export function ticksOf(scale: History['scale'], gaps: number): Tick[] {
  // None is nearer to the next one than there is room for.
  const least = Math.ceil((scale.length - 1) / Math.max(1, gaps));
  const parts = Math.max(1, Math.floor((scale.length - 1) / Math.max(1, least)));
  const shown = Array.from(
    { length: parts + 1 },
    (_, part) => scale[Math.round((part * (scale.length - 1)) / parts)],
  ).filter((each) => each !== undefined);
  const minutes = shown.map(([, time]) => `${calendarDay(time)} ${clockMinutes(new Date(time))}`);
  const areApart = new Set(minutes).size === minutes.length;
  const ticks = shown.map(([version, time], at) => {
    const before = shown[at - 1]?.[1] ?? time;
    const isNewDay = calendarDay(before) !== calendarDay(time);
    const clock = areApart ? clockMinutes(new Date(time)) : clockTime(time);
    return { version, time, text: isNewDay ? dayOf(time) : clock };
  });
  // Many events may share a second.
  return ticks.filter(({ text }, at) => text !== ticks[at - 1]?.text);
}

/** `1 Mar`. */
function dayOf(time: string): string {
  return new Date(time).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
}
