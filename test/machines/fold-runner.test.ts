import { expect, it } from 'vitest';
import type { Candidate } from '../../src/machines/legality.ts';
import { History, on } from '../helpers/history.ts';

const left = (data: { runner: string; run?: string }) => on('demo', 'runner.left', { ...data, reason: 'r' });
const recalled = (data: { runner: string; run?: string }) =>
  on('demo', 'runner.recalled', { ...data, by: 'ada' });
const own = { runner: 'clifford', run: 'run-1' };
const alike = { runner: 'clifford', run: 'run-2' };

it.each<[isOver: boolean, string, Candidate]>([
  [true, 'has left', left(own)],
  [true, 'has left, as one of before says that', left({ runner: 'clifford' })],
  [false, 'is called as one that has left', left(alike)],
  [true, 'was told to leave', recalled(own)],
  [false, 'is called as one that was told to leave', recalled(alike)],
  [false, 'is there while one of another name was told to leave', recalled({ runner: 'other' })],
  [true, 'was followed by a worker', on('demo', 'job.taken', { worker: 'one/1' })],
  [true, 'runs a sprint that is cancelled', on('demo', 'sprint.cancelled', { by: 'ada' })],
])('is over: %s, of a run that %s', (isOver, _, event) => {
  const history = new History(on('demo', 'sprint.created'), on('demo', 'sprint.started', own), event);
  expect(history.sprint().runner).toMatchObject({ name: 'clifford' });
  expect(history.sprint().runner?.run).toBe(isOver ? undefined : 'run-1');
});
