import type { StoredEvent } from '../../events/envelope.ts';
import { isAll } from '../../workflow/history/recent-events.ts';
import type { Histories } from './histories.ts';

/** Events of a sprint from one version to another, in order: from memory, where they are kept. */
export async function eventsBetween(
  histories: Histories,
  sprint: string,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<readonly StoredEvent[]> {
  const recent = await histories.recent(sprint).read();
  const isKept = isAll(recent) || (recent[0]?.streamversion ?? Infinity) <= first;
  return isKept
    ? recent.filter(({ streamversion: version }) => version >= first && version <= last)
    : histories.withCursor(sprint, (cursor) => cursor.events(first, last));
}
