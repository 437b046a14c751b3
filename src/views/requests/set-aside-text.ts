import type { SetAside } from '../../machines/task-state.ts';
import { visibleLine } from '../../lib/text/visible.ts';

/** Who skipped or cancelled something, and why: `by ann: not needed`. */
export function setAsideText({ by, reason }: SetAside): string {
  return visibleLine(reason === undefined ? `by ${by}` : `by ${by}: ${reason}`);
}
