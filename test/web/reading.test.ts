import { describe, expect, it } from 'vitest';
import {
  isRead,
  nothingRead,
  readOn,
  type Content,
  type ReadingEvent,
} from '../../src/web/page/question/reading.ts';

/** Contents as `a1 b1`: each with its name and its version, which begins with it. */
const contentsOf = (all: string): readonly Content[] =>
  all.split(' ').map((each) => ({ name: each.slice(0, 1), version: each }));

const sightOf = (above: string, end?: 'end') => ({ above: new Set(above), hasEnd: end !== undefined });

/** Rendered, with what of it begins above what is in sight, as `ab`. */
const shown = (
  all: string,
  above = '',
  end?: 'end',
  { draft, scrolledAt }: { draft?: string; scrolledAt?: number } = {},
): ReadingEvent => ({
  is: 'shown',
  contents: contentsOf(all),
  draft,
  sight: sightOf(above, end),
  ...(scrolledAt === undefined ? {} : { scrolledAt }),
});
const drawn = (at = 0): ReadingEvent => ({ is: 'drawn', at });
/** Scrolled by the reader, by default long after anything was drawn. */
const scrolled = (above: string, end?: 'end', at = 10_000): ReadingEvent => ({
  is: 'scrolled',
  at,
  sight: sightOf(above, end),
});
const moved = (above: string, end?: 'end'): ReadingEvent => ({ is: 'moved', sight: sightOf(above, end) });

const after = (...events: readonly ReadingEvent[]) => events.reduce(readOn, nothingRead);

/** How far it is read: to its end, or not yet, or from where on it is to be read again. */
function said(...events: readonly ReadingEvent[]): string {
  const reading = after(...events);
  const { contents, draft, missed } = reading;
  if (isRead(reading, contents, draft)) return 'read';
  return missed.size > 0 ? `again: ${[...missed].join('')}` : 'unread';
}

const opened = [shown('a1'), drawn()] as const;
const read = [...opened, scrolled('a', 'end')] as const;
const list = [shown('a1 b1 c1'), drawn()] as const;
const listRead = [...list, scrolled('ab'), scrolled('abc', 'end')] as const;

describe('what is read to its end', () => {
  it.each<[string, string, readonly ReadingEvent[]]>([
    ['is what was scrolled there', 'read', read],
    ['is what is in sight as a whole once it is drawn', 'read', [shown('a1', '', 'end'), drawn()]],
    ['is not what nobody has seen yet', 'unread', [shown('a1', '', 'end')]],
    ['is not what is scrolled somewhere else', 'unread', [...opened, scrolled('a')]],
    ['is what becomes shorter, so that its end is in sight', 'read', [...opened, moved('', 'end')]],
    ['stays so when it is scrolled back', 'read', [...read, scrolled('')]],
    ['is nothing where there is nothing', 'unread', [drawn(), moved('', 'end')]],
    ['is each of a list', 'read', listRead],
  ])('%s', (_, expected, events) => {
    expect(said(...events)).toBe(expected);
  });
});

describe('what becomes another one', () => {
  it.each<[string, string, readonly ReadingEvent[]]>([
    ['above its reader is to be read again', 'again: a', [...read, shown('a2', 'a', 'end'), drawn(9)]],
    [
      'is not read by who scrolls on to its end',
      'again: a',
      [...read, shown('a2', 'a'), drawn(9), scrolled('a'), scrolled('a', 'end')],
    ],
    [
      'is read by who has been where it begins',
      'read',
      [...read, shown('a2', 'a'), drawn(9), scrolled(''), scrolled('a'), scrolled('a', 'end')],
    ],
    [
      'is not read by what brings its end into sight',
      'again: a',
      [...read, shown('a2', 'a'), drawn(9), moved('a', 'end')],
    ],
    ['where its reader sees it begin is to be read on', 'unread', [...opened, shown('a2'), drawn(9)]],
    [
      'as a whole in sight is read once it is drawn',
      'read',
      [shown('a1', '', 'end'), drawn(), shown('a2', '', 'end'), drawn(9)],
    ],
    ['is not before', 'unread', [shown('a1', '', 'end'), drawn(), shown('a2', '', 'end')]],
    [
      'and again what was read before another one is read',
      'read',
      [...read, shown('a2'), drawn(9), scrolled('a', 'end'), shown('a1', 'a')],
    ],
    ['and again what was read is read', 'read', [...read, shown('a2', 'a'), drawn(9), shown('a1', 'a')]],
    [
      'and again what was not read is not',
      'again: a',
      [...opened, scrolled('a'), shown('a2', 'a'), drawn(9), shown('a1', 'a', 'end'), drawn(99)],
    ],
    [
      'where something in sight grows, and its beginning comes into sight, is read from there',
      'read',
      [...read, shown('a2', 'a'), drawn(9), moved(''), scrolled('a', 'end')],
    ],
  ])('%s', (_, expected, events) => {
    expect(said(...events)).toBe(expected);
  });

  const REACTION = 250;
  const seen = 1_000;
  const another = [...opened, shown('a2'), drawn(seen)] as const;

  it.each<[string, string, readonly ReadingEvent[]]>([
    ['before it is drawn', 'again: a', [...opened, shown('a2'), scrolled('a', 'end', 99), drawn(seen)]],
    ['just after', 'again: a', [...another, scrolled('a', 'end', seen + REACTION - 1)]],
    ['once that can mean it', 'read', [...another, scrolled('a', 'end', seen + REACTION)]],
    [
      'by what began before, and goes on',
      'again: a',
      [...another, scrolled('a', undefined, seen + 1), scrolled('a', 'end')],
    ],
    [
      'away and back before that, so that it is seen as a whole',
      'read',
      [...another, scrolled('a', undefined, seen + 1), scrolled('', 'end', seen + 2)],
    ],
    [
      'so that it is rendered before that is heard of',
      'read',
      [...opened, shown('a1', 'a', 'end', { scrolledAt: 9_000 })],
    ],
    [
      'too soon, so that it is rendered before that is heard of',
      'again: a',
      [...another, shown('a2', 'a', 'end', { scrolledAt: seen })],
    ],
    [
      'while it becomes another one',
      'again: a',
      [...opened, shown('a2', 'a', 'end', { scrolledAt: 9_000 }), drawn(9_999)],
    ],
    ['when it has only just been opened', 'again: a', [shown('a1'), drawn(seen), scrolled('a', 'end', seen)]],
  ])('and is scrolled %s', (_, expected, events) => {
    expect(said(...events)).toBe(expected);
  });
});

