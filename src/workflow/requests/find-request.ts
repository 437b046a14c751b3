import { CliffordError, type Recovery } from '../../errors.ts';
import { perVersion } from '../../machines/per-version.ts';
import type { ProjectState, RequestState, SprintState } from '../../machines/project-state.ts';

const openIn = perVersion(({ requests }): readonly RequestState[] =>
  [...requests.values()].filter(({ phase }) => phase === 'open'),
);

/** Every request that waits for a human, oldest first. */
export function openRequests(state: ProjectState): RequestState[] {
  return state.streams
    .loaded()
    .flatMap(openIn)
    .sort((a, b) => (a.askedAt < b.askedAt ? -1 : a.askedAt > b.askedAt ? 1 : 0));
}

/** The request with exactly this id. */
export function requestById(state: ProjectState, id: string): RequestState | undefined {
  const loaded = state.streams.loaded().find(({ requests }) => requests.has(id));
  const sprint = loaded ?? state.streams.mentioning(id).find(({ requests }) => requests.has(id));
  return sprint?.requests.get(id);
}

/**
 * A request whose answer an agent may wait for by its id: what a program asked at its prompt is answered to that program alone.
 *
 * @throws {CliffordError} `NOT_A_QUESTION`
 */
export function awaitable(request: RequestState): RequestState {
  if (request.asked.kind !== 'prompt') return request;
  throw new CliffordError(`Cannot wait for ${request.id}: a program asks that at its prompt`, {
    code: 'NOT_A_QUESTION',
    fix: 'What is answered is typed there, or told to the next attempt at its task',
  });
}

/** Every id begins with the same two characters: a slip of the pen is no beginning of one. */
const SHORTEST_BEGINNING = 6;

/**
 * The request a person means: a full id, a unique beginning of one of 6 characters or more, or `last` for the only open one.
 * No name means none, not the only one: a script may have lost its id.
 *
 * @throws {CliffordError} `REQUEST_UNKNOWN` or `REQUEST_AMBIGUOUS`, which lists the candidates.
 */
export function findRequest(state: ProjectState, name: string): RequestState {
  const exact = requestById(state, name);
  if (exact) return exact;
  const open = openRequests(state);
  // `last` is never a slip of the pen: what is open just does not allow it.
  if (name === 'last')
    return only(open, 'the last request', {
      none: 'no question and no tool call waits for an answer',
      recovery: 'give-up',
    });
  const startsSo =
    name.length < SHORTEST_BEGINNING
      ? []
      : requestsOf(state.streams.mentioning(name)).filter(({ id }) => id.startsWith(name));
  const openOnes = startsSo.filter(({ phase }) => phase === 'open');
  const what = `request ${name === '' ? '""' : name}`;
  const isShort = name !== '' && 'q-'.startsWith(name.slice(0, 2)) && name.length < SHORTEST_BEGINNING;
  const none = isShort
    ? `a beginning of its id has ${SHORTEST_BEGINNING} characters or more`
    : 'no question has that id';
  return only(openOnes.length > 0 ? openOnes : startsSo, what, { none });
}

function only(
  found: readonly RequestState[],
  what: string,
  { none, recovery }: { none: string; recovery?: Recovery | undefined },
): RequestState {
  const [first, second] = found;
  if (first && !second) return first;
  if (!first) {
    throw new CliffordError(`Cannot find ${what}: ${none}`, {
      code: 'REQUEST_UNKNOWN',
      fix: 'See what is open with: clifford questions',
      recovery,
    });
  }
  const listed = found.map(({ id, asked }) => `${id} (${asked.question.split('\n', 1)[0]?.slice(0, 60)})`);
  throw new CliffordError(`Cannot tell which is ${what}: it could be ${listed.join(', ')}`, {
    code: 'REQUEST_AMBIGUOUS',
    fix: 'Name one by its id',
    recovery,
  });
}

/** Every request of some sprints, in order. */
export function requestsOf(sprints: readonly SprintState[]): RequestState[] {
  return sprints.flatMap(({ requests }) => [...requests.values()]);
}
