import type { ScreenView } from '../../views/sprint-view.ts';
import type { ScreenState } from './screen-state.ts';

/** The sprint as it is by now, whichever moment is shown. */
export function sprintNow({ sprint, past }: Pick<ScreenState, 'sprint' | 'past'>): ScreenView {
  return past?.present ?? sprint;
}

/** How many agents work on the sprint: stopping ends them. */
export function agentsAtWork(state: Pick<ScreenState, 'sprint' | 'past'>): number {
  return sprintNow(state).tasks.filter(({ agent }) => agent !== undefined).length;
}
