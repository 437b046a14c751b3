import { subjectOf } from '../../events/envelope.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { SprintState } from '../../machines/project-state.ts';
import { parkAfter, type ParkRules } from '../plan/park-after.ts';
import { onlyAwaitsHuman } from './run-facts.ts';
import type { RunView } from './runner-view.ts';

const MINUTE_MS = 60_000;

/** How long an agent may go on waiting for a human before it is parked, in ms; 0: as long as it takes, or it does not wait. */
export function parkMs(sprint: SprintState, run: RunView, rules: ParkRules): number {
  if (!onlyAwaitsHuman(sprint, run)) return 0;
  return parkAfter(rules, run.parkable).minutes * MINUTE_MS;
}

/** What is recorded of an agent that is parked. `now`: ms since the epoch. */
export function parking(sprint: SprintState, { taskId, runId, wait }: RunView, now: number): Candidate[] {
  if (!wait) return [];
  const { agent, sessions = [] } = sprint.tasks.get(taskId) ?? {};
  const sessionId = sessions.find((session) => session.agent === agent?.agent)?.sessionId;
  const data = { runId, waitedMs: Math.max(0, Math.round(now - wait.since)), sessionId };
  return [{ type: 'agent.parked', subject: subjectOf(sprint.id, taskId), data }];
}
