import { clockMinutes, clockTime } from '../../lib/time/clock-text.ts';

/** How much room a line of a history has for what happened: the less, the less it says of when. */
export type LineWidth = 'wide' | 'middle' | 'narrow';

const MIDDLE_BELOW = 64;
const NARROW_BELOW = 40;

/** Makes lines once for each kind of width, when a pane of that kind is drawn first. */
export function forWidths<Line>(
  make: (width: LineWidth) => readonly Line[],
): (cells: number) => readonly Line[] {
  const made = new Map<LineWidth, readonly Line[]>();
  return (cells) => {
    const width = cells < NARROW_BELOW ? 'narrow' : cells < MIDDLE_BELOW ? 'middle' : 'wide';
    const lines = made.get(width) ?? make(width);
    made.set(width, lines);
    return lines;
  };
}

/** When something happened (RFC 3339), and a blank: `14:03:22 `; with less room `14:03 `, and in a narrow line nothing. */
export function timeIn(width: LineWidth, time: string): string {
  if (width === 'narrow') return '';
  return width === 'wide' ? `${clockTime(time)} ` : `${clockMinutes(new Date(time))} `;
}
