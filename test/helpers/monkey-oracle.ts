import type { StoredEvent } from '../../src/events/envelope.ts';
import { marksOfRequests } from './monkey-world.ts';

/** What a person decides, as the log has it, or how they leave. */
export type Decided = { readonly what: string; readonly about?: string | undefined };

/** The last frame that was seen, and what has become of it. */
export type Seen = {
  /** What its last line names as keys. */
  readonly hints: string;
  /** What it asks, and which requests its card is about: for how many ms each has stood there. */
  readonly shown: ReadonlyMap<string, number>;
  /** What was pressed since then. */
  readonly before: string;
  /** Where it is: in the past nothing is decided, and what is too small shows nothing to decide about. */
  readonly place: 'now' | 'past' | 'too-small';
  /** Lines at a cursor, and tasks that are named above a pane. */
  readonly marked: readonly string[];
  /** Agents work, which are asked about before they are stopped. */
  readonly hasAgents: boolean;
  /** What is pressed comes without a pause behind what was pressed before. */
  readonly isTogether: boolean;
  /** They are being stopped. */
  readonly isStopping: boolean;
};

/** What one press may have decided: one of these. */
type Licence = {
  readonly what: string;
  /** `undefined`: whatever it is about. */
  readonly about: ReadonlySet<string> | undefined;
  /** All that are shown. */
  readonly isForAll: boolean;
};

/** One press of a key decides one thing, and nothing later; what is recorded beside that has a turn of its own. */
type Turn = { readonly licences: readonly Licence[]; used?: { readonly as: Licence; readonly by: Decided } };

type Rule = {
  readonly what: string;
  /** What has to stand in the line of hints. */
  readonly at: RegExp;
  readonly keys: RegExp;
  /** How long what it is about has to have stood there: a request, or what is asked. */
  readonly reads?: 'request' | RegExp;
  /** What opens its box, before Enter in it, for who types on before that was drawn; and where. */
  readonly opens?: { readonly by: RegExp; readonly at?: RegExp };
  readonly isForAll?: boolean;
  /** It is a key of the card itself. */
  readonly isCard?: boolean;
  /** What has to stand at a cursor. */
  readonly marked?: RegExp;
  /** What is picked in the palette, where that does it. */
  readonly named?: RegExp;
  /** It is about the task at the cursor, or that is asked about. */
  readonly isOfTask?: boolean;
  /** What is recorded beside it. */
  readonly extras?: readonly string[];
};

/** A card and a question take no yes before; less by what a frame may be late. */
const READ_MS = 450;

const enter = /␍/;
const isNo = /denied|questioned/;
const again = ['run again'];
const rule = ['policy.ruleadded', 'tool.pinned'];
const asksRun = /What becomes of the run|Ctrl\+C again stops/;
/** Letters are text there, or the keys of a card. */
const isTaken =
  /Enter (?:answer|reject|deny|send|next|change|go on|ask|allow|keep it|go there|do it)|Y allow once|Y allow all|N deny|[yn] (?:keep|no|dismiss|skip it|cancel it|stop it|start it)|q stop it|Esc stay|Esc go on/;
/** What leads from there to where letters are keys. */
const leadsOut = /[␛␍␃␉n]/;

const freely = /(?:)/;
/** Above a call or a question that does not begin with its first line. */
const scrolled = / lines (?!1–)\d+–\d+ of /;

function confirmed(hint: string, asked: RegExp): Omit<Rule, 'what'> {
  return { at: new RegExp(`y ${hint}`), keys: /^y$/, reads: asked, extras: again, isOfTask: true };
}

