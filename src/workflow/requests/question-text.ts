import type { RequestState } from '../../machines/project-state.ts';

/** What an agent is told that was asked, with the answer. What a program asked it never heard of. */
export function questionText({ asked: { kind, question, approval } }: RequestState): string {
  if (approval) return `May this tool call run: ${question.replace(/^Allow /, '').replace(/\?$/, '')}?`;
  if (kind !== 'prompt') return question;
  return (
    `An earlier attempt stopped at a prompt of its terminal, where no answer could be typed: "${question}". ` +
    'The answer is for you now. Go on without such a prompt, e.g. with a flag that answers it.'
  );
}
