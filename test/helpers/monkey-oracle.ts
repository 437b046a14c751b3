import type { StoredEvent } from '../../src/events/envelope.ts';

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
  /** Agents work, which are asked about before they are stopped. */
  readonly hasAgents: boolean;
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

/** One press of a key decides one thing, and nothing later. */
type Press = { readonly licences: readonly Licence[]; used?: Licence; readonly extras: Set<string> };

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
  /** What is recorded beside it. */
  readonly extras?: readonly string[];
};

/** A card and a question take no yes before; less by what a frame may be late. */
const READ_MS = 450;

const enter = /␍/;
const widens = /[123] (?:task|sprint|always)/;
const isNo = /denied|questioned/;
const again = ['run again'];
const rule = ['policy.ruleadded', 'tool.pinned'];
const asksRun = /What becomes of the run|Ctrl\+C again stops/;

const rules: readonly Rule[] = [
  { what: 'approved', at: /Y once/, keys: /^[yY]$/, reads: 'request', isCard: true },
  { what: 'approved', at: /Y allow all/, keys: /^[yY]$/, reads: /May these/, isForAll: true },
  // A yes to more than one call is a rule, and holds for the tool as it was seen.
  { what: 'approved', at: widens, keys: /^[123␍]$/, reads: 'request', extras: rule },
  { what: 'edited', at: /Enter allow as changed/, keys: enter, reads: 'request' },
  {
    what: 'questioned',
    at: /Enter ask the agent/,
    keys: enter,
    reads: 'request',
    opens: { by: /[xX][^]*␍/, at: /N deny/ },
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
  { what: 'answered', at: /Enter answer/, keys: enter, opens: { by: /(?:[i␍␉]|␛\[Z)[^]*␍/ } },
  // From the box of the reason against it, and from the question whether it is dismissed, back to its own.
  {
    what: 'answered',
    at: /$^/,
    keys: enter,
    opens: { by: /[n␛␃][^]*␍/, at: /Enter reject|n keep|Esc stay/ },
  },
  { what: 'rejected', at: /Enter reject/, keys: enter, opens: { by: /␒[^]*␍/ } },
  { what: 'note.sent', at: /Enter send/, keys: enter, opens: { by: /N[^]*␍/ }, extras: again },
  { what: 'dismissed', at: /y dismiss/, keys: /^y$/, reads: /Dismiss this question\?/ },
  { what: 'task.cancelled', at: /y cancel it/, keys: /^y$/, reads: /Cancel .*\? y\/n/, extras: again },
  { what: 'sprint.cancelled', at: /y cancel it/, keys: /^y$/, reads: /Cancel .*\? y\/n/, extras: again },
  { what: 'task.skipped', at: /y skip it/, keys: /^y$/, reads: /Skip .*\? y\/n/, extras: again },
  { what: 'runner.recalled', at: /y stop it/, keys: /^y$/, reads: /Stop .*\? y\/n/ },
  { what: 'stop q', at: /q stop it/, keys: /^q$/, reads: asksRun },
  { what: 'detached', at: /g go on without/, keys: /^g$/, reads: asksRun },
  // Of these one key decides, which asks for nothing more.
  { what: 'sprint.paused', at: /(?:)/, keys: /P|␍/, extras: again },
  { what: 'sprint.resumed', at: /(?:)/, keys: /P|␍/, extras: again },
  { what: 'task.reset', at: /(?:)/, keys: /R|␍/, extras: again },
  { what: 'run again', at: /R (?:retry|go on)/, keys: /R/ },
];

/** The palette presses each key that it names: also those that open a box. */
const palette = /Enter do it/;
const opensPalette = /[:␐]/;

/** Control characters as they are drawn. */
function asPictures(keys: string): string {
  return keys.replaceAll(/\p{Cc}/gu, (control) =>
    String.fromCodePoint(0x2400 + (control.codePointAt(0) ?? 0)),
  );
}

/** Follows keys and frames, and says what happened that nobody asked for. */
export class MonkeyOracle {
  #presses: Press[] = [];
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
    if (licences.length === 0) return;
    this.#presses.push({ licences, extras: new Set(matching.flatMap(({ extras }) => extras)) });
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
    return this.#presses.some((press) => press.extras.delete(decided.what) || isLicensed(press, decided));
  }

  /** All that was pressed has led to what it leads to. */
  settle(): void {
    this.#presses = [];
  }
}

function isLicensed(press: Press, { what, about }: Decided): boolean {
  const found = press.licences.find(
    (each) => each.what === what && (!each.about || about === undefined || each.about.has(about)),
  );
  if (!found || (press.used && !(press.used === found && found.isForAll))) return false;
  press.used = found;
  return true;
}

function licenceOf(each: Rule, chunk: string, { hints, shown, before }: Seen): Licence | undefined {
  const { what, at, keys, reads, opens, isForAll = false, isCard = false } = each;
  if (!keys.test(chunk)) return undefined;
  const isThere = at.test(hints);
  const typed = before + chunk;
  const isFromPalette = (palette.test(hints) || opensPalette.test(before)) && /␍[^]*␍/.test(typed);
  const isOpened = opens && (((opens.at ?? /(?:)/).test(hints) && opens.by.test(typed)) || isFromPalette);
  if (!isThere && !isOpened) return undefined;
  if (reads instanceof RegExp && isThere && !hasRead(shown, reads)) return undefined;
  // A letter that means nothing there was part of a text: so may be what follows.
  if (isCard && isThere && /[^rRyYaAeE]/.test(withoutSequences(before))) return undefined;
  if (reads === 'request') {
    const about = marksIn(shown, READ_MS);
    // A no may be said before the name of the call has been scrolled into sight.
    return { what, about: about.size === 0 && isNo.test(what) ? undefined : about, isForAll };
  }
  // What is answered is what stood there, unless these keys led to another.
  const isMoved = !isThere || /[␉␒␃␍␛]/.test(before);
  const about = marksIn(shown);
  // Nor is its name there, where that is scrolled out of sight.
  return { what, about: isMoved || isForAll || about.size === 0 ? undefined : about, isForAll };
}

/** The requests that are there for so long. */
function marksIn(shown: Seen['shown'], ms = 0): ReadonlySet<string> {
  return new Set([...shown].flatMap(([mark, since]) => (since >= ms ? [mark] : [])));
}

function hasRead(shown: Seen['shown'], what: RegExp): boolean {
  return [...shown].some(([text, ms]) => what.test(text) && ms >= READ_MS);
}

/** Without what moves and scrolls only, does nothing there, or is pasted. */
function withoutSequences(keys: string): string {
  return keys.replaceAll(/(?:␛\[200~|^)[^]*?␛\[201~|␛[[O][\d;<]*[A-Za-z~]|␛O|[␀-␂␄-␈␊-␚␜-␟]/gu, '');
}

/** Ctrl+C asks before it stops agents, and nobody types it twice; q leaves what is only looked at. */
function waysOut(chunk: string, { hints, shown, before, hasAgents, isStopping }: Seen): Licence[] {
  const licence = (what: string): Licence => ({ what, about: undefined, isForAll: false });
  const isAsked = [...shown.keys()].some((text) => asksRun.test(text)) || /\^C stop it/.test(hints);
  const licences: Licence[] = [];
  if (chunk.includes('␃')) {
    if (!hasAgents || isAsked || /[␃qT␍]/.test(before)) licences.push(licence('stop Ctrl-C'));
    if (isStopping) licences.push(licence('killed'));
    licences.push(licence('left'));
  }
  if (/[qT␍]/.test(chunk)) licences.push(licence('left'));
  // Of a sprint that is over q asks nothing.
  if (/[qT␍]/.test(chunk) && !hasAgents) licences.push(licence('stop q'));
  if (/[B␍]/.test(chunk)) licences.push(licence('start'));
  return licences;
}

function decisionIn(
  { type, data }: StoredEvent,
  markOf: (id: string) => string | undefined,
): Decided | undefined {
  if (!('by' in data) || data.by !== 'ada') return undefined;
  if (type === 'help.answered') {
    const { requestId, verdict, rejected } = data;
    return { what: verdict ?? (rejected ? 'rejected' : 'answered'), about: markOf(requestId) };
  }
  if (type === 'help.dismissed') return { what: 'dismissed', about: markOf(data.requestId) };
  return { what: type };
}
