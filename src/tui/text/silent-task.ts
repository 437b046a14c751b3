import { stripAgentLine } from '../../lib/text/sanitise.ts';
import type { AgentView, TaskView } from '../../views/sprints/describe-sprint.ts';

/** A task whose agent has been started, and has written nothing since. */
export type SilentTask = { readonly agent: AgentView };

/**
 * The task, where it seems to stand still, since its agent has written nothing yet.
 *
 * @param wroteAt - When its agents wrote last, in ms since the epoch.
 */
export function silentTask({ state, agent }: TaskView, wroteAt: number | undefined): SilentTask | undefined {
  if (state !== 'active' || !agent) return undefined;
  return (wroteAt ?? -1) < Date.parse(agent.startedAt) ? { agent } : undefined;
}

/**
 * How far an agent is that has written nothing yet, as far as the log says.
 *
 * @param since - How long ago it was started or, once it is connected, that was.
 */
export function progressText({ name, isKnown, connectedAt }: AgentView, since: string): string {
  const agent = stripAgentLine(name);
  if (connectedAt !== undefined) return `${agent} waits for its model, ${since}`;
  return isKnown ? `${agent} is starting, ${since}` : `${agent} was started ${since} ago, no output yet`;
}
