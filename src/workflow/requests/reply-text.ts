import type { RequestState } from '../../machines/project-state.ts';

/**
 * What an agent is told about the end of its question: the answer as the human wrote it, and nothing
 * else; or that the question was turned down or dismissed, or ended with its task. `undefined` while it is open.
 */
export function replyText({ id, answer, dismissal }: RequestState): string | undefined {
  if (answer?.rejected) {
    return (
      `The human turned this question down (${id}): ${answer.response}\n` +
      'Do not ask it again as it is. Take the reason as guidance: change what you do, or ask something better.'
    );
  }
  if (answer) return answer.response.trim() === '' ? 'The human sent an empty answer' : answer.response;
  if (!dismissal) return undefined;
  if (dismissal.via === 'log') {
    return (
      `Nobody answered this question (${id}): ${dismissal.reason ?? 'its task has ended'}. If you still need ` +
      'to know, read the sprint with get_sprint_context first.'
    );
  }
  const why = dismissal.reason === undefined ? '' : ` Reason: ${dismissal.reason}.`;
  return (
    `The human dismissed this question (${id}) without an answer.${why} Do not ask it again: go on with ` +
    'your best judgement, or leave that part out and say so when you complete the task.'
  );
}
