import { expect, it } from 'vitest';
import type { Candidate } from '../../src/machines/legality.ts';
import { fromSnapshot, toSnapshot } from '../../src/machines/project-snapshot.ts';
import { readyTasks } from '../../src/machines/ready-tasks.ts';
import { nameOf } from '../../src/machines/status-words.ts';
import { History, on } from '../helpers/history.ts';

const begun: Candidate[] = [
  on('demo', 'sprint.created', {
    tasks: [
      { id: 'a', file: 'a.md' },
      { id: 'b', file: 'b.md', dependsOn: ['a'] },
    ],
  }),
  on('demo', 'sprint.started'),
  on('demo/b', 'task.skipped'),
  on('demo/a', 'worktree.claimed'),
  on('demo/a', 'worktree.prepared'),
  on('demo/a', 'task.started'),
  on('demo/a', 'task.completed'),
];

it('a completed task keeps its sprint from being complete until it is merged', () => {
  const history = new History(...begun);
  expect(history.sprint().tally).toMatchObject({ active: 1, ended: 1 });
  expect(history.add(on('demo', 'sprint.completed')).legal).toBe(false);
  history.add(on('demo/a', 'worktree.merged'));
  expect(history.sprint().tally).toMatchObject({ active: 0, ended: 2 });
  expect(history.add(on('demo', 'sprint.completed')).legal).toBe(true);
});

it('a task that cannot be merged blocks its sprint until somebody has said what becomes of it', () => {
  const history = new History(...begun, on('demo/a', 'worktree.stuck'));
  expect(nameOf(history.sprint().machine.value)).toBe('blocked');
  history.add(on('demo/a', 'worktree.settled', { how: 'again' }));
  expect(nameOf(history.sprint().machine.value)).toBe('active.running');
});

it('what depends on a task is not ready before it is merged', () => {
  const history = new History(...begun.filter(({ type }) => type !== 'task.skipped'));
  expect(readyTasks(history.sprint())).toEqual([]);
  history.add(on('demo/a', 'worktree.merged'));
  expect(readyTasks(history.sprint()).map(({ id }) => id)).toEqual(['b']);
});

it('a completed task goes on only while its changes are not merged', () => {
  const reopened = on('demo/a', 'task.reopened');
  expect(new History(...begun).add(reopened).legal).toBe(true);
  const merged = new History(...begun, on('demo/a', 'worktree.merged'));
  expect(merged.add(reopened)).toMatchObject({ legal: false, state: 'done.completed' });
});

it('what is refused about a task that is not merged names the question that waits about it, and no other', () => {
  const ask = (requestId: string) =>
    on('demo', 'help.requested', { requestId, task: 'a', question: 'What now?' });
  const refused = (history: History) => {
    const verdict = history.add(on('demo/a', 'task.skipped'));
    return verdict.legal ? 'legal' : verdict.unmerged && [verdict.unmerged.question?.id];
  };
  const history = new History(...begun, ask('q-1'));
  expect(refused(history)).toEqual([undefined]);
  history.add(on('demo/a', 'worktree.stuck', { requestId: 'q-1' }));
  expect(refused(history)).toEqual(['q-1']);
  history.add(on('demo', 'help.answered', { requestId: 'q-1' }));
  expect(refused(history)).toEqual([undefined]);
  expect(refused(new History(...begun, on('demo/a', 'worktree.merged')))).toBeUndefined();
});

it('a worktree that is made again is not there before that is done', () => {
  const history = new History(...begun, on('demo/a', 'worktree.remade'));
  const phase = () => history.sprint().tasks.get('a')?.worktree?.phase;
  expect(phase()).toBe('claimed');
  history.add(on('demo/a', 'worktree.prepared'));
  expect(phase()).toBe('ready');
});

it('a worktree is told from one of before at the same path, also by what is kept of the fold', () => {
  const history = new History(...begun);
  const worktree = () => history.sprint().tasks.get('a')?.worktree;
  const claim = worktree()?.claim;
  expect(claim).toBe(history.events.find(({ type }) => type === 'worktree.claimed')?.id);
  history.add(on('demo/a', 'worktree.claimed'));
  expect(worktree()?.claim).not.toBe(claim);
  expect(fromSnapshot(toSnapshot(history.sprint())).tasks.get('a')?.worktree).toEqual(worktree());
});
