import type { ScreenView } from '../../views/sprints/sprint-view.ts';
import type { ScreenState } from '../screen/screen-state.ts';

/** The sprint as it is by now, whichever moment is shown. */
export function sprintNow({ sprint, past }: Pick<ScreenState, 'sprint' | 'past'>): ScreenView {
  return past?.present ?? sprint;
}

/** How many agents work on the sprint: stopping ends them. One that was killed with its runner is none, whatever the log says. */
export function agentsAtWork(state: Pick<ScreenState, 'sprint' | 'past' | 'processes'>): number {
  const { gone } = state.processes;
  return sprintNow(state).tasks.filter(({ id, agent }) => agent !== undefined && !gone.has(id)).length;
}

/** Somebody runs the sprint, or an agent that a runner left is at work on it still. */
export function isAtWork(state: Pick<ScreenState, 'sprint' | 'past' | 'processes'>): boolean {
  return state.processes.hasRunner || agentsAtWork(state) > 0;
}
