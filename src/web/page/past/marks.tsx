import { memo } from 'react';
import type { History } from '../../api/history.ts';
import { toneOfMark } from '../events/event-item.tsx';
import type { Tone } from '../parts/state-sign.tsx';
import { allMarks, markNames } from '../events/shown-marks.ts';

/** Marks have one every so many pixels at most. */
const APART = 6;

/** How a mark is drawn, from its upper end on, the loudest first: colours alone are not told apart by everybody. */
const shapes: Readonly<Record<Tone, string>> = {
  bad: 'v8',
  wait: 'v3m0 2v3',
  go: 'v4',
  good: 'm0 4v4',
  calm: 'm0 6v2',
};

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
          <svg className="mark" viewBox="0 0 4 8" width="4" height="8" aria-hidden="true">
            <path d={`M2 0${shapes[tone]}`} />
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
    <svg className="marks" viewBox={`0 0 ${places} 8`} preserveAspectRatio="none" aria-hidden="true">
      {[...byPlace].map(([place, of]) => {
        const tone = loudestOf(of);
        return <path key={place} className={`tone-${tone}`} d={`M${place} 0${shapes[tone]}`} />;
      })}
    </svg>
  );
});

function loudestOf(marks: History['marks']): Tone {
  const tones = new Set(marks.map(([, mark]) => toneOfMark(mark)));
  return loudestFirst.find((tone) => tones.has(tone)) ?? 'calm';
}
