import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../src/machines/legality.ts';
import { silentReport } from '../../../src/runner/output/agent-report.ts';
import { promptActions } from '../../../src/runner/prompts/prompt-actions.ts';
import type { PromptView, RunView } from '../../../src/runner/reconcile/runner-view.ts';
import { startWatch } from '../../../src/runner/attempt/watch.ts';
import { History, on } from '../../helpers/history.ts';

const created = on('demo', 'sprint.created', { tasks: [{ id: 'a', file: 'a.md' }] });
const begun = [created, on('demo', 'sprint.started'), on('demo/a', 'task.started')];
const origin = { agent: 'run-1', runId: 'run-1' };
const asked = [...begun, on('demo/a', 'help.requested', { kind: 'prompt', origin })];
const answered = [...asked, on('demo/a', 'help.answered')];
const rejected = [...asked, on('demo/a', 'help.answered', { rejected: true })];
const answeredByAgent = [...asked, on('demo/a', 'help.answered', { by: 'agent:run-1' })];
const toldToAnother = [...answered, on('demo/a', 'help.delivered', { to: 'run-2' })];
const told = [...answered, on('demo/a', 'help.delivered', { to: 'run-1' })];
const dismissed = [...asked, on('demo/a', 'help.dismissed')];
const left = [...begun, on('demo/a', 'agent.exited')];

/** What is done about a prompt that is a request already, unless `knows` says otherwise. */
function actionsOf(
  past: readonly Candidate[],
  knows: Partial<PromptView> = {},
  phase: RunView['phase'] = 'working',
) {
  const sprint = new History(...past).sprint();
  const prompt = { requestId: 'q-1', hasGoneOn: false, isTypable: true, ...knows };
  return promptActions(sprint, [
    {
      runId: 'run-1',
      taskId: 'a',
      phase,
      completedAt: undefined,
      hasFacts: false,
      connects: false,
      report: silentReport,
      usesTool: false,
      openCalls: 0,
      watch: startWatch(0),
      parkable: { agent: undefined, resumes: false },
      isSteerable: false,
      prompt,
    },
  ]);
}

const act = (what: string) => [{ do: what, runId: 'run-1' }];
const stop = [{ do: 'stop-agent', runId: 'run-1', reason: 'stopped' }];
const ownAnswer = [{ ...stop[0], reason: 'stalled', detail: expect.stringContaining('no human') }];
const found = { requestId: undefined };
const isClosed = { isTypable: false };
const goneOn = { hasGoneOn: true };

describe('a prompt of an agent', () => {
  it.each([
    ['is asked', begun, found, act('ask-prompt')],
    ['is let go of when the attempt is over', left, found, act('end-prompt')],
    ['waits while it is open', asked, {}, []],
    ['is ended when the agent goes on', asked, goneOn, act('end-prompt')],
    ['gets its answer typed', answered, {}, act('type-answer')],
    ['ends the agent that nothing can be typed into', answered, isClosed, stop],
    ['gets typed what somebody else has heard of', toldToAnother, {}, act('type-answer')],
    ['is let go of when it has its answer', told, {}, act('end-prompt')],
    ['has failed where nothing can be typed and an agent has answered', answeredByAgent, isClosed, ownAnswer],
    ['gets no answer typed that comes too late', answered, goneOn, act('end-prompt')],
    ['ends the agent when it is turned down', rejected, {}, stop],
    ['is let go of when it was dismissed', dismissed, {}, act('end-prompt')],
  ] as const)('%s', (_title, past, knows, actions) => {
    expect(actionsOf(past, knows)).toEqual(actions);
  });

  it("is nobody's any more when the agent is being ended, or has ended", () => {
    for (const phase of ['stopping', 'ended'] as const) {
      expect(actionsOf(answered, {}, phase)).toEqual([]);
      expect(actionsOf(asked, {}, phase)).toEqual([]);
    }
  });

  it('that is only taken for one is let go of with its agent', () => {
    for (const phase of ['stopping', 'ended'] as const) {
      expect(actionsOf(asked, { isGuess: true }, phase)).toEqual(act('end-prompt'));
      expect(actionsOf(answered, { isGuess: true }, phase)).toEqual([]);
    }
  });
});
