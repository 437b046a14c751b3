import { expect, it } from 'vitest';
import { progressBar, progressText } from '../../../src/views/sprints/progress.ts';

const done = (detail: string) => ({ state: 'done', detail }) as const;
const tasks = [
  ...['completed', 'completed', 'completed', 'failed', 'skipped', 'cancelled'].map(done),
  { state: 'pending', detail: undefined } as const,
  { state: 'active', detail: 'working' } as const,
];

it('says how many tasks failed apart from those that were skipped or cancelled', () => {
  expect(progressText(tasks)).toBe('3 of 8 tasks done, 1 failed, 1 skipped, 1 cancelled');
  expect(progressText([done('completed')])).toBe('1 of 1 tasks done');
});

it('draws those that failed apart, and rounds nothing up', () => {
  expect(progressBar(tasks, 16)).toEqual({ done: 6, failed: 2, otherwise: 4, left: 4 });
  expect(progressBar(tasks, 4)).toEqual({ done: 1, failed: 1, otherwise: 1, left: 1 });
  expect(progressBar([], 4)).toEqual({ done: 0, failed: 0, otherwise: 0, left: 4 });
});
