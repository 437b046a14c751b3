import type { QuestionHead } from '../../api/question.ts';
import type { Tone } from '../parts/state-sign.tsx';
import { Icon } from '../parts/icon.tsx';

const tones: Readonly<Record<QuestionHead['risk'], Tone>> = {
  changed: 'bad',
  destroys: 'bad',
  commands: 'wait',
  unsaid: 'wait',
  outside: 'wait',
  edits: 'wait',
  reads: 'calm',
  none: 'go',
};

type RiskBadgeProps = {
  readonly risk: QuestionHead['risk'];
  readonly kind: QuestionHead['kind'];
  readonly text: string;
};

/** What a yes may lead to, in words; of a question that it is one. */
export function RiskBadge({ risk, text }: RiskBadgeProps) {
  const tone = tones[risk];
  return (
    <span className={`badge tone-${tone}`}>
      <Icon name={tone === 'bad' ? 'warning' : risk === 'none' ? 'info' : 'terminal'} size={14} />
      {text}
    </span>
  );
}
