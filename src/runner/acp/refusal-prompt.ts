import { cleanLine } from '../../lib/text/hidden-characters.ts';

/** What was refused, in the agent's words, and why. */
export type Refusal = {
  readonly call: string;
  readonly reason: string;
  /** The reason says what to do in its place. */
  readonly tellsWhatToDo?: boolean | undefined;
};

/**
 * The words that an agent goes on with after its turn ended with refusals.
 *
 * @param brokenOff - What ended with it and was not refused, in the agent's words.
 */
export function refusalPrompt(refusals: readonly Refusal[], brokenOff: readonly string[] = []): string {
  const lines = refusals.map(({ call, reason }) => `- ${cleanLine(call, 300)}: ${reason}`);
  const isTold = refusals.some(({ tellsWhatToDo }) => tellsWhatToDo);
  const goOn = isTold
    ? 'Do what is said there, do without the rest, and go on with your task.'
    : 'Do without it, and go on with your task.';
  const refused = `Clifford did not allow what you wanted to do:\n${lines.join('\n')}\n\n${goOn}`;
  if (brokenOff.length === 0) return refused;
  const others = brokenOff.map((call) => `- ${cleanLine(call, 300)}`).join('\n');
  return `${refused}\n\nThis was only broken off with it. Where you still need it, make exactly the same call again:\n${others}`;
}