describe('among others', () => {
  it.each<[string, string, readonly ReadingEvent[]]>([
    [
      'what becomes another one is read again from there',
      'again: b',
      [...listRead, shown('a1 b2 c1', 'abc', 'end')],
    ],
    [
      'each is read by who has been at its own beginning',
      'again: a',
      [...listRead, shown('a2 b2 c1', 'abc', 'end'), drawn(9), scrolled('a'), scrolled('abc', 'end')],
    ],
    [
      'all are by who has been at that of the first',
      'read',
      [...listRead, shown('a2 b2 c1', 'abc'), drawn(9), scrolled('a'), scrolled(''), scrolled('abc', 'end')],
    ],
    [
      'what is not passed yet moves nobody',
      'unread',
      [...list, scrolled('a'), shown('a1 b2 c1', 'a'), drawn(9)],
    ],
    [
      'what comes to be above since one before it is shorter is to be read again',
      'again: b',
      [...list, scrolled('a'), moved('ab')],
    ],
    [
      'also where that one becomes another one',
      'again: ab',
      [...list, scrolled('a'), shown('a2 b1 c1', 'ab'), drawn(9)],
    ],
    [
      'what was read is not, wherever it comes to be',
      'read',
      [...listRead, scrolled('', 'end'), moved('abc')],
    ],
    [
      'what was read, and has come to be above, is read again where it becomes another one',
      'again: c',
      [...listRead, scrolled('', 'end'), moved('abc'), shown('a1 b1 c2', 'abc'), drawn(9)],
    ],
    [
      'what is left out makes nothing new of the others',
      'read',
      [...list, shown('a1 c1'), drawn(9_000), scrolled('ac', 'end', 9_001)],
    ],
    [
      'what is left out is not to be read, wherever its reader is',
      'read',
      [...listRead, shown('a1 b2 c1', 'abc'), drawn(9), shown('a1 c1', 'ac')],
    ],
    [
      'what is left out is not to be read',
      'read',
      [...listRead, shown('a1 b2 c1', 'abc', 'end'), drawn(9), shown('a1 c1', 'ac', 'end')],
    ],
    ['those that are left are read where they were', 'read', [...listRead, shown('b1 c1', 'bc')]],
    ['one that comes is to be read', 'unread', [...listRead, shown('a1 b1 c1 d1', 'abc'), drawn(9)]],
  ])('%s', (_, expected, events) => {
    expect(said(...events)).toBe(expected);
  });
});

describe('what its reader writes of it', () => {
  const written = [shown('a1', '', undefined, { draft: 'one' }), drawn(), scrolled('a', 'end')] as const;

  it.each<[string, string, readonly ReadingEvent[]]>([
    ['is read with it', 'read', written],
    [
      'is to be read on where they stand',
      'unread',
      [...written, shown('a1', 'a', undefined, { draft: 'two' })],
    ],
    [
      'is read at once where its end is in sight',
      'read',
      [...written, shown('a1', 'a', 'end', { draft: 'two' })],
    ],
    [
      'is to be read again where that is',
      'again: a',
      [
        ...written,
        shown('a2', 'a', 'end', { draft: 'one' }),
        drawn(9),
        shown('a2', 'a', 'end', { draft: 'two' }),
      ],
    ],
    [
      'is to be read again where it has come to be above meanwhile',
      'again: a',
      [...written, shown('a1', '', undefined, { draft: 'two' }), moved('a')],
    ],
    [
      'is read as it was written then',
      'unread',
      [...written, shown('a1', 'a', 'end', { draft: 'two' }), shown('a1', '', undefined, { draft: 'one' })],
    ],
  ])('%s', (_, expected, events) => {
    expect(said(...events)).toBe(expected);
  });
});

it('is the same reading where nothing is otherwise', () => {
  const before = after(...listRead);
  for (const event of [shown('a1 b1 c1', 'abc', 'end'), moved('abc', 'end'), scrolled('abc', 'end')])
    expect(readOn(before, event)).toBe(before);
  const half = after(...list, scrolled('a'));
  expect(readOn(half, scrolled('a', undefined, 20_000))).toBe(half);
});
