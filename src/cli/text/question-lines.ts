import type { RequestView } from '../../machines/describe.ts';
import { visible } from './visible.ts';

/** A question in full, as the agent put it, and the command that answers it. */
export function questionLines({ id, question, reason, context, options }: Asked): string[] {
  return [
    ...visible(question).split('\n'),
    ...(reason === undefined ? [] : visible(`reason: ${reason}`).split('\n')),
    ...(context === undefined ? [] : visible(`context: ${context}`).split('\n')),
    ...options.map((option, index) => visible(`${index + 1}. ${option}`)),
    `answer with: clifford answer ${id} "…"${options.length === 0 ? '' : ', or --option <n>'}`,
  ];
}

type Asked = Pick<RequestView, 'id' | 'question' | 'reason' | 'context' | 'options'>;
