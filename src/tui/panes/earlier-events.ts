import type { StoredEvent } from '../../events/envelope.ts';
import { beforeEventText } from '../../views/events/before-event-text.ts';
import { isAll } from '../../workflow/history/recent-events.ts';
import { headingLine, type PaneLine } from './pane.ts';

/** Stands above what was found among the newest events of a sprint, where there are earlier ones. */
export function earlierEvents(newest: readonly StoredEvent[], stream: string): readonly PaneLine[] {
  const [first] = newest;
  if (first === undefined || isAll(newest)) return [];
  return [headingLine(beforeEventText(first.streamversion, stream))];
}
