import { looksSecret } from '../../events/secrets/looks-secret.ts';
import type { ScreenState } from '../screen/screen-state.ts';

/** So many are kept at most. */
const MOST = 20;

/** The screen with words that had nowhere to go among the earlier answers, but for what looks like a secret. */
export function keepingWords(state: ScreenState, words: readonly string[]): ScreenState {
  const kept = words.filter(mayBeTaken);
  if (kept.length === 0) return state;
  return { ...state, unsent: [...new Set([...kept, ...state.unsent])].slice(0, MOST) };
}

/** That these words were not sent, and where they are; a clause. */
export function notSent(words: string): string {
  return `your draft was not sent${mayBeTaken(words) ? ': Up in the next box has it, Alt+Up beside options' : ''}`;
}

function mayBeTaken(text: string): boolean {
  return text.trim() !== '' && !looksSecret(text);
}
