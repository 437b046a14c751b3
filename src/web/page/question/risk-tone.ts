import { isWorst, riskLevel, type Risk } from '../../../views/calls/risk.ts';

/** How loud a risk is drawn: the worst on a full ground, what is as great in its colour alone. */
export function riskTone(risk: Risk): string {
  const level = riskLevel(risk);
  if (level === 'high') return isWorst(risk) ? 'tone-bad risk-worst' : 'tone-bad';
  return level === 'medium' ? 'tone-wait' : 'tone-calm';
}
