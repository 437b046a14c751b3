import type { EndReason } from '../../events/end-reason.ts';
import type { AgentRun, TaskState } from '../../machines/task-state.ts';
import type { AgentPlan } from './agent-plan.ts';
import { isSessionId } from '../agents/session-id.ts';

/**
 * The session that the next attempt goes on with: the last one that the same agent opened, if going on with
 * it has not been tried in vain. `undefined`: a new one.
 */
export function resumableSession({ sessions, agent }: TaskState, plan: AgentPlan): string | undefined {
  if (!plan.adapter.resumes) return undefined;
  const session = sessions.find((each) => each.agent === plan.agent && each.adapter === plan.adapter.name);
  if (!session) return undefined;
  // Whatever session that one named in the end: who is resumed in vain again and again burns no attempt.
  if (agent && agent.agent === plan.agent && wasResumedInVain(agent, plan)) return undefined;
  // A log of before, or one that was written by hand, may hold anything.
  return isSessionId(session.sessionId) ? session.sessionId : undefined;
}

/** Ends that say nothing about the session: the agent could have gone on. */
const outerReasons: ReadonlySet<EndReason> = new Set(['stopped', 'limited', 'overspent', 'parked']);

/** It was to go on with a session, and never came as far as to connect. */
function wasResumedInVain(
  { sessionId, connectedAt, end }: AgentRun,
  { adapter }: Pick<AgentPlan, 'adapter'>,
): boolean {
  if (!adapter.connects || sessionId === undefined || connectedAt !== undefined) return false;
  // Without a code it was lost: its runner was gone, or the system could not start it.
  if (end === undefined || !('code' in end)) return false;
  return end.reason === undefined || !outerReasons.has(end.reason);
}
