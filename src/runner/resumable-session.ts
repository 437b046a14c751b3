import type { TaskState } from '../machines/project-state.ts';
import type { AgentPlan } from './agent-plan.ts';

/**
 * The session that the next attempt goes on with: the last one, if the same agent opened it, and if going
 * on with it has not been tried in vain. `undefined`: a new one.
 */
export function resumableSession({ session, agent }: TaskState, plan: AgentPlan): string | undefined {
  if (!session || !plan.adapter.resumes) return undefined;
  if (session.adapter !== plan.adapter.name || session.agent !== plan.agent) return undefined;
  if (agent && wasResumedInVain(agent, plan)) return undefined;
  return session.sessionId;
}

/** It was to go on with a session, and never came as far as to connect. */
export function wasResumedInVain(
  { sessionId, connectedAt, end }: NonNullable<TaskState['agent']>,
  { adapter }: Pick<AgentPlan, 'adapter'>,
): boolean {
  return adapter.connects && sessionId !== undefined && end !== undefined && connectedAt === undefined;
}
