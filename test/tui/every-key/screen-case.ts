import { expect } from 'vitest';
import type { Effect } from '../../../src/tui/screen/screen-effect.ts';
import type { ScreenState } from '../../../src/tui/screen/screen-state.ts';
import { aSummary, aTask } from '../../helpers/screen-views.ts';
import type { KeyCase } from './key-case.ts';

/** A key on the screen of a sprint. */
export type ScreenCase = KeyCase<ScreenState, Effect>;

/** More than fits on any screen. */
export const longText = Array.from({ length: 200 }, (_, at) => `line ${at}`).join('\n');

/** Checks where the question stands afterwards. */
export function scrolledTo(isThere: (top: number) => boolean): NonNullable<ScreenCase['check']> {
  return ({ after }) => expect(after.questionTop).toSatisfy(isThere);
}

const tasks = Array.from({ length: 120 }, (_, at) => ({
  ...aTask({ id: `task-${at}`, state: 'done', detail: 'failed', attempt: 1 }),
  workedMs: 1_000,
}));

/** How a run of many tasks ended. */
export const summary = aSummary({
  tookMs: 724_000,
  workedMs: 480_000,
  waitedMs: 182_000,
  attempts: 3,
  questions: 2,
  approvals: 1,
  tasks,
});
