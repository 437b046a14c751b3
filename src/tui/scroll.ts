import type { Room, ScreenState } from './screen-state.ts';

/** Moves the question by lines, as far as it goes. */
export function scrollQuestion(state: ScreenState, by: number, { questionMax }: Room): ScreenState {
  return { ...state, questionTop: Math.max(0, Math.min(state.questionTop + by, questionMax)) };
}

/** Moves the output by lines. Up, it stays where it is; down at its end, it follows what comes. */
export function scrollOutput(state: ScreenState, by: number, { output, outputPage }: Room): ScreenState {
  if (!output) return state;
  const from = state.outputEnd?.line ?? output.end;
  const line = Math.max(Math.min(from + by, output.end), Math.min(output.first + outputPage, output.end));
  return { ...state, outputEnd: line >= output.end ? undefined : { task: output.task, line } };
}
