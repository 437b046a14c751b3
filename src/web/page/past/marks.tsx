import { memo } from 'react';
import type { History } from '../../api/history.ts';
import { toneOfMark } from '../events/event-item.tsx';
import type { Tone } from '../parts/state-sign.tsx';
import { allMarks, markNames } from '../events/shown-marks.ts';

/** Marks have one every so many pixels at most. */
const APART = 5;

const loudestFirst: readonly Tone[] = ['bad', 'wait', 'go', 'good', 'calm'];

/** What each colour of the marks that are there means. */
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

/** Where events stand out, along the slider: those that are close to each other have one mark, a higher one, in the colour of the loudest. */
export const Marks = memo(function Marks({ marks, length, width }: MarksProps) {
  const places = Math.max(1, Math.floor(width / APART));
  const byPlace = Map.groupBy(marks, ([version]) =>
    Math.round((places * (version - 1)) / Math.max(1, length - 1)),
  );
  return (
    <svg className="marks" viewBox={`0 0 ${places} 8`} preserveAspectRatio="none" aria-hidden="true">
      {[...byPlace].map(([place, of]) => (
        <path
          key={place}
          className={`tone-${loudestOf(of)}`}
          d={of.length > 1 ? `M${place} 0v8` : `M${place} 2v6`}
        />
      ))}
    </svg>
  );
});

function loudestOf(marks: History['marks']): Tone {
  const tones = new Set(marks.map(([, mark]) => toneOfMark(mark)));
  return loudestFirst.find((tone) => tones.has(tone)) ?? 'calm';
}
