import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../src/machines/legality.ts';
import { claimOfTask } from '../../../src/runner/worker/claim-of-task.ts';
import { History, on } from '../../helpers/history.ts';

const worker = 'helper';
const tasks = [{ id: 'a', file: 'a.md' }];

/** A task of another worker's sprint, which this one has. Its agent has ended with success. */
const ended = (code = 0) => [
  on('demo', 'sprint.created', { tasks }),
  on('demo', 'sprint.started'),
  on('demo/a', 'offer.made', { worker: 'owner' }),
  on('demo/a', 'offer.taken', { worker }),
  on('demo/a', 'task.started', { attempt: 1, runId: 'run-1', done: 'exit-0' }),
  on('demo/a', 'agent.started', { attempt: 1, runId: 'run-1' }),
  on('demo/a', 'agent.exited', { runId: 'run-1', code, signal: null }),
];

describe('what a worker says before it leaves a task of another worker’s sprint', () => {
  const { before } = claimOfTask({ worker }, { stream: 'demo', taskId: 'a' });
  const said = (history: readonly Candidate[], fact: Candidate) =>
    before(new History(...history).state, fact).map(({ type, subject }) => `${type} ${subject}`);
  const over = on('demo/a', 'offer.ended', { worker, sha: undefined });

  it.each([
    [
      'that an attempt which nobody has verified is lost, where it ends there',
      ended(),
      over,
      ['agent.lost demo/a'],
    ],
    ['nothing of it where the next one may go on', ended(), on('demo/a', 'offer.returned', { worker }), []],
    ['nothing of one that has failed', ended(1), over, []],
    [
      'that what is completed and was not pushed is done again',
      [...ended(), on('demo/a', 'task.completed')],
      over,
      ['task.reopened demo/a'],
    ],
    [
      'nothing where it was pushed',
      [...ended(), on('demo/a', 'task.completed')],
      on('demo/a', 'offer.ended', { worker }),
      [],
    ],
  ])('%s', (_, history, fact, expected) => {
    expect(said(history, fact)).toEqual(expected);
  });
});
