import type { RecordedAnswer } from '../../machines/project-state.ts';
import { isUnseen, withoutControls } from '../../lib/text/hidden-characters.ts';
import type { Prompt } from './prompt.ts';

const UP = '\u001B[A';
const DOWN = '\u001B[B';

/** What is typed for an answer to a prompt, the end of the line included. */
export function typedAnswer(
  { kind, options, chosen = 0 }: Prompt,
  { response, option }: RecordedAnswer,
): string {
  if (kind === 'list' && option !== undefined && option < options.length) {
    const steps = option - chosen;
    return (steps < 0 ? UP : DOWN).repeat(Math.abs(steps)) + '\r';
  }
  const words = withoutControls(isUnseen(response) ? '' : response)
    .trim()
    .replaceAll(/(?<!\s)\s*\n\s*/g, ' ');
  // Any word means "go on"; a single key may mean that key.
  if (kind === 'key') return words.length === 1 ? `${words}\n` : '\n';
  return `${words}\n`;
}

/** What stands of it in the agent's output: an option of the prompt. Other words may be a password, in whichever language it was asked for. */
export function echoOf({ options }: Prompt, { response }: RecordedAnswer): string {
  return options.includes(response) ? `${response}\n` : '\n';
}

/**
 * Tells a human what becomes of an answer. One that looks like a secret is in no command line either, whatever was asked: that shows
 * when it is given, and is not told here.
 */
export function promptReason(
  { kind }: Pick<Prompt, 'kind'>,
  { isTypable, isSecret }: { readonly isTypable: boolean; readonly isSecret: boolean },
): string {
  const how = kind === 'key' ? ' Any answer presses Enter, a single character that key.' : '';
  const secret = isSecret
    ? ' A secret is told through the tools of Clifford alone, in no command line: an agent without them needs it before it starts, as a variable.'
    : '';
  return isTypable
    ? `The agent waits for this at its terminal. Your answer is typed into it.${how}`
    : 'The agent waits for this at its terminal, and nothing can be typed into it: its stdin is closed. ' +
        `Your answer ends this attempt; the next one starts at once and is told.${secret}`;
}
