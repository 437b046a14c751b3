import type { Approval } from '../events/approval.ts';
import type { AskedCalls, RequestState, SprintState } from './project-state.ts';

/** What makes two calls of a stream the same one. `task`: that its agent works on. */
type SameCall = Pick<Approval, 'callDigest' | 'definitionDigest'> & { readonly task?: string | undefined };

/** The last request of a stream that was about exactly this call, or in which a human made it of another one. */
export function lastOfCall(
  sprint: Pick<SprintState, 'requests' | 'askedCalls'> | undefined,
  call: SameCall,
): RequestState | undefined {
  const id = sprint?.askedCalls.get(keyOf(call));
  return id === undefined ? undefined : sprint?.requests.get(id);
}

/** Takes note of a request that was asked just now. */
export function noteAsked({ askedCalls }: Pick<SprintState, 'askedCalls'>, request: RequestState): void {
  const { id, asked } = request;
  if (asked.approval) askedCalls.set(keyOf({ ...asked.approval, task: asked.task }), id);
}

/** Takes note of the call that a human made of the one that a request is about, unless a later one is about that. */
export function noteEdited(
  { requests, askedCalls }: Pick<SprintState, 'requests' | 'askedCalls'>,
  { id, asked, answer }: RequestState,
): void {
  if (!asked.approval || !answer?.edited) return;
  const { definitionDigest } = asked.approval;
  const key = keyOf({ callDigest: answer.edited.callDigest, definitionDigest, task: asked.task });
  const known = askedCalls.get(key);
  // That both are about the same call is rare enough to look through all.
  const isLater = known !== undefined && requests.keys().find((each) => each === known || each === id) === id;
  if (!isLater) askedCalls.set(key, id);
}

/** What follows from these requests, in the order in which they were asked. */
export function askedCallsOf(requests: SprintState['requests']): AskedCalls {
  const sprint = { requests, askedCalls: new Map<string, string>() };
  for (const request of requests.values()) noteAsked(sprint, request);
  for (const request of requests.values()) noteEdited(sprint, request);
  return sprint.askedCalls;
}

function keyOf({ callDigest, definitionDigest, task = '' }: SameCall): string {
  return JSON.stringify([callDigest, definitionDigest, task]);
}
