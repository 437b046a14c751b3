import { memo } from 'react';
import type { History } from '../../api/history.ts';
import { toneOfMark } from '../events/event-item.tsx';
import { allMarks, markNames } from '../events/shown-marks.ts';

/** Parts of the slider's length that are told apart. */
const PLACES = 400;

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

/** Where events stand out, along the slider. */
export const Marks = memo(function Marks({ marks, length }: Pick<History, 'marks' | 'length'>) {
  const byTone = Map.groupBy(marks, ([, mark]) => toneOfMark(mark));
  return (
    <svg className="marks" viewBox={`0 0 ${PLACES} 8`} preserveAspectRatio="none" aria-hidden="true">
      {[...byTone].map(([tone, of]) => {
        const places = new Set(
          of.map(([version]) => Math.round((PLACES * (version - 1)) / Math.max(1, length - 1))),
        );
        return (
          <path key={tone} className={`tone-${tone}`} d={[...places].map((x) => `M${x} 0v8`).join('')} />
        );
      })}
    </svg>
  );
});
