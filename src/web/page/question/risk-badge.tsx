import type { RiskLevel } from '../../../views/calls/risk-level.ts';
import { riskLevel } from '../../../views/calls/risk.ts';
import type { QuestionHead } from '../../api/question.ts';
import { Icon } from '../parts/icon.tsx';
import { riskTone } from './risk-tone.ts';

const bars: Readonly<Record<RiskLevel, number>> = { high: 3, medium: 2, low: 1 };

type RiskBadgeProps = { readonly of: Pick<QuestionHead, 'risk' | 'riskText' | 'otherRisks'> };

/**
 * What a yes may lead to, in words, behind as many bars as the risk is great; of a question that it is one. What else is as great is named
 * where there is room, and counted where there is none.
 */
export function RiskBadge({ of: { risk, riskText, otherRisks = [] } }: RiskBadgeProps) {
  const level = riskLevel(risk);
  if (level === undefined)
    return (
      <span className="badge tone-calm">
        <Icon name="ask" size={14} />
        {riskText}
      </span>
    );
  const others = otherRisks.map((other) => `, ${other}`).join('');
  return (
    <span className={`badge ${riskTone(risk)} risk-${level}`} title={`Risk: ${level} (${riskText}${others})`}>
      <Bars number={bars[level]} />
      <span>
        <span className="unseen">Risk {level}: </span>
        {riskText}
        {others && (
          <>
            <span className="badge-others">{others}</span>
            <span className="badge-more" aria-hidden="true">
              {` +${otherRisks.length}`}
            </span>
          </>
        )}
      </span>
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
