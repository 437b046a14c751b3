import { memo } from 'react';
import type { History } from '../../api/history.ts';
import { toneOfMark } from '../events/tone-of-mark.ts';
import type { Tone } from '../parts/state-sign.tsx';
import { allMarks, markNames } from '../events/shown-marks.ts';

/** Marks have one every so many pixels at most. */
const APART = 9;

/** How a mark is drawn, behind its place: colours alone are not told apart by everybody. */
const shapes: Readonly<Record<Tone, string>> = {
  bad: '0v14',
  wait: '0v14',
  go: '0v7',
  good: '7v7',
  calm: '10v4',
};

/** One, of which it is said where it is. What waits for a human is in two pieces. */
function Mark({ tone, at }: { readonly tone: Tone; readonly at: number }) {
  return (
    <path
      className={`tone-${tone}`}
      d={`M${at} ${shapes[tone]}`}
      strokeDasharray={tone === 'wait' ? '5 4' : undefined}
    />
  );
}

const loudestFirst: readonly Tone[] = ['bad', 'wait', 'go', 'good', 'calm'];

/** What each of the marks that are there means. */
export function Legend({ marks }: Pick<History, 'marks'>) {
  const there = new Set(marks.map(([, mark]) => mark));
  const byTone = Map.groupBy(
    allMarks.filter((mark) => there.has(mark)),
    toneOfMark,
  );
  return (
    <ul className="legend" aria-label="What the marks along the slider mean">
      {[...byTone].map(([tone, of]) => (
        <li key={tone} className={`tone-${tone}`}>
          <svg className="mark" viewBox="0 0 6 14" width="6" height="14" aria-hidden="true">
            <Mark tone={tone} at={3} />
          </svg>
          {of.map((mark) => markNames[mark]).join(', ')}
        </li>
      ))}
    </ul>
  );
}

type MarksProps = Pick<History, 'marks' | 'length'> & {
  /** The room for them, in pixels. */
  readonly width: number;
};

/** Where events stand out, along the slider: those that are close to each other have one mark, that of the loudest. */
export const Marks = memo(function Marks({ marks, length, width }: MarksProps) {
  const places = Math.max(1, Math.floor(width / APART));
  const byPlace = Map.groupBy(marks, ([version]) =>
    Math.round((places * (version - 1)) / Math.max(1, length - 1)),
  );
  return (
    <svg className="marks" viewBox={`0 0 ${places} 14`} preserveAspectRatio="none" aria-hidden="true">
      {[...byPlace].map(([place, of]) => (
        <Mark key={place} tone={loudestOf(of)} at={place} />
      ))}
    </svg>
  );
});

function loudestOf(marks: History['marks']): Tone {
  const tones = new Set(marks.map(([, mark]) => toneOfMark(mark)));
  return loudestFirst.find((tone) => tones.has(tone)) ?? 'calm';
}
