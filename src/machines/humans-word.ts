import { isAgentsWord } from '../events/answerer.ts';
import type { RequestState } from './project-state.ts';

/** Who ends requests of whom a human said nothing: their task or sprint, the runner, the policy. */
const notHuman: ReadonlySet<string> = new Set(['log', 'runner', 'mcp', 'acp']);

/** Whether a human has ended the request. What was settled without one was nobody's word. */
export function isHumansWord({ phase, dismissal }: RequestState): boolean {
  return phase !== 'open' && !notHuman.has(dismissal?.via ?? '');
}

/** Whether an agent has ended the request, by a command of its shell, and no human. */
export function isAgentsEnd({ answer, dismissal }: Pick<RequestState, 'answer' | 'dismissal'>): boolean {
  return isAgentsWord((answer ?? dismissal)?.by ?? '');
}

/** Whether a file has ended the request, which does not say who has written it. */
export function isFilesEnd({ answer, dismissal }: Pick<RequestState, 'answer' | 'dismissal'>): boolean {
  return (answer ?? dismissal)?.via === 'file';
}
