import { expect, it } from 'vitest';
import { noteActions } from '../../../src/runner/reconcile/note-actions.ts';
import type { RunView } from '../../../src/runner/reconcile/runner-view.ts';
import type { Candidate } from '../../../src/machines/legality.ts';
import { History, on } from '../../helpers/history.ts';

const past = [
  on('demo', 'sprint.created'),
  on('demo', 'sprint.started'),
  on('demo/a', 'task.started', { runId: 'run-1', attempt: 1 }),
  on('demo/a', 'note.sent'),
];
const told = [{ do: 'steer-agent', runId: 'run-1' }];

function actionsOf(more: readonly Candidate[], over: Partial<RunView> = {}) {
  const run = { runId: 'run-1', taskId: 'a', phase: 'working', isSteerable: true, ...over } as RunView;
  return noteActions(new History(...past, ...more).sprint(), [run]);
}

it('an agent that can be steered is told what waits for it, while it works and waits for nobody', () => {
  const asked = on('demo/a', 'help.requested', { origin: { agent: 'run-1', runId: 'run-1' } });
  expect(actionsOf([])).toEqual(told);
  expect(actionsOf([asked])).toEqual([]);
  expect(actionsOf([asked, on('demo/a', 'help.answered')])).toEqual(told);
  expect(actionsOf([on('demo/a', 'note.taken')])).toEqual([]);
  expect(actionsOf([], { isSteerable: false })).toEqual([]);
  expect(actionsOf([], { phase: 'stopping' })).toEqual([]);
  expect(actionsOf([], { runId: 'run-0' })).toEqual([]);
});
