import type { SetAside } from '../machines/project-state.ts';
import { oneLine } from '../lib/text/visible.ts';

/** Who skipped or cancelled something, and why: `by ann: not needed`. */
export function setAsideText({ by, reason }: SetAside): string {
  return oneLine(reason === undefined ? `by ${by}` : `by ${by}: ${reason}`);
}
