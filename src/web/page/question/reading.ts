/** Something that is to be read: its name among others, and what becomes another one with all that is shown of it. */
export type Content = { readonly name: string; readonly version: string };

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
  /** What was read, each with what was written of it then. */
  readonly read: ReadonlyMap<string, unknown>;
};

export type ReadingEvent =
  /** They are rendered, though nobody has seen that yet. */
  | {
      readonly is: 'shown';
      readonly contents: readonly Content[];
      readonly draft?: unknown;
      readonly sight: Sight;
    }
  | { readonly is: 'drawn'; readonly at: number }
  /** Something else is in sight, since its reader has scrolled there. */
  | { readonly is: 'scrolled'; readonly at: number; readonly sight: Sight }
  /** Something else is in sight, since something has become longer, shorter, wider or narrower. */
  | { readonly is: 'moved'; readonly sight: Sight };

/** So long nobody has seen what has just been drawn, in ms. */
const REACTION_MS = 150;

export const nothingRead: Reading = {
  contents: [],
  draft: undefined,
  since: Infinity,
  sight: { above: new Set(), hasEnd: false },
  missed: new Set(),
  read: new Map(),
};

/**
 * A reading after something has happened; the same where that changes nothing. Contents are read once their end was in sight. What has
 * become another one while its reader stood below where it begins, or has come to be above them, is read by who has been at its
 * beginning again; what was read once is when it is shown again.
 */
export function readOn(reading: Reading, event: ReadingEvent): Reading {
  const { contents, missed, sight } = reading;
  switch (event.is) {
    case 'shown': {
      const changed = event.contents.filter((each) => !contents.some((before) => isSame(before, each)));
      const now =
        changed.length === 0 && contents.length === event.contents.length ? contents : event.contents;
      const since = changed.length === 0 ? reading.since : Infinity;
      const anew = new Set([...missed, ...changed.map(({ name }) => name)]);
      return look(
        reading,
        { ...reading, contents: now, draft: event.draft, since },
        event.sight,
        less(sight.above, anew),
      );
    }
    case 'drawn':
      return settle({ ...reading, since: event.at });
    case 'scrolled': {
      // Whoever scrolls so soon means what was there before.
      const { above } = isSoon(reading, event.at) ? sight : event.sight;
      return look(reading, reading, event.sight, less(above, missed));
    }
    case 'moved':
      return look(reading, reading, event.sight, less(sight.above, missed));
  }
}

/** Whether contents were read, with what is written of them. */
export function isRead({ read }: Reading, contents: readonly Content[], draft?: unknown): boolean {
  return contents.length > 0 && contents.every((each) => wasRead(read, each, draft));
}

/** Whether nobody can have seen yet, at a time in ms, what there is. */
export function isSoon({ since }: Reading, at: number): boolean {
  return at < since + REACTION_MS;
}

/** A reading with what is in sight now; `before` where nothing is otherwise. */
function look(before: Reading, reading: Reading, sight: Sight, passed: ReadonlySet<string>): Reading {
  const { contents, draft, since, read } = reading;
  const unread = contents.filter((each) => !wasRead(read, each, draft)).map(({ name }) => name);
  const missed = new Set(unread.filter((name) => sight.above.has(name) && !passed.has(name)));
  const isSameSight = sight.hasEnd === before.sight.hasEnd && isEqual(sight.above, before.sight.above);
  const isSameAll =
    isSameSight &&
    isEqual(missed, before.missed) &&
    contents === before.contents &&
    draft === before.draft &&
    since === before.since;
  return isSameAll ? before : settle({ ...reading, sight, missed });
}

function settle(reading: Reading): Reading {
  const { contents, draft, since, sight, missed, read } = reading;
  if (since === Infinity || !sight.hasEnd || missed.size > 0 || isRead(reading, contents, draft))
    return reading;
  return { ...reading, read: new Map([...read, ...contents.map((each) => [keyOf(each), draft] as const)]) };
}

function less(names: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...names].filter((name) => !others.has(name)));
}

function isEqual(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((name) => other.has(name));
}

function isSame(one: Content, other: Content): boolean {
  return one.name === other.name && one.version === other.version;
}

function wasRead(read: Reading['read'], content: Content, draft: unknown): boolean {
  const key = keyOf(content);
  return read.has(key) && read.get(key) === draft;
}

function keyOf({ name, version }: Content): string {
  return `${name} ${version}`;
}
