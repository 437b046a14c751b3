import type { Asked } from '../../machines/project-state.ts';
import { asksSecret } from './asks-secret.ts';

/** Says that nothing is an answer, too, or what is taken then. */
const saysEmpty =
  /\b(?:empty|blank|optional)\b|\bpress (?:enter|return) (?:for|to (?:skip|keep|use))\b|\b(?:default|keep|unchanged|skip)\b|\[(?:none|\*+\w{0,8})\]/i;
/** Says that it is none. */
const forbidsEmpty = /(?:not|n't|never|non)\b.{0,20}\b(?:empty|blank)\b/i;
/** Asks for what was just typed once more. */
const asksAgain = /\b(?:again|same|confirm|repeat|verify|re-?(?:type|enter))\b/i;
/** So many lines before may say it of what is asked for again. */
const LINES_BEFORE = 4;

/**
 * Whether an empty answer is one: it is typed into the program as Enter alone, which may take a default or no passphrase. Sent by
 * mistake it is a wrong password, so where a secret is asked for, its question has to say so.
 */
export function takesEmpty(
  asked: Pick<Asked, 'kind' | 'question' | 'context' | 'options' | 'untypable' | 'secret' | 'awaitsKey'>,
): boolean {
  const { kind, question, context = '', options = [], untypable } = asked;
  if (kind !== 'prompt' || untypable === true || options.length > 0) return false;
  if (asked.awaitsKey === true || !asksSecret(asked) || mayBeEmpty(question)) return true;
  return asksAgain.test(question) && mayBeEmpty(context.split('\n').slice(-LINES_BEFORE).join('\n'));
}

function mayBeEmpty(words: string): boolean {
  return saysEmpty.test(words) && !forbidsEmpty.test(words);
}
