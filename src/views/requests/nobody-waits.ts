import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';

/** What comes of an answer, or of a yes, where no agent waits for it now. */
export function nobodyWaitsText({
  sprint,
  isCall,
}: {
  readonly sprint: string;
  readonly isCall: boolean;
}): string {
  if (isCall) return 'a yes counts when the agent makes the call again';
  // Outside of a sprint nobody starts another attempt.
  return sprint === ADHOC_STREAM ? 'whoever asks the same again gets the answer' : 'the next attempt is told';
}
