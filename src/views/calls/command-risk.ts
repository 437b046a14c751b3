import type { RiskLevel } from './risk-level.ts';
import { highRisks, type CommandRisk } from '../../events/command-risk.ts';

/** What a part of a command does that is not to be overlooked: a sign, words, and how great a risk it is. */
export type CommandRiskLook = { readonly sign: string; readonly word: string; readonly level: RiskLevel };

const words: Readonly<Record<CommandRisk, string>> = {
  destroys: 'may destroy',
  sends: 'sends something out',
  rights: "with another user's rights",
  overwrites: 'may write over files',
  code: 'runs code that is not taken apart',
  outside: 'reaches outside',
};
const high: ReadonlySet<CommandRisk> = new Set(highRisks);

/** What is said of a part of which not all words are known before it runs. */
export const OPEN = 'known only when it runs';

/** How it is shown on every face. */
export function lookOfCommandRisk(risk: CommandRisk): CommandRiskLook {
  const word = words[risk];
  return high.has(risk) ? { sign: '!', word, level: 'high' } : { sign: '~', word, level: 'medium' };
}
