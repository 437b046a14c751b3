import type { RequestState } from '../machines/project-state.ts';

/** How the asker is shown to a human. */
export function askerOf({ asked: { origin } }: RequestState): string {
  return origin.client ?? origin.agent;
}
