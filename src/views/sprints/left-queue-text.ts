import { visibleLine } from '../../lib/text/visible.ts';
import type { LeftQueue } from '../../machines/project-state.ts';

/** How a sprint left the queue, and who says so, on one line. */
export function leftQueueText(left: LeftQueue): string {
  return left.outcome === 'cancelled'
    ? `cancelled by ${visibleLine(left.by)}`
    : `${left.outcome}, says worker ${visibleLine(left.worker)}: ${visibleLine(left.reason)}`;
}