const rules: readonly Rule[] = [
  { what: 'approved once', at: /Y allow once/, keys: /^[yY]$/, reads: 'request', isCard: true },
  { what: 'approved once', at: /Y allow all/, keys: /^[yY]$/, reads: /May these/, isForAll: true },
  // A yes to more than one call is a rule, and holds for the tool as it was seen.
  { what: 'approved task', at: /1 task/, keys: /^1$/, reads: 'request', extras: rule },
  { what: 'approved sprint', at: /2 sprint/, keys: /^2$/, reads: 'request', extras: rule },
  { what: 'approved always', at: /3 always/, keys: /^3$/, reads: 'request', extras: rule },
  ...(['task', 'sprint', 'always'] as const).map((scope): Rule => ({
    what: `approved ${scope}`,
    at: /1 task|2 sprint|3 always/,
    keys: /^␍$/,
    reads: 'request',
    marked: { task: /^›1/, sprint: /^›2/, always: /^›3/ }[scope],
    extras: rule,
  })),
  { what: 'edited', at: /Enter allow as changed/, keys: enter, reads: 'request' },
  {
    what: 'questioned',
    at: /Enter ask the agent/,
    keys: enter,
    reads: 'request',
    opens: { by: /[wW][^]*␍/, at: /N deny/ },
  },
  {
    what: 'denied',
    at: /Enter deny(?! all)/,
    keys: enter,
    reads: 'request',
    opens: { by: /[nN][^]*␍/, at: /N deny(?! all)/ },
  },
  {
    what: 'denied',
    at: /Enter deny all/,
    keys: enter,
    isForAll: true,
    opens: { by: /[nN][^]*␍/, at: /N deny all/ },
  },
  { what: 'answered', at: /Enter (?:answer|send)/, keys: enter, opens: { by: /(?:[i␍␉]|␛\[Z)[^]*␍/ } },
  // From the box of the reason against it, and from the question whether it is dismissed, back to its own.
  {
    what: 'answered',
    at: /$^/,
    keys: enter,
    opens: { by: /[n␛␃][^]*␍/, at: /Enter (?:reject|ask for other)|n keep|Esc stay/ },
  },
  { what: 'rephrased', at: /Enter ask for other/, keys: enter, opens: { by: /␏[^]*␍/ } },
  { what: 'rejected', at: /Enter reject/, keys: enter, opens: { by: /␒[^]*␍/ } },
  {
    what: 'note.sent',
    at: /Enter send/,
    keys: enter,
    opens: { by: /M[^]*␍/ },
    extras: again,
    isOfTask: true,
  },
  { what: 'dismissed', at: /y dismiss/, keys: /^y$/, reads: /Dismiss this question\?/ },
  { what: 'task.cancelled', ...confirmed('cancel it', /Cancel (?!the whole).*\? y\/n/) },
  { what: 'sprint.cancelled', ...confirmed('cancel it', /Cancel the whole.*\? y\/n/) },
  { what: 'task.skipped', ...confirmed('skip it', /Skip .*\? y\/n/) },
  { what: 'runner.recalled', ...confirmed('stop it', /Stop .*\? y\/n/) },
  { what: 'stop q', at: /q stop it/, keys: /^q$/, reads: asksRun },
  // On a small screen the line of hints has room for the other key only: the question names both.
  { what: 'detached', at: /q stop it/, keys: /^g$/, reads: asksRun },
  // Of these one key decides, which asks for nothing more: where letters are keys.
  { what: 'sprint.paused', at: freely, keys: /P/, named: /pause/, extras: again },
  { what: 'sprint.resumed', at: freely, keys: /P/, named: /resume/, extras: again },
  { what: 'task.reset', at: freely, keys: /R/, named: /retry/, isOfTask: true, extras: again },
  { what: 'run again', at: /R (?:retry|go on)/, keys: /R/ },
  { what: 'run again', at: freely, keys: /$^/, named: /retry|go on/ },
  { what: 'start', ...confirmed('start it', /Run the sprint here\? y\/n/) },
  { what: 'run', at: /Enter run it(?!…)/, keys: /^[␍y]$/, reads: /Run \S+ here\?/ },
];

/** The palette presses each key that it names: also those that open a box. */
const palette = /Enter do it/;
const opensPalette = /[:␐]/;

/** What is decided about beside requests. */
const subjects = /\b(?:parser|docs|schema|checkout|demo)\b/g;

/** Control characters as they are drawn. */
function asPictures(keys: string): string {
  return keys.replaceAll(/\p{Cc}/gu, (control) =>
    String.fromCodePoint(0x2400 + (control.codePointAt(0) ?? 0)),
  );
}

/** Follows keys and frames, and says what happened that nobody asked for. */
export class MonkeyOracle {
  #turns: Turn[] = [];
  /** How often each thing was decided by the keys. */
  readonly decided = new Map<string, number>();

  /** Keys that arrived together. */
  pressed(keys: string, now: Seen): void {
    const [chunk, seen] = [asPictures(keys), { ...now, before: asPictures(now.before) }];
    const matching = rules.flatMap((each) => {
      const licence = licenceOf(each, chunk, seen);
      return licence ? [{ licence, extras: each.extras ?? [] }] : [];
    });
    const licences = [...matching.map(({ licence }) => licence), ...waysOut(chunk, seen)];
    const extras = new Set(matching.flatMap((each) => each.extras));
    const turns = [licences, ...Array.from(extras, (what) => [whatever(what)])];
    this.#turns.push(...turns.filter((each) => each.length > 0).map((each) => ({ licences: each })));
  }

  /** What the log has. Returns what of it was not asked for. */
  recorded(events: readonly StoredEvent[], markOf: (id: string) => string | undefined): Decided[] {
    return events.flatMap((event) => {
      const decided = decisionIn(event, markOf);
      return decided && !this.happened(decided) ? [decided] : [];
    });
  }

  /** Something was decided. Was it asked for? */
  happened(decided: Decided): boolean {
    this.decided.set(decided.what, (this.decided.get(decided.what) ?? 0) + 1);
    return this.#takesTurn(decided, new Set());
  }

  /** All that was pressed has led to what it leads to. */
  settle(): void {
    this.#turns = [];
  }

  /**
   * Gives what was decided a turn of its own. Which key did what is not known, and what was asked for first may be recorded
   * last: so what has a turn gives it up where there is another one for it, of those that were not `tried`.
   */
  #takesTurn(decided: Decided, tried: Set<Turn>): boolean {
    for (const turn of this.#turns) {
      const as = turn.licences.find((each) => isFor(each, decided));
      if (!as || tried.has(turn)) continue;
      tried.add(turn);
      const { used } = turn;
      if (used && !(used.as === as && as.isForAll) && !this.#takesTurn(used.by, tried)) continue;
      turn.used = { as, by: decided };
      return true;
    }
    return false;
  }
}

function isFor(licence: Licence, { what, about }: Decided): boolean {
  return licence.what === what && (!licence.about || about === undefined || licence.about.has(about));
}

function licenceOf(each: Rule, chunk: string, seen: Seen): Licence | undefined {
  const { hints, shown, before, place, isTogether } = seen;
  const { what, at, keys, reads, opens, isForAll = false, isCard = false } = each;
  // Where a text is typed, or one key decides, nothing is given by what comes with others.
  if (isGiven(each) && (isTogether || !isAlone(chunk))) return undefined;
  // What is pasted is no key.
  const typed = withoutPastes(chunk);
  if (!keys.test(typed) && !picks(each, typed, seen)) return undefined;
  // A key that led out of there may not have been drawn yet.
  if (place === 'too-small') return undefined;
  // Its runs are left from the past, too. A key that led out of there may not have been drawn yet.
  const isLeaving = reads === asksRun;
  if (place === 'past' && !isLeaving && !/[LRlr␛␍.>}$]/.test(before + typed)) return undefined;
  if (at === freely && !isFree(each, typed, seen)) return undefined;
  const isThere = at.test(hints);
  const all = before + typed;
  const isFromPalette = (palette.test(hints) || opensPalette.test(before)) && /␍[^]*␍/.test(all);
  const isOpened = opens && (((opens.at ?? /(?:)/).test(hints) && opens.by.test(all)) || isFromPalette);
  if (!isThere && !isOpened) return undefined;
  if (reads instanceof RegExp && isThere && !hasRead(shown, reads)) return undefined;
  if (each.marked && !seen.marked.some((line) => each.marked?.test(line))) return undefined;
  // A letter that means nothing there was part of a text: so may be what follows.
  if (isCard && isThere && /[^rRyYaAeE]/.test(withoutSequences(before))) return undefined;
  if (each.isOfTask || what === 'run') return { what, about: subjectsIn(each, seen), isForAll };
  if (reads === 'request') {
    const about = marksIn(shown, READ_MS);
    // A no may be said before the name of the call has been scrolled into sight; and a card that was scrolled, which begins anew
    // for each call, is of the call whose name stood above.
    const isUnnamed =
      about.size === 0 && (isNo.test(what) || seen.marked.some((line) => scrolled.test(line)));
    return { what, about: isUnnamed ? undefined : about, isForAll };
  }
  // What is answered is what stood there, unless these keys led to another.
  const isMoved = !isThere || /[␉␒␃␍␛]/.test(before);
  const about = marksIn(shown);
  // Nor is its name there, where that is scrolled out of sight.
  return { what, about: isMoved || isForAll || about.size === 0 ? undefined : about, isForAll };
}

