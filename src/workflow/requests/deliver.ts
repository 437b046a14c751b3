import { subjectOf } from '../../events/envelope.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../project/project.ts';

/** Records that the end of these requests was flushed to an agent. Call after the flush. */
export async function recordDelivery(
  project: Project,
  requests: readonly RequestState[],
  agentId: string,
): Promise<void> {
  const byStream = Map.groupBy(requests, ({ stream }) => stream);
  for (const [stream, ended] of byStream) {
    await project.record(
      stream,
      ended.map((request) => deliveryOf(request, agentId)),
    );
  }
}

/** The fact that the end of a request reached an agent. */
export function deliveryOf({ id, stream, taskId }: RequestState, agentId: string): Candidate {
  return { type: 'help.delivered', subject: subjectOf(stream, taskId), data: { requestId: id, to: agentId } };
}

/** Records that an agent's call waits for an open request again. */
export async function recordAttached(
  project: Project,
  { id, stream, taskId }: RequestState,
  agentId: string,
): Promise<void> {
  await project.record(stream, [
    { type: 'help.attached', subject: subjectOf(stream, taskId), data: { requestId: id, agent: agentId } },
  ]);
}

/** Records that an agent's call ended without an answer. The question stays open. */
export async function recordDetached(
  project: Project,
  request: RequestState,
  how: { agentId: string; why: string },
): Promise<void> {
  await project.record(request.stream, [detachmentOf(request, how)]);
}

/** The fact that an agent does not wait for a request any more. */
export function detachmentOf(
  { id, stream, taskId }: RequestState,
  { agentId, why }: { agentId: string; why: string },
): Candidate {
  return {
    type: 'help.detached',
    subject: subjectOf(stream, taskId),
    data: { requestId: id, agent: agentId, why },
  };
}
