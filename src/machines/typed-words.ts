import type { Asked, RecordedAnswer, RequestState } from './project-state.ts';

/** What somebody was asked, as far as it says whether an answer is typed. */
export type AskedFor = Pick<Asked, 'kind'> & { readonly options?: readonly string[] | undefined };

/** Whether it is what somebody typed at a program's prompt: neither one of its options, nor why it gets no answer. */
export function isTyped(
  asked: AskedFor,
  { response, rejected }: Pick<RecordedAnswer, 'response' | 'rejected'>,
): boolean {
  return asked.kind === 'prompt' && !rejected && asked.options?.includes(response) !== true;
}

/**
 * Whether the words of an answer are for the program alone that asked at a prompt: they were typed into it, or may have been
 * without the log knowing it. Where it could take nothing they are for who comes next.
 */
export function isForAskerAlone({ asked, answer }: RequestState): boolean {
  return answer !== undefined && isTyped(asked, answer) && asked.untypable !== true;
}
