import type { Room, ScreenState } from './screen-state.ts';

/** Moves the question by lines, as far as it goes. */
export function scrollQuestion(state: ScreenState, by: number, { questionMax }: Room): ScreenState {
  const questionTop = Math.max(0, Math.min(state.questionTop + by, questionMax));
  const { current, readToEnd } = state;
  const isRead = current !== undefined && questionTop >= questionMax;
  return { ...state, questionTop, readToEnd: isRead ? new Set(readToEnd).add(current) : readToEnd };
}

/** Moves the output by lines. Up, it stays where it is; down at its end, it follows what comes. */
export function scrollOutput(state: ScreenState, by: number, { output, outputPage }: Room): ScreenState {
  if (!output) return state;
  const from = state.outputEnd?.line ?? output.end;
  const line = Math.max(Math.min(from + by, output.end), Math.min(output.first + outputPage, output.end));
  return { ...state, outputEnd: line >= output.end ? undefined : { task: output.task, line } };
}
