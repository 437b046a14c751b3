import { sha256 } from '../lib/digest.ts';
import { CliffordError } from '../errors.ts';
import { perVersion } from '../machines/per-version.ts';
import type { RequestState } from '../machines/project-state.ts';
import { ask, type Question } from '../workflow/requests/ask.ts';
import { recordDelivery, recordDetached } from '../workflow/requests/deliver.ts';
import { requestById } from '../workflow/requests/find-request.ts';
import { replyText } from '../workflow/requests/reply-text.ts';
import { questionWords } from '../workflow/requests/question-words.ts';
import { pathOf, type SignalDeps } from './signal-deps.ts';
import { streamUnderWay } from '../workflow/sprint/home-stream.ts';
import { recordReceived } from './record-received.ts';
import { rejectFile } from './reject-file.ts';
import type { Stamp } from './signal-file.ts';

/** A question in a file that another program has written. */
export type ForeignQuestion = {
  readonly label: string;
  readonly kind: 'block' | 'question';
  readonly stamp: Stamp;
  readonly digest: string;
  readonly question: Question;
};

/** How the log names the files that ask. */
const ASKER = 'file:';

const askedByFilesIn = perVersion(({ requests }): readonly RequestState[] =>
  [...requests.values()].filter(({ asked: { origin } }) => origin.agent.startsWith(ASKER)),
);

/**
 * The request of a question in a file; asked in the log when it is new there.
 *
 * Its id is made of the file's name, content and time of change, so that it is asked once, whichever
 * process finds it and whenever. The same words written again later are a new question; a file touched
 * before it was answered is the same one.
 *
 * @returns `undefined` when the log does not take it: the file was refused.
 */
export async function adopt(deps: SignalDeps, file: ForeignQuestion): Promise<RequestState | undefined> {
  const { project } = deps;
  const { label, kind, digest, question } = file;
  const key = keyOf(file);
  const known = requestById(project.state, `q-file-${key}`) ?? twinOf(deps, file);
  if (known) return known;
  const agent = { id: `${ASKER}${key}`, client: label };
  const stream = streamUnderWay(project.state);
  try {
    const request = await ask(project, { ...question, stream, agent, requestId: `q-file-${key}` });
    await recordReceived(project, stream, { label, kind, digest });
    return request;
  } catch (error) {
    // Whatever is wrong with the log is no fault of the file.
    const isRefused = error instanceof CliffordError && /fix-input|give-up/.test(error.recovery);
    if (!isRefused) throw error;
    await rejectFile(deps, pathOf(deps, label), { reason: error.message, stamp: file.stamp });
    return undefined;
  }
}

/** The request of a file, while its author waits for the answer. */
export function isAwaitedByFile({ asked: { origin }, waiting }: RequestState): boolean {
  return origin.agent.startsWith(ASKER) && waiting.has(origin.agent);
}

/** Every request whose author waits at a file. */
export function awaitedByFiles(deps: SignalDeps): RequestState[] {
  return askedByFiles(deps).filter(isAwaitedByFile);
}

/** The file a request came from. */
export function labelOfAsker({ asked: { origin } }: RequestState): string {
  return origin.client ?? '';
}

/** What the author of a file is told about the end of its question. Exactly what the human wrote. */
export function replyFor(request: RequestState): string {
  return request.answer?.response ?? replyText(request) ?? '';
}

/** The answer lies where its author looks for it. */
export async function recordHandedOver({ project }: SignalDeps, request: RequestState): Promise<void> {
  await recordDelivery(project, [request], request.asked.origin.agent);
}

/** Records whose authors have taken their files away, unanswered. Their questions stay. */
export async function recordGone(
  deps: SignalDeps,
  isThere: (label: string, request: RequestState) => boolean,
): Promise<void> {
  for (const request of awaitedByFiles(deps)) {
    const label = labelOfAsker(request);
    if (isThere(label, request)) continue;
    const why = `${label} was taken away by its author`;
    await recordDetached(deps.project, request, { agentId: request.asked.origin.agent, why });
  }
}

function keyOf({ label, stamp, digest }: ForeignQuestion): string {
  return sha256(`${label}\0${stamp.mtimeNs}\0${digest}`, 'hex').slice(0, 16);
}

/** What this file asked before it was touched, or got its last line break: all before it was answered. */
function twinOf(deps: SignalDeps, { label, question, stamp }: ForeignQuestion): RequestState | undefined {
  const asLogged = (text: string) => deps.project.asLogged(text);
  const words = asLogged(question.question);
  const allWords = questionWords(question, asLogged);
  const writtenAt = Number(stamp.mtimeNs / 1_000_000n);
  return askedByFiles(deps).find((request) => {
    if (labelOfAsker(request) !== label || request.asked.question !== words) return false;
    if (questionWords(request.asked) !== allWords) return false;
    return isAwaitedByFile(request) || writtenAt <= Date.parse(request.answer?.at ?? '');
  });
}

function askedByFiles({ project }: SignalDeps): RequestState[] {
  return project.state.streams.loaded().flatMap(askedByFilesIn);
}
