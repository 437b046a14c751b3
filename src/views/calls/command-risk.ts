import type { RiskLevel } from './risk-level.ts';
import type { CommandRisk } from '../../workflow/policy/command-parts.ts';

/** What a part of a command does that is not to be overlooked: a sign, words, and how great a risk it is. */
export type CommandRiskLook = { readonly sign: string; readonly word: string; readonly level: RiskLevel };

const looks: Readonly<Record<CommandRisk, CommandRiskLook>> = {
  destroys: { sign: '!', word: 'may destroy', level: 'high' },
  sends: { sign: '!', word: 'sends something out', level: 'high' },
  rights: { sign: '!', word: "with another user's rights", level: 'high' },
  overwrites: { sign: '~', word: 'may write over files', level: 'medium' },
  code: { sign: '~', word: 'runs code that is not taken apart', level: 'medium' },
  outside: { sign: '~', word: 'reaches outside', level: 'medium' },
};

/** What is said of a part of which not all words are known before it runs. */
export const OPEN = 'known only when it runs';

/** How it is shown on every face. */
export function lookOfCommandRisk(risk: CommandRisk): CommandRiskLook {
  return looks[risk];
}
