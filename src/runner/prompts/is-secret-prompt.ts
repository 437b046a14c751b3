import { namesSecret } from '../../views/requests/asks-secret.ts';
import type { Prompt } from './prompt.ts';

/** Whether a program asks for something that nobody else is to know: every face reads it from the request that is made of its prompt. */
export function isSecretPrompt({ kind, question }: Pick<Prompt, 'kind' | 'question'>): boolean {
  return kind === 'secret' || namesSecret(question);
}
