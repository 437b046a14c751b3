import { ADHOC_STREAM } from '../../../events/adhoc-stream.ts';
import { answerLine } from '../../../events/form/answers-text.ts';
import { clip } from '../../../lib/text/clip.ts';
import { visibleLine } from '../../../lib/text/visible.ts';
import type { RequestState } from '../../../machines/project-state.ts';
import { isTyped } from '../../../machines/typed-words.ts';
import { shownWords } from '../../../views/calls/shown-words.ts';
import { allowedText, type Hears } from '../../../views/requests/allowed-text.ts';
import { isAskedInShell } from '../../../views/requests/asker.ts';
import { editOutcome } from '../../../workflow/requests/edited-call.ts';
import { explainOutcome } from '../../../workflow/requests/explain-first.ts';

/** What a human says to a question or a call. */
export type Said = 'answer' | 'rephrase' | 'reject' | 'dismiss' | 'approve' | 'deny' | 'explain';

/** What whoever has closed a question or a call is told of it, in a sentence: `Denied: its agent is told`. */
export function presentDecided(said: Said, request: RequestState, hears: Hears): string {
  return texts[said](request, hears);
}

const texts: Readonly<Record<Said, (request: RequestState, hears: Hears) => string>> = {
  answer: (request, hears) =>
    `Answered${wordsOf(request)}: ${(hears.isAwaited && atPrompt(request)) || `${hearerOf(request, hears)} is told`}`,
  rephrase: (request, hears) => `Asked for other words: ${hearerOf(request, hears)} is told`,
  reject: (request, hears) =>
    request.asked.kind === 'prompt'
      ? 'Turned down: the attempt ends, and the next one is told why'
      : `Turned down: ${hearerOf(request, hears)} is told why`,
  dismiss: (request, hears) => {
    const { kind, untypable } = request.asked;
    if (kind !== 'prompt') return `Dismissed: ${hearerOf(request, hears)} is told that there is no answer`;
    return `Dismissed: ${untypable ? 'nobody is told' : 'nothing is typed, the program waits on until its agent is ended'}`;
  },
  approve: (request, hears) => {
    const { stream, answer, asked } = request;
    if (answer?.verdict === 'edited' && asked.approval)
      return `Allowed as changed: ${editOutcome(asked.approval, stream)}`;
    return allowedText(request, { scope: answer?.scope, ...hears });
  },
  deny: (request, hears) => `Denied: ${hearerOf(request, hears)} is told`,
  explain: ({ stream, asked: { approval } }) =>
    `Asked: ${approval ? explainOutcome(approval, stream) : 'it does not run for now'}`,
};

/** Who is told of it. */
function hearerOf(request: RequestState, { isParked, isAwaited }: Hears): string {
  if (isParked || isAwaited) return isAskedInShell(request) ? 'whoever asked' : 'its agent';
  return request.stream === ADHOC_STREAM ? 'whoever asks the same again' : 'the next attempt';
}

/** So much is said of an answer, in characters. */
const WORDS_LENGTH = 60;

/** What was answered, in a few words; nothing of what was typed at a program's prompt. */
function wordsOf({ asked, answer }: RequestState): string {
  if (!answer || isTyped(asked, answer)) return '';
  return ` “${clip(visibleLine(shownWords(answerLine(answer))), WORDS_LENGTH)}”`;
}

/** What an answer does at the prompt of a program that waits; `undefined`: it is none. */
function atPrompt({ asked: { kind, untypable } }: RequestState): string | undefined {
  if (kind !== 'prompt') return undefined;
  return untypable ? 'the attempt ends, and the next one is told' : 'it is typed into the program';
}
