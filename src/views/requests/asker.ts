import type { RequestState } from '../../machines/project-state.ts';

/** As what a question that is typed in a shell is recorded: no MCP client has said its name there. */
export const shellClient = 'clifford ask';

/** How the asker is shown to a human. Who asks in a shell has no name: it is the agent of an attempt, or anybody. */
export function askerOf({ asked: { origin } }: RequestState): string {
  if (origin.client === shellClient) return origin.runId === undefined ? 'a shell' : 'the agent';
  return origin.client ?? origin.agent;
}
