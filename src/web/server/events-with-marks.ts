import type { Mark } from '../../events/descriptor.ts';
import type { StoredEvent } from '../../events/envelope.ts';
import type { HistoryCursor } from '../../workflow/history/history-cursor.ts';

/** Events that stand out so, from a version to another, both included: so many at most, the newest. */
type Wanted = {
  readonly from: number;
  readonly to: number;
  /** This place among them is within: half of them are after it at most. */
  readonly around?: number | undefined;
  readonly which: ReadonlySet<Mark>;
  readonly most: number;
};

/** Events this near to each other are read together. */
const NEAR = 1_000;

/** The newest events of a history that stand out in one of these ways, in order, however far they are from each other. */
export async function eventsWithMarks(
  cursor: Pick<HistoryCursor, 'index' | 'events'>,
  { from, to, around, which, most }: Wanted,
): Promise<{ events: StoredEvent[]; hasOlder: boolean }> {
  const versions: number[] = [];
  const before = (version: number) => {
    const found = cursor.index.nextMark(version, -1, which);
    return found !== undefined && found >= from ? found : undefined;
  };
  let last = Math.min(to, cursor.index.length);
  let after = around;
  for (let left = most / 2; left > 0 && after !== undefined; left -= 1)
    after = cursor.index.nextMark(after, 1, which);
  if (after !== undefined) last = Math.min(last, after);
  let next = before(last + 1);
  for (; next !== undefined && versions.length < most; next = before(next)) versions.unshift(next);
  const events: StoredEvent[] = [];
  for (let at = 0; at < versions.length;) {
    const first = versions[at] ?? 0;
    const near = versions.filter((version) => version >= first && version < first + NEAR);
    const wanted = new Set(near);
    const read = await cursor.events(first, near.at(-1) ?? first);
    events.push(...read.filter(({ streamversion }) => wanted.has(streamversion)));
    at += near.length;
  }
  return { events, hasOlder: next !== undefined };
}
