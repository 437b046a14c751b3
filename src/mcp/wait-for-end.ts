import type { ProjectState, RequestState } from '../machines/project-state.ts';
import { recordDetached } from '../workflow/requests/deliver.ts';
import type { ToolCall } from './tool.ts';

/**
 * Waits until a human has answered or dismissed a request, woken by the log. When the call ends
 * before that, the request stays open and the log says that its agent has gone.
 *
 * @throws the abort reason when the call ends first. Nobody gets a result of such a call.
 */
export async function waitForEnd(
  request: RequestState,
  { project, agent, session, signal }: ToolCall,
): Promise<RequestState> {
  try {
    return await project.until((state) => ended(state, request), { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    const why = session.endedBecause ?? `the call was cancelled: ${reasonOf(signal)}`;
    await recordDetached(project, request, { agentId: agent.id, why });
    throw error;
  }
}

function ended(state: ProjectState, { stream, id }: RequestState): RequestState | undefined {
  const request = state.streams.get(stream)?.requests.get(id);
  return request?.phase === 'open' ? undefined : request;
}

/** The client may say why; the SDK makes up an error when it does not. */
function reasonOf({ reason }: AbortSignal): string {
  if (typeof reason === 'string' && reason !== '') return reason;
  return 'the client gave no reason';
}
