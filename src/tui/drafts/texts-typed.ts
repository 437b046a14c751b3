import { looksSecret } from '../../events/secrets/looks-secret.ts';
import { asksSecret } from '../../views/requests/asks-secret.ts';
import { wholeText } from '../text/text-buffer.ts';
import type { ScreenState } from '../screen/screen-state.ts';

/**
 * The texts that were typed about a question and not sent, in full: its answer or those to a form, a reason, a question back. Not
 * what looks like a secret, or is asked for as one.
 */
export function textsTyped(
  {
    drafts,
    reasons,
    asks,
    forms,
    sprint,
  }: Pick<ScreenState, 'drafts' | 'reasons' | 'asks' | 'forms' | 'sprint'>,
  id: string,
): string[] {
  const question = sprint.open.find((each) => each.id === id);
  if (question && asksSecret(question)) return [];
  const buffers = [
    drafts.get(id),
    ...(forms.get(id)?.entries.map(({ words }) => words) ?? []),
    reasons.get(id),
    asks.get(id),
  ];
  return buffers
    .flatMap((buffer) => (buffer ? [wholeText(buffer)] : []))
    .filter((text) => text.trim() !== '' && !looksSecret(text));
}
