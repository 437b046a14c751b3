/** What is meant of one question so far. */
export type Part = {
  /** Options that are chosen, from 0; of a question that takes one answer one at most. */
  readonly chosen: readonly number[];
  /** Words of the reader's own. */
  readonly words: string;
};

/** What a person has chosen and written about a request, and not sent. */
export type Draft = {
  /** One of each question that it has. */
  readonly parts: readonly Part[];
  /** What goes with something else than an answer, by what that is: what was written to ask back is no reason for a no. */
  readonly reasons: Readonly<Record<string, string>>;
};

export const emptyPart: Part = { chosen: [], words: '' };
export const emptyDraft: Draft = { parts: [], reasons: {} };

/** What is written to go with that. */
export function reasonOf({ reasons }: Draft, decision: string): string {
  return reasons[decision] ?? '';
}

/** The draft with other words that go with that. */
export function withReason(draft: Draft, decision: string, reason: string): Draft {
  return { ...draft, reasons: { ...draft.reasons, [decision]: reason } };
}

/** Whether words are written that go with anything but an answer. */
export function hasReason({ reasons }: Draft): boolean {
  return Object.values(reasons).some((reason) => reason.trim() !== '');
}

/** Pages of other projects of the same server keep theirs beside it: ids are those of one project. No path has a blank. */
const PREFIX = `clifford.draft.${location.pathname} `;

/** What was left unsent about a request, also before the page was loaded anew. */
export function loadDraft(id: string): Draft {
  try {
    const kept = localStorage.getItem(PREFIX + id);
    return kept === null ? emptyDraft : draftIn(JSON.parse(kept));
  } catch {
    // A browser that keeps nothing, or something that is none.
    return emptyDraft;
  }
}

/** A draft without words that are one of those. */
export function withoutWords({ parts, reasons }: Draft, isOne: (words: string) => boolean): Draft {
  const left = (words: string) => (isOne(words) ? '' : words);
  return {
    parts: parts.map(({ chosen, words }) => ({ chosen, words: left(words) })),
    reasons: Object.fromEntries(Object.entries(reasons).map(([of, reason]) => [of, left(reason)])),
  };
}

/** The requests that wait, once that is known. */
let waiting: ReadonlySet<string> | undefined;

/** Keeps it in this browser until the request is closed. */
export function saveDraft(id: string, draft: Draft): void {
  if (waiting?.has(id) === false) return;
  const isEmpty =
    Object.values(draft.reasons).join('') === '' &&
    draft.parts.every(({ chosen, words }) => chosen.length === 0 && words === '');
  try {
    if (isEmpty) localStorage.removeItem(PREFIX + id);
    else localStorage.setItem(PREFIX + id, JSON.stringify(draft));
  } catch {
    // A browser that keeps nothing: it is there as long as the page is.
  }
}

/** Forgets the drafts of requests that wait no more. */
export function keepDraftsOf(open: ReadonlySet<string>): void {
  waiting = open;
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(PREFIX) && !open.has(key.slice(PREFIX.length))) localStorage.removeItem(key);
  } catch {
    // A browser that keeps nothing.
  }
}

function draftIn(value: unknown): Draft {
  if (typeof value !== 'object' || value === null) return emptyDraft;
  const { parts, reasons } = value as { parts?: unknown; reasons?: unknown };
  return {
    parts: Array.isArray(parts) ? parts.map(partIn) : [],
    reasons: Object.fromEntries(
      Object.entries(reasons ?? {}).flatMap(([of, reason]: [string, unknown]) =>
        typeof reason === 'string' ? [[of, reason]] : [],
      ),
    ),
  };
}

function partIn(value: unknown): Part {
  if (typeof value !== 'object' || value === null) return emptyPart;
  const { chosen, words } = value as { chosen?: unknown; words?: unknown };
  return {
    chosen: Array.isArray(chosen) ? chosen.filter((at) => Number.isInteger(at) && at >= 0) : [],
    words: typeof words === 'string' ? words : '',
  };
}
