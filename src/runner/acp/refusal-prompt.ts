import { asOneLine } from '../../lib/text/hidden-characters.ts';

/** What was refused, in the agent's words, and why. */
export type Refusal = { readonly call: string; readonly reason: string };

/** The words that an agent goes on with after its turn ended with refusals. */
export function refusalPrompt(refusals: readonly Refusal[]): string {
  const lines = refusals.map(({ call, reason }) => `- ${asOneLine(call, 300)}: ${reason}`);
  return `Clifford did not allow what you wanted to do:\n${lines.join('\n')}\n\nDo without it, and go on with your task.`;
}
