import type { RequestState } from '../../machines/project-state.ts';

/** As what a question that is typed in a shell is recorded: no MCP client has said its name there. */
export const shellClient = 'clifford ask';

/** Whether no agent asks, but whoever typed it in a shell. */
export function isAskedInShell({ asked: { origin } }: Pick<RequestState, 'asked'>): boolean {
  return origin.client === shellClient && origin.runId === undefined;
}

/** How the asker is shown to a human. Who asks in a shell has no name: it is the agent of an attempt, or anybody. */
export function askerOf(request: RequestState): string {
  const { origin } = request.asked;
  if (isAskedInShell(request)) return 'a shell';
  if (origin.client === shellClient) return 'the agent';
  return origin.client ?? origin.agent;
}
