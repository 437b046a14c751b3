import type { RequestState } from '../machines/project-state.ts';
import { labelOf, changeFile, type SignalDeps } from './signal-deps.ts';
import { recordHandedOver, replyFor } from './foreign-question.ts';
import { giveAnswer, isSame, lateReason, unfitReason } from './give-answer.ts';
import { publish } from './own-file.ts';
import type { GivenAnswer } from './read-answer.ts';
import { recordReceived } from './record-received.ts';
import { rejectFile } from './reject-file.ts';
import type { Reading } from './signal-reader.ts';

/** An answer as it stands in its file. */
export type GoodAnswer = Extract<Reading<GivenAnswer>, { state: 'good' }>;

/**
 * Hands the answer to another program's question to the log. The author reads the file itself: it
 * stays where it is.
 *
 * @returns whether it tells the author what the log says; else it was refused.
 */
export async function acceptForAuthor(
  deps: SignalDeps,
  path: string,
  { request, reading }: { request: RequestState; reading: GoodAnswer },
): Promise<boolean> {
  const { value, digest } = reading;
  const unfit = unfitReason(request, value);
  if (unfit !== undefined) {
    await rejectFile(deps, path, { ...reading, reason: unfit });
    return false;
  }
  const { accepted } = await giveAnswer(deps.project, request, value);
  if (accepted) {
    const received = { label: labelOf(deps, path), kind: value.kind, digest };
    await recordReceived(deps.project, request.stream, received);
    return true;
  }
  if (value.response === replyFor(request) || isSame(request, value)) return true;
  await rejectFile(deps, path, { ...reading, reason: lateReason(request) });
  return false;
}

/** Writes the answer where the author of a question looks for it, unless something lies there. */
export async function writeForAuthor(
  deps: SignalDeps,
  path: string,
  { request, content }: { request: RequestState; content: object },
): Promise<void> {
  const isThere = changeFile(deps, path, 'write', (file) => publish(file, content));
  if (isThere) await recordHandedOver(deps, request);
}
