import type { ProjectState, RequestState } from '../../machines/project-state.ts';
import { looksSecret } from '../../events/secrets/looks-secret.ts';

/** So many are gone through at most. */
const MOST = 100;

/**
 * What humans have answered to questions in this project in their own words or with an option, the newest first, each once.
 * Neither what was typed at prompts of programs, nor what looks like a secret: nobody sends that again by a key too many.
 */
export function answerHistory({ streams }: Pick<ProjectState, 'streams'>): string[] {
  const answered = streams
    .loaded()
    .flatMap(({ requests }) => [...requests.values()])
    .flatMap(asAnswered)
    .toSorted((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
  return [...new Set(answered.map(({ response }) => response))].slice(0, MOST);
}

function asAnswered({ asked, answer }: RequestState): { response: string; at: string }[] {
  if (!answer || answer.verdict !== undefined || asked.kind === 'prompt' || asked.questions) return [];
  const { response, at, rejected, rephrase } = answer;
  if (rejected || rephrase) return [];
  return response.trim() === '' || looksSecret(response) ? [] : [{ response, at }];
}
