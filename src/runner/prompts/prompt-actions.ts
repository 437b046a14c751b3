import { isAgentsWord } from '../../events/answerer.ts';
import type { SprintState } from '../../machines/project-state.ts';
import { wordOf } from '../../machines/status-words.ts';
import { isAttemptOver } from '../reconcile/run-facts.ts';
import type { Action, RunView } from '../reconcile/runner-view.ts';

/** What is to be done about prompts in the output of agents. Empty: nothing now. */
export function promptActions(sprint: SprintState, runs: readonly RunView[]): readonly Action[] {
  return runs.flatMap((run) => actionFor(sprint, run) ?? []);
}

/** Of an agent that ends: the next attempt has no use for an answer to what may have been no question. */
export function endGuess(sprint: SprintState, { prompt, runId }: RunView): Action | undefined {
  if (prompt?.requestId === undefined || !prompt.isGuess) return undefined;
  const isOpen = sprint.requests.get(prompt.requestId)?.phase === 'open';
  return isOpen ? { do: 'end-prompt', runId } : undefined;
}

function actionFor(sprint: SprintState, run: RunView): Action | undefined {
  const { prompt, phase, runId } = run;
  if (!prompt) return undefined;
  const { requestId, hasGoneOn, isTypable } = prompt;
  if (phase !== 'working') return endGuess(sprint, run);
  const request = requestId === undefined ? undefined : sprint.requests.get(requestId);
  if (requestId === undefined) {
    const mayAsk = !isAttemptOver(sprint, run) && wordOf(sprint.machine.value) !== 'done';
    return { do: mayAsk ? 'ask-prompt' : 'end-prompt', runId };
  }
  // Typed now it would answer something else. The next attempt is told.
  if (hasGoneOn) return { do: 'end-prompt', runId };
  if (request?.phase === 'open') return undefined;
  // Whoever else has heard of it, it was typed nowhere yet.
  const answer = request?.deliveredTo.includes(runId) === false ? request.answer : undefined;
  if (!answer) return { do: 'end-prompt', runId };
  if (isTypable && !answer.rejected) return { do: 'type-answer', runId };
  // An agent that answers itself would have as many attempts as it likes.
  return isAgentsWord(answer.by)
    ? {
        do: 'stop-agent',
        runId,
        reason: 'stalled',
        detail: 'the agent waited at a prompt that no human has answered',
      }
    : { do: 'stop-agent', runId, reason: 'stopped' };
}
