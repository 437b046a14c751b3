import { visibleLine } from '../../lib/text/visible.ts';
import { leftOutText } from '../text/left-out-text.ts';

/** Stands above what is told of a sprint from this event on, where there is more before it: of which task, was not asked. */
export function beforeEventText(version: number, stream: string): string {
  return leftOutText(`before event ${version}`, `clifford replay ${visibleLine(stream)}`);
}
