import type { History } from '../../api/history.ts';
import { clockTime } from '../../../lib/time/clock-text.ts';
import { ticksOf } from './ticks.ts';

type ScaleProps = Pick<History, 'scale' | 'length'> & {
  /** The room for it, in pixels. */
  readonly width: number;
};

/** The times below the slider, as many of them as there is room for. What the slider is at it says itself. */
export function Scale({ scale, length, width }: ScaleProps) {
  return (
    <ol className="scale number" aria-hidden="true">
      {ticksOf(scale, labelsIn(width)).map(({ version, time, text }) => (
        <li
          key={version}
          title={clockTime(time)}
          data-end={version === 1 ? 'first' : version === length ? 'last' : undefined}
          style={{ left: `${(100 * (version - 1)) / Math.max(1, length - 1)}%` }}
        >
          {text}
        </li>
      ))}
    </ol>
  );
}

/** A label with a gap beside it, in the size of the page's text: the first and the last one stand inside of their ends. */
const LABEL_REM = 6;

function labelsIn(width: number): number {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Math.floor(width / (LABEL_REM * rem));
}