/** It answers, or decides about a call, or confirms. */
function isGiven({ what, keys, reads }: Rule): boolean {
  return reads !== undefined || keys === enter || what.startsWith('approved');
}

/** It is one key. */
function isAlone(chunk: string): boolean {
  return Array.from(chunk.replace(/^␛(?=[^])/u, '')).length === 1;
}

/** Letters are keys there, or an item of the palette does what they do. */
function isFree(each: Rule, typed: string, seen: Seen): boolean {
  if (picks(each, typed, seen)) return true;
  if (leadsOut.test(seen.before + typed)) return true;
  // What was to open it may have come together with other keys, which open nothing.
  return !palette.test(seen.hints) && !isTaken.test(seen.hints);
}

/** Enter does what is picked in the palette. */
function picks({ named }: Rule, typed: string, { hints, before, marked }: Seen): boolean {
  if (named === undefined || !typed.includes('␍')) return false;
  if (opensPalette.test(before)) return true;
  if (!palette.test(hints)) return false;
  return typed !== '␍' || before !== '' || marked.some((line) => named.test(line));
}

/** The tasks, or the sprint, that it is about. */
function subjectsIn(
  { reads }: Rule,
  { shown, before, marked, hints }: Seen,
): ReadonlySet<string> | undefined {
  const asked = [...shown.keys()].filter((text) => (reads instanceof RegExp ? reads : /^Note to/).test(text));
  const isOver = /R (?:retry|go on)/.test(hints);
  // These keys may have led to another one.
  if (asked.length === 0 && (before !== '' || isOver || marked.length === 0 || palette.test(hints)))
    return undefined;
  const lines = asked.length > 0 ? asked : marked;
  return new Set(lines.flatMap((line) => line.match(subjects) ?? []));
}

