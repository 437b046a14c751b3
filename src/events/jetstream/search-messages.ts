import type { StoredMessage } from './message.ts';

/** Where messages may be that were not found yet: after one place and up to another. */
type Gap = { readonly after: number; readonly until: number };

/**
 * So many questions are asked at once at most, and so many times more than in the round before: most who ask look for
 * one message.
 */
const AT_ONCE = 128;
const GROWTH = 4;
/**
 * So long a text may be held, in UTF-16 units, before the messages that come first: the more there is, the fewer of the
 * first gaps are asked about. What one round finds comes on top.
 */
const HELD_LENGTH = 4_194_304;

/**
 * The messages in a range, in order, where each question finds only the next one after a place. Asked one after the
 * other, each would cost a round trip to the server: so the range is divided, and all parts are asked about at once.
 * 500 messages cost about ten round trips.
 *
 * @param next - The first message after a place, in the range or behind it; `undefined`: there is none.
 */
export async function* searchMessages(
  { after, until }: Gap,
  next: (after: number) => Promise<StoredMessage | undefined>,
): AsyncGenerator<StoredMessage[]> {
  let gaps: readonly Gap[] = [{ after, until }];
  let found: StoredMessage[] = [];
  for (let most = 1; gaps.length > 0; most = Math.min(most * GROWTH, AT_ONCE)) {
    const held = found.reduce((sum, { text }) => sum + text.length, 0);
    const count = Math.max(1, Math.floor(most * (1 - held / HELD_LENGTH)));
    const asked = divide(gaps.slice(0, count), most);
    const answers = await Promise.all(asked.map(async (gap) => ({ gap, message: await next(gap.after) })));
    const inside = answers.flatMap(({ gap, message }) =>
      message && message.seq <= gap.until ? [{ message, gap }] : [],
    );
    found.push(...inside.map(({ message }) => message));
    const left = inside.map(({ message, gap }) => ({ after: message.seq, until: gap.until }));
    gaps = [...left, ...gaps.slice(count)].filter((gap) => gap.after < gap.until);
    // Nothing comes before the first place where something may be.
    const known = gaps[0]?.after ?? until;
    const ready = found.filter(({ seq }) => seq <= known).toSorted((one, other) => one.seq - other.seq);
    found = found.filter(({ seq }) => seq > known);
    if (ready.length > 0) yield ready;
  }
}

/** The same gaps as so many at most, the wide ones in more parts. */
function divide(gaps: readonly Gap[], most: number): Gap[] {
  const total = gaps.reduce((sum, gap) => sum + gap.until - gap.after, 0);
  return gaps.flatMap(({ after, until }) => {
    const width = until - after;
    const parts = Math.min(width, 1 + Math.floor(((most - gaps.length) * width) / total));
    const edge = (index: number) => after + Math.floor((width * index) / parts);
    return Array.from({ length: parts }, (_, index) => ({ after: edge(index), until: edge(index + 1) }));
  });
}
