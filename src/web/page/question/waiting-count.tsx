import { riskLevel } from '../../../views/calls/risk.ts';
import { waitVerb } from '../../../views/requests/waits-text.ts';
import type { QuestionHead } from '../../api/question.ts';
import { riskTone } from './risk-tone.ts';

/** How many wait, as loud as the first of them where that is a great risk: the greatest comes first. */
export function WaitingCount({ waiting }: { readonly waiting: readonly QuestionHead[] }) {
  const risk = waiting[0]?.risk ?? 'none';
  const isHigh = riskLevel(risk) === 'high';
  const words = `${waitVerb(waiting.length)}${isHigh ? ', risk high' : ''}`;
  return (
    <span
      className={`count number ${isHigh ? riskTone(risk) : 'tone-wait'}`}
      title={`${waiting.length} ${words}`}
    >
      {waiting.length}
      <span className="unseen"> {words}</span>
    </span>
  );
}
