import type { SetAside } from '../../machines/project-state.ts';
import { stripAgentLine } from '../../lib/text/sanitise.ts';

/** Who skipped or cancelled something, and why: `by ann: not needed`. */
export function setAsideText({ by, reason }: SetAside): string {
  return stripAgentLine(reason === undefined ? `by ${by}` : `by ${by}: ${reason}`);
}
