import { visibleLine } from '../../lib/text/visible.ts';

/** That a sprint is paused, and how it goes on, for people. */
export function pausedText(sprint: string, called = 'clifford'): string {
  return `paused, no task starts before: ${called} resume ${visibleLine(sprint)}`;
}
