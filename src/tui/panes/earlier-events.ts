import type { StoredEvent } from '../../events/envelope.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { leftOutText } from '../../views/text/left-out-text.ts';
import { isAll } from '../../workflow/history/recent-events.ts';
import { headingLine, type PaneLine } from './pane.ts';

/** Stands above what was found among the newest events of a sprint, where there are earlier ones: of which task, they were not asked. */
export function earlierEvents(newest: readonly StoredEvent[], stream: string): readonly PaneLine[] {
  const [first] = newest;
  if (first === undefined || isAll(newest)) return [];
  const what = `before event ${first.streamversion}`;
  return [headingLine(leftOutText(what, `clifford replay ${visibleLine(stream)}`))];
}