/** The requests that are there for so long, of all that is. */
function marksIn(shown: Seen['shown'], ms = 0): ReadonlySet<string> {
  return new Set(
    [...shown].flatMap(([text, since]) => (since >= ms ? (text.match(marksOfRequests) ?? []) : [])),
  );
}

function hasRead(shown: Seen['shown'], what: RegExp): boolean {
  return [...shown].some(([text, ms]) => what.test(text) && ms >= READ_MS);
}

/** Without what moves and scrolls only, does nothing there, or is pasted. */
function withoutSequences(keys: string): string {
  return keys.replaceAll(/(?:␛\[200~|^)[^]*?␛\[201~|␛[[O][\d;<]*[A-Za-z~]|␛O|[␀-␂␄-␈␊-␚␜-␟]/gu, '');
}

function withoutPastes(keys: string): string {
  return keys.replaceAll(/␛\[200~[^]*?␛\[201~/g, '');
}

/** To do this, to whatever. */
function whatever(what: string): Licence {
  return { what, about: undefined, isForAll: false };
}

/** Ctrl+C asks before it stops agents, and nobody types it twice; q leaves what is only looked at. */
function waysOut(chunk: string, { hints, shown, before, hasAgents, isStopping, place }: Seen): Licence[] {
  // It is asked there as well, in as many cells as there are.
  const isAsked =
    place === 'too-small' ||
    [...shown.keys()].some((text) => asksRun.test(text)) ||
    /\^C stop it/.test(hints);
  const licences: Licence[] = [];
  if (chunk.includes('␃')) {
    if (!hasAgents || isAsked || /[␃qT␍]/.test(before)) licences.push(whatever('stop Ctrl-C'));
    if (isStopping) licences.push(whatever('killed'));
    licences.push(whatever('left'));
  }
  if (place === 'too-small') return licences;
  if (/[qT␍␛]/.test(chunk)) licences.push(whatever('left'));
  // Of a sprint that is over q asks nothing.
  if (/[qT␍]/.test(chunk) && !hasAgents) licences.push(whatever('stop q'));
  return licences;
}

function decisionIn(
  { type, data, subject }: StoredEvent,
  markOf: (id: string) => string | undefined,
): Decided | undefined {
  if (!('by' in data) || data.by !== 'ada') return undefined;
  if (type === 'help.answered') {
    const { requestId, verdict, scope = 'once', rejected, rephrase } = data;
    const what =
      verdict === 'approved'
        ? `approved ${scope}`
        : (verdict ?? (rejected ? 'rejected' : rephrase ? 'rephrased' : 'answered'));
    return { what, about: markOf(requestId) };
  }
  if (type === 'help.dismissed') return { what: 'dismissed', about: markOf(data.requestId) };
  // What is no task's is the sprint's.
  const [, task] = subject.split('/');
  return { what: type, about: type.startsWith('task.') || type === 'note.sent' ? task : undefined };
}
