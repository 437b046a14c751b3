import type { StoredEvent } from '../../src/events/envelope.ts';

/** What a person decides, as the log has it. */
export type Decided = { readonly what: string; readonly about: string | undefined };

/** A frame: what its last line names as keys, and which requests it shows. */
export type Seen = { readonly hints: string; readonly shown: ReadonlySet<string> };

/** What keys that were pressed one after the other since a frame was seen may have decided. */
type Rule = {
  readonly what: string;
  /** What has to stand in the line of hints. */
  readonly hint: RegExp;
  readonly keys: RegExp;
  /** The frame has to show what it is about. */
  readonly isSeen: boolean;
};

/** What has a box that a key opens at once: who types on before it was drawn types there. */
const boxed = new Set(['answered', 'rejected', 'denied', 'questioned', 'edited', 'note.sent']);

const enter = /[\r\n]/;
/** Alone, in a chunk of its own. */
const yes = /^[yY]$/;

const widens = /[123] (?:task|sprint|always)/;

const rules: readonly Rule[] = [
  { what: 'approved', hint: /Y once/, keys: yes, isSeen: true },
  { what: 'approved', hint: /Y allow all/, keys: yes, isSeen: true },
  { what: 'approved', hint: widens, keys: /^[123\r]$/, isSeen: true },
  // A yes to more than one call is a rule, and holds for the tool as it was seen.
  { what: 'policy.ruleadded', hint: widens, keys: /^[123\r]$/, isSeen: false },
  { what: 'tool.pinned', hint: widens, keys: /^[123\r]$/, isSeen: false },
  { what: 'approved', hint: /Enter allow/, keys: /^\r$/, isSeen: true },
  { what: 'edited', hint: /Enter allow as changed/, keys: enter, isSeen: true },
  // N and X open a box, and what is typed at once goes there.
  { what: 'questioned', hint: /Enter ask the agent|X ask/, keys: enter, isSeen: true },
  { what: 'denied', hint: /Enter deny|N deny/, keys: enter, isSeen: true },
  { what: 'answered', hint: /Enter answer|i answer|n\/p other|Tab next/, keys: enter, isSeen: false },
  { what: 'note.sent', hint: /Enter send|N note/, keys: enter, isSeen: false },
  { what: 'rejected', hint: /Enter reject|\^R reject|Tab next|n\/p other/, keys: enter, isSeen: false },
  { what: 'dismissed', hint: /y dismiss/, keys: /^y$/, isSeen: false },
  { what: 'task.cancelled', hint: /y cancel it/, keys: /^y$/, isSeen: false },
  { what: 'sprint.cancelled', hint: /y cancel it/, keys: /^y$/, isSeen: false },
  { what: 'task.skipped', hint: /y skip it/, keys: /^y$/, isSeen: false },
  { what: 'sprint.stopped', hint: /y stop it/, keys: /^y$/, isSeen: false },
];

/** Follows keys and frames, and says what of the log nobody asked for. */
export class MonkeyOracle {
  readonly #licences: Decided[] = [];
  /** How often each thing was decided by the keys. */
  readonly decided = new Map<string, number>();

  /**
   * Keys that arrived together, while this frame was the last that was seen.
   *
   * @param isBlind - Others were pressed since then.
   */
  pressed(chunk: string, { hints, shown }: Seen, isBlind: boolean): void {
    for (const { what, hint, keys, isSeen } of rules) {
      const isOpened = isBlind && boxed.has(what);
      if ((!hint.test(hints) && !isOpened) || !keys.test(chunk)) continue;
      if (!isSeen || isOpened) this.#licences.push({ what, about: undefined });
      else for (const about of shown) this.#licences.push({ what, about });
    }
  }

  /** What the log has. Returns what of it was not asked for. */
  recorded(events: readonly StoredEvent[], markOf: (id: string) => string | undefined): Decided[] {
    return events.flatMap((event) => {
      const decided = decisionIn(event, markOf);
      if (!decided) return [];
      const { what, about } = decided;
      this.decided.set(what, (this.decided.get(what) ?? 0) + 1);
      const at = this.#licences.findIndex(
        (each) =>
          each.what === what && (each.about === undefined || about === undefined || each.about === about),
      );
      return at === -1 ? [decided] : [];
    });
  }

  /** From now on nothing counts that was pressed before: all that it decided is recorded. */
  settle(): void {
    this.#licences.length = 0;
  }
}

/** Decided by one key, which asks for nothing more. */
const free = new Set(['sprint.paused', 'sprint.resumed', 'task.reset']);

function decisionIn(
  { type, data }: StoredEvent,
  markOf: (id: string) => string | undefined,
): Decided | undefined {
  if (!('by' in data) || data.by !== 'ada' || free.has(type)) return undefined;
  if (type === 'help.answered') {
    const { requestId, verdict, rejected } = data;
    return { what: verdict ?? (rejected ? 'rejected' : 'answered'), about: markOf(requestId) };
  }
  if (type === 'help.dismissed') return { what: 'dismissed', about: markOf(data.requestId) };
  return { what: type, about: undefined };
}
