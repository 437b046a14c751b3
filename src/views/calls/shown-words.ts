import { looksSecret } from '../../events/secrets/redaction.ts';

/** Stands for what a human has answered and nobody else is to read. */
const HIDDEN = '[not shown: it looks like a secret]';

/** What a human wrote, unless it looks like a secret: it had to reach the agent, and nobody else. */
export function shownWords(words: string): string {
  return looksSecret(words) ? HIDDEN : words;
}
