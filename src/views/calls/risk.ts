import type { Approval } from '../../events/approval.ts';
import type { RequestKind } from '../../events/descriptors/help-events.ts';
import { highRisks } from '../../events/command-risk.ts';
import { lookOfCommandRisk } from './command-risk.ts';
import type { RiskLevel } from './risk-level.ts';

/** What a yes to a call may lead to, as far as it is known: the worst first. */
export const risks = [
  'changed',
  ...highRisks,
  'commands',
  'unsaid',
  'outside',
  'edits',
  'reads',
  'none',
] as const;

/** One of them. `none`: no call waits, an agent only asks. */
export type Risk = (typeof risks)[number];

/** Own tools of agents by the kind that the Agent Client Protocol has for them. */
const ofKinds: Readonly<Record<string, Risk>> = {
  delete: 'destroys',
  execute: 'commands',
  fetch: 'outside',
  edit: 'edits',
  move: 'edits',
  read: 'reads',
  search: 'reads',
  think: 'reads',
};

const levels: Readonly<Record<Exclude<Risk, 'none'>, RiskLevel>> = {
  changed: 'high',
  destroys: lookOfCommandRisk('destroys').level,
  sends: lookOfCommandRisk('sends').level,
  rights: lookOfCommandRisk('rights').level,
  commands: 'medium',
  unsaid: 'medium',
  outside: 'medium',
  edits: 'medium',
  reads: 'low',
};

/** How great it is; `undefined`: there is none. */
export function riskLevel(risk: Risk): RiskLevel | undefined {
  return risk === 'none' ? undefined : levels[risk];
}

/**
 * What a yes may lead to. A server that is not believed is believed one thing: that its tool destroys. A tool that is not
 * what it was when somebody looked at it last comes before everything.
 */
export function riskOf(approval: Approval | undefined): Risk {
  if (approval === undefined) return 'none';
  const { isOwn, tool, trust, change, annotations = {} } = approval;
  if (change !== undefined) return 'changed';
  const worst = highRisks.find((risk) => approval[risk]);
  if (worst) return worst;
  if (isOwn) return Object.hasOwn(ofKinds, tool) ? (ofKinds[tool] ?? 'unsaid') : 'unsaid';
  if (annotations['destructiveHint'] === true && annotations['readOnlyHint'] !== true) return 'destroys';
  if (trust !== 'full') return 'unsaid';
  if (annotations['openWorldHint'] === true) return 'outside';
  if (annotations['readOnlyHint'] === true) return 'reads';
  return annotations['destructiveHint'] === false ? 'edits' : 'unsaid';
}

const words: Readonly<Record<Exclude<Risk, 'none'>, string>> = {
  changed: 'tool has changed',
  destroys: lookOfCommandRisk('destroys').word,
  sends: lookOfCommandRisk('sends').word,
  rights: lookOfCommandRisk('rights').word,
  commands: 'runs a command',
  unsaid: 'effect unknown',
  outside: 'reaches outside',
  edits: 'changes files',
  reads: 'only reads',
};

/** The same for people; of what is no call, what it is. */
export function riskText({ risk, kind }: { readonly risk: Risk; readonly kind: RequestKind }): string {
  if (risk !== 'none') return words[risk];
  return kind === 'prompt' ? 'prompt' : 'question';
}

/** The others of a call that are as great, in words: of each of them a command has a part of its own. */
export function otherRisks(approval: Approval | undefined): string[] {
  const risk = riskOf(approval);
  return highRisks.filter((each) => each !== risk && approval?.[each] === true).map((each) => words[each]);
}

/** Whether it is one of the worst: what it does cannot be taken back, or nobody knows any more what it does. */
export function isWorst(risk: Risk): boolean {
  return risk === 'changed' || risk === 'destroys';
}

/** Compares for the order in which a human looks at them: negative where the first is the greater risk. */
export function byRisk(one: Risk, other: Risk): number {
  return risks.indexOf(one) - risks.indexOf(other);
}
