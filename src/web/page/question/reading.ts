/** Something that is to be read. */
export type Content = {
  /** It is known by that among others, whatever becomes of it. */
  readonly name: string;
  /** Another one with whatever is shown of it, and of each. */
  readonly version: string;
};

/** What a reader has before their eyes. */
export type Sight = {
  /** The names of what begins above it. */
  readonly above: ReadonlySet<string>;
  /** The end of all of it is there. */
  readonly hasEnd: boolean;
};

/** How far contents were read. */
export type Reading = {
  readonly contents: readonly Content[];
  /** What the reader writes of them: with another one they are to be read anew, where their reader stands. */
  readonly draft: unknown;
  /** Since when they are drawn, in ms; infinite: they are not yet. */
  readonly since: number;
  readonly sight: Sight;
  /** The names of what is above what is in sight, though its reader has not passed where it begins. */
  readonly missed: ReadonlySet<string>;
  /** The versions that were read, each with what was written of it then. */
  readonly read: ReadonlyMap<string, unknown>;
};

export type ReadingEvent =
  /** They are rendered, though nobody has seen that yet. */
  | {
      readonly is: 'shown';
      readonly contents: readonly Content[];
      readonly draft?: unknown;
      readonly sight: Sight;
      /** When its reader began to scroll there, in ms; `undefined`: they have not scrolled since the last event. */
      readonly scrolledAt?: number;
    }
  | { readonly is: 'drawn'; readonly at: number }
  /** Something else is in sight, since its reader has scrolled there, which they began to do at this time, in ms. */
  | { readonly is: 'scrolled'; readonly at: number; readonly sight: Sight }
  /** Something else is in sight, since something has become longer, shorter, wider or narrower. */
  | { readonly is: 'moved'; readonly sight: Sight };

/** So long nobody has seen what has just been drawn, in ms. */
const REACTION_MS = 250;

export const nothingRead: Reading = {
  contents: [],
  draft: undefined,
  since: Infinity,
  sight: { above: new Set(), hasEnd: false },
  missed: new Set(),
  read: new Map(),
};

/**
 * A reading after something has happened; the same where that changes nothing.
 *
 * Contents are read once the end of all of them was in sight, and drawn. Where one becomes another one above what is in sight, or is
 * moved there by anything but its reader, its beginning is missed, and nothing is read until that has been in sight. Who scrolls past a
 * beginning misses it, too, if they began before they can have seen what is drawn there. What was read once is read whenever it is shown
 * as it was written then.
 */
export function readOn(reading: Reading, event: ReadingEvent): Reading {
  switch (event.is) {
    case 'shown': {
      const { contents, draft, sight, scrolledAt } = event;
      const before = new Set(reading.contents.map(({ version }) => version));
      const changed = contents.filter(({ version }) => !before.has(version));
      if (changed.length > 0) {
        const passed = less(passedIn(reading, sight), new Set(changed.map(({ name }) => name)));
        return withSight(reading, sight, passed, { contents, draft, since: Infinity });
      }
      const now = contents.length === reading.contents.length ? reading.contents : contents;
      return withSight(reading, sight, passedIn(reading, sight, scrolledAt), { contents: now, draft });
    }
    case 'drawn':
      return settle({ ...reading, since: Math.min(reading.since, event.at) });
    case 'scrolled':
      return withSight(reading, event.sight, passedIn(reading, event.sight, event.at));
    case 'moved':
      return withSight(reading, event.sight, passedIn(reading, event.sight));
  }
}

/** Whether contents were read, with what is written of them. */
export function isRead({ read }: Reading, contents: readonly Content[], draft?: unknown): boolean {
  return contents.length > 0 && contents.every((each) => wasRead(read, each, draft));
}

/** The names of what the reader has passed: all that is above, where they scrolled there and can have meant what there is. */
function passedIn(
  { since, sight, missed }: Reading,
  now: Sight,
  scrolledAt = -Infinity,
): ReadonlySet<string> {
  return less((scrolledAt < since + REACTION_MS ? sight : now).above, missed);
}

/** A reading with what is in sight now, of which the reader has passed some; the same where nothing is otherwise. */
function withSight(
  before: Reading,
  sight: Sight,
  passed: ReadonlySet<string>,
  change: Partial<Pick<Reading, 'contents' | 'draft' | 'since'>> = {},
): Reading {
  const reading = { ...before, ...change, sight };
  const { contents, draft, read } = reading;
  const isSameSight = sight.hasEnd === before.sight.hasEnd && isEqual(sight.above, before.sight.above);
  if (isSameSight && contents === before.contents && draft === before.draft) return before;
  const unread = contents.filter((each) => !wasRead(read, each, draft)).map(({ name }) => name);
  const missed = unread.filter((name) => sight.above.has(name) && !passed.has(name));
  return settle({ ...reading, missed: new Set(missed) });
}

function settle(reading: Reading): Reading {
  const { contents, draft, since, sight, missed, read } = reading;
  if (since === Infinity || !sight.hasEnd || missed.size > 0) return reading;
  return {
    ...reading,
    read: new Map([...read, ...contents.map(({ version }) => [version, draft] as const)]),
  };
}

function less(names: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...names].filter((name) => !others.has(name)));
}

function isEqual(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((name) => other.has(name));
}

function wasRead(read: Reading['read'], { version }: Content, draft: unknown): boolean {
  return read.has(version) && read.get(version) === draft;
}
