import type { RiskLevel } from '../../../views/calls/risk-level.ts';
import { riskLevel } from '../../../views/calls/risk.ts';
import type { QuestionHead } from '../../api/question.ts';
import { Icon } from '../parts/icon.tsx';
import type { Tone } from '../parts/state-sign.tsx';

const looks: Readonly<Record<RiskLevel, { readonly tone: Tone; readonly bars: number }>> = {
  high: { tone: 'bad', bars: 3 },
  medium: { tone: 'wait', bars: 2 },
  low: { tone: 'calm', bars: 1 },
};

type RiskBadgeProps = {
  readonly risk: QuestionHead['risk'];
  readonly text: string;
};

/** What a yes may lead to, in words, behind as many bars as the risk is great; of a question that it is one. */
export function RiskBadge({ risk, text }: RiskBadgeProps) {
  const level = riskLevel(risk);
  if (level === undefined)
    return (
      <span className="badge tone-calm">
        <Icon name="ask" size={14} />
        {text}
      </span>
    );
  const { tone, bars } = looks[level];
  return (
    <span className={`badge tone-${tone} risk-${level}`} title={`Risk: ${level}`}>
      <Bars number={bars} />
      <span className="unseen">Risk {level}: </span>
      {text}
    </span>
  );
}

/** Three bars, each higher than the one before, of which so many are full. */
function Bars({ number }: { readonly number: number }) {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      {[4, 7, 10].map((height, at) => (
        <rect
          key={height}
          x={1.5 + at * 4}
          y={12 - height}
          width="3"
          height={height}
          rx="0.75"
          fill="currentColor"
          fillOpacity={at < number ? 1 : 0.3}
        />
      ))}
    </svg>
  );
}
