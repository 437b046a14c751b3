/** Lines of a file that a patch has others take the place of, each side whole, with what stays around them. */
export type Hunk = {
  readonly old: string;
  readonly now: string;
  /** What the patch says of where in the file that is, in lines as they stand there: `@@ function add()`. */
  readonly places: readonly string[];
};

/** What a patch makes of one file. */
export type PatchedFile = {
  /** `undefined`: it does not name its file. */
  readonly path: string | undefined;
  /** What it is called then. */
  readonly movedTo: string | undefined;
  readonly becomes:
    | { readonly is: 'edited'; readonly hunks: readonly Hunk[] }
    | { readonly is: 'written'; readonly text: string }
    | { readonly is: 'deleted' };
};

const blank = /^\s*$/;
const patchBegins = /^[ \t]*\*\*\* Begin Patch\s*$/m;
const diffBegins = /^(?:diff --git |--- .+\n\+\+\+ .+\n@@ -\d)/m;
/** So far into a text one may begin, in UTF-16 units: a shell is handed some below a command. */
const LATEST_BEGIN = 1_000;

/** Whether a text is a patch, whatever its field is called. */
export function isPatchText(text: string): boolean {
  return patchBegins.test(text.trimStart().slice(0, LATEST_BEGIN));
}

/** Whether a text looks like a unified diff. */
export function isDiffText(text: string): boolean {
  return diffBegins.test(text.trimStart().slice(0, LATEST_BEGIN));
}

/**
 * Every file that a patch names, also one that is understood in part: a line of a file may be taken for a name. `readings`: what
 * else other programs may take it for.
 */
export function pathsInPatch(text: string): {
  readonly named: readonly string[];
  readonly readings: readonly string[];
} {
  const heads = text.split('\n').flatMap((line) => headsIn(line.trimEnd()));
  return {
    named: [...new Set(heads.map(({ path }) => path))],
    readings: [...new Set(heads.flatMap(({ readings = [] }) => readings))],
  };
}

/** A name in a line of a patch, and what else may be meant by it. */
type Head = { readonly path: string; readonly readings?: readonly string[] };

function headsIn(line: string): readonly Head[] {
  const [, plain] =
    /^(?:\*\*\* (?:(?:Add|Update|Delete) File|Move to):|(?:rename|copy) (?:from|to)) (.+)/.exec(line) ?? [];
  if (plain !== undefined) return [{ path: plain }];
  const [, ofGit] = /^diff --git (.+)/.exec(line) ?? [];
  if (ofGit !== undefined) {
    const path = pathOfGit(ofGit);
    return path === undefined ? ofGit.split(' ').map((name) => headOf(name)) : [{ path }];
  }
  const [, mark = '', said = ''] = /^(---|\+\+\+|Index:) (.+)/.exec(line) ?? [];
  const name = nameIn(said);
  return name === '' || name === NONE ? [] : [headOf(name, prefixes[mark])];
}

/** What Git puts in front of the names of both sides. */
const prefixes: Readonly<Record<string, string>> = { '---': 'a/', '+++': 'b/' };

/** What is in front of the first slash is no part of the path to some, and what comes after a blank a date. */
function headOf(name: string, prefix?: string): Head {
  const [word = name] = name.split(/\s/, 1);
  const isOfGit = prefix !== undefined && name.startsWith(prefix);
  const path = isOfGit ? name.slice(prefix.length) : name;
  const others = isOfGit ? [word.slice(prefix.length)] : [word, afterSlash(name), afterSlash(word)];
  return { path, readings: others.filter((each) => each !== '' && each !== path) };
}

function afterSlash(name: string): string {
  return name.startsWith('/') ? name : name.slice(name.indexOf('/') + 1);
}

/** The file that both names of `diff --git` are of. `undefined`: they differ, or nobody knows where the first one ends. */
function pathOfGit(names: string): string | undefined {
  const half = (names.length - 1) / 2;
  const [old, now] = [names.slice(0, half), names.slice(half + 1)];
  if (names.startsWith('"') || !Number.isInteger(half) || names[half] !== ' ') return undefined;
  if (old.startsWith('a/') && now.startsWith('b/') && old.slice(2) === now.slice(2)) return old.slice(2);
  return old === now && !/^[ab]\//.test(old) ? old : undefined;
}

/**
 * What a patch makes of each of its files: a unified diff, also one that names no file, or the form that begins with
 * `*** Begin Patch`. `undefined`: not all of it is understood, such as modes of files, or what is binary.
 */
export function patchedFiles(text: string): readonly PatchedFile[] | undefined {
  const lines = new Lines(text);
  const files = isPatchText(text) ? markedFiles(lines) : unifiedFiles(lines);
  return files && files.length > 0 && lines.isAtEnd ? files : undefined;
}

/** Lines that are taken one after the other. */
class Lines {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#lines = text.replace(/\n$/, '').split('\n');
  }

  /** Whether nothing is left. */
  get isAtEnd(): boolean {
    return this.#at >= this.#lines.length;
  }

  /** The next one, which stays; `undefined` at the end. */
  get next(): string | undefined {
    return this.#lines[this.#at];
  }

  skip(): void {
    this.#at += 1;
  }

  /** Leaves out what is such, however many there are. */
  skipAll(such: RegExp): void {
    while (this.next !== undefined && such.test(this.next)) this.skip();
  }

  /** What the next one says, where it is such, and is taken then. */
  take(such: RegExp): RegExpExecArray | undefined {
    const found = this.next === undefined ? null : such.exec(this.next);
    if (found) this.skip();
    return found ?? undefined;
  }
}

/** The lines of both sides of a hunk as they are found. */
class Sides {
  readonly #old: string[] = [];
  readonly #now: string[] = [];
  #endsOld = '\n';
  #endsNow = '\n';
  #last = '';
  readonly places: string[] = [];

  get counts(): readonly [old: number, now: number] {
    return [this.#old.length, this.#now.length];
  }

  get hunk(): Hunk {
    const text = (lines: readonly string[], end: string) =>
      lines.length === 0 ? '' : lines.join('\n') + end;
    return {
      old: text(this.#old, this.#endsOld),
      now: text(this.#now, this.#endsNow),
      places: this.places,
    };
  }

  /** @returns whether it is a line of a hunk. */
  add(line: string): boolean {
    // Some leave out the blank in front of an empty line.
    const sign = line === '' ? ' ' : line.charAt(0);
    if (!' +-'.includes(sign)) return false;
    if (sign !== '+') this.#old.push(line.slice(1));
    if (sign !== '-') this.#now.push(line.slice(1));
    this.#last = sign;
    return true;
  }

  /** The file ends with the last line, without a newline. */
  endHere(): void {
    if (this.#last !== '+') this.#endsOld = '';
    if (this.#last !== '-') this.#endsNow = '';
  }
}

function markedFiles(lines: Lines): PatchedFile[] | undefined {
  const files: PatchedFile[] = [];
  lines.skipAll(blank);
  if (!lines.take(patchBegins)) return undefined;
  while (!lines.take(/^\*\*\* End Patch\s*$/)) {
    const [, how, name = ''] = lines.take(/^\*\*\* (Add|Update|Delete) File: (.*\S)\s*$/) ?? [];
    if (how === undefined) return undefined;
    const [, movedTo] = (how === 'Update' && lines.take(/^\*\*\* Move to: (.*\S)\s*$/)) || [];
    const becomes = how === 'Delete' ? ({ is: 'deleted' } as const) : markedChange(lines, how === 'Add');
    if (!becomes) return undefined;
    files.push({ path: name, movedTo, becomes });
  }
  lines.skipAll(blank);
  return files;
}

function markedChange(lines: Lines, isNew: boolean): PatchedFile['becomes'] | undefined {
  const hunks: Hunk[] = [];
  // A place may be named within another one.
  let places: string[] = [];
  while (lines.next !== undefined && !/^\*\*\* (?!End of File)/.test(lines.next)) {
    const [begin] = lines.take(/^@@.*/) ?? [];
    const isBegun = begin !== undefined;
    if (isBegun && isNew) return undefined;
    if (isBegun && begin.trim() !== '@@') places.push(begin);
    const sides = new Sides();
    while (lines.next !== undefined && !/^(?:@@|\*\*\* )/.test(lines.next)) {
      if (!sides.add(lines.next)) return undefined;
      lines.skip();
    }
    const [end] = lines.take(/^\*\*\* End of File\s*$/) ?? [];
    if (end !== undefined) places.push(end);
    const [old, now] = sides.counts;
    if (old + now > 0) {
      sides.places.push(...places);
      hunks.push(sides.hunk);
      places = [];
    } else if (!isBegun) return undefined;
  }
  if (!isNew) return { is: 'edited', hunks };
  const [{ old, now } = { old: '', now: '' }, ...others] = hunks;
  return old === '' && others.length === 0 ? { is: 'written', text: now } : undefined;
}

function unifiedFiles(lines: Lines): PatchedFile[] | undefined {
  const files: PatchedFile[] = [];
  for (lines.skipAll(blank); !lines.isAtEnd; lines.skipAll(blank)) {
    const file = unifiedFile(lines);
    if (!file) return undefined;
    files.push(file);
  }
  return files;
}

/** What stands in front of the lines of a file. */
type UnifiedHead = {
  /** As `Index:` says it. */
  readonly indexed: string | undefined;
  /** As `diff --git` says them. */
  readonly ofGit: string | undefined;
  readonly is: 'new' | 'deleted' | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly sides: readonly [before: string, after: string] | undefined;
};

/** Each line once, and in this order: a second one would be of another file. */
function unifiedHead(lines: Lines): UnifiedHead | undefined {
  const [, indexed] = lines.take(/^Index: (.*\S)\s*$/) ?? [];
  lines.take(/^=+\s*$/);
  const [, ofGit] = lines.take(/^diff --git (.*\S)\s*$/) ?? [];
  const [, word] = lines.take(/^(new|deleted) file mode 100644\s*$/) ?? [];
  lines.take(/^similarity index .*$/);
  const [, from] = lines.take(/^rename from (.*\S)\s*$/) ?? [];
  const [, to] = lines.take(/^rename to (.*\S)\s*$/) ?? [];
  lines.take(/^index [\da-f]+\.\.[\da-f]+(?: 100644)?\s*$/);
  const [, before] = lines.take(/^--- (.+)/) ?? [];
  const [, after] = lines.take(/^\+\+\+ (.+)/) ?? [];
  if ((before === undefined) !== (after === undefined) || (from === undefined) !== (to === undefined))
    return undefined;
  const is = word === 'new' || word === 'deleted' ? word : undefined;
  const sides = before === undefined || after === undefined ? undefined : ([before, after] as const);
  return { indexed, ofGit, is, from, to, sides };
}

function unifiedFile(lines: Lines): PatchedFile | undefined {
  const head = unifiedHead(lines);
  const hunks = head && unifiedHunks(lines);
  if (!hunks) return undefined;
  const { is, sides } = head;
  const about = namesOf(head);
  if (!about) return undefined;
  const [old, now] = sides ? sidesOf(...sides) : [undefined, undefined];
  const isGone = sides ? now === undefined : is === 'deleted';
  if (hunks.length === 0) {
    if (isGone && about.path !== undefined) return { ...about, becomes: { is: 'deleted' } };
    if (is === 'new') return { ...about, becomes: { is: 'written', text: '' } };
    return about.movedTo === undefined ? undefined : { ...about, becomes: { is: 'edited', hunks } };
  }
  if (sides && isGone) return { ...about, becomes: { is: 'deleted' } };
  const [first, ...others] = hunks;
  if (first && others.length === 0 && (first.isOfNothing || (sides && old === undefined)))
    return { ...about, becomes: { is: 'written', text: first.now } };
  return {
    ...about,
    becomes: {
      is: 'edited',
      hunks: hunks.map(({ old: was, now: then, places }) => ({ old: was, now: then, places })),
    },
  };
}

/** Which file it is, and what it is called then. `undefined`: programs would go by one name or another. */
function namesOf(head: UnifiedHead): Pick<PatchedFile, 'path' | 'movedTo'> | undefined {
  const { indexed, ofGit, from, to, sides } = head;
  // It would have to be decoded.
  if ([from, to, ...(sides ?? [])].some((name) => name?.startsWith('"'))) return undefined;
  // Without a tab behind it a name may end at its first blank.
  if (sides?.some((name) => /\s/.test(nameIn(name)) && !name.includes('\t'))) return undefined;
  const [old, now] = sides ? sidesOf(...sides) : [undefined, undefined];
  if (sides && old === undefined && now === undefined) return undefined;
  if (from !== undefined && to !== undefined) {
    const isMeant = !sides || (old === from && now === to);
    return isMeant && ofGit === `a/${from} b/${to}` && indexed === undefined
      ? { path: from, movedTo: to }
      : undefined;
  }
  const said = [ofGit === undefined ? undefined : (pathOfGit(ofGit) ?? ''), indexed, old, now];
  const [path, ...others] = new Set(said.filter((name) => name !== undefined));
  return others.length > 0 || path === '' ? undefined : { path, movedTo: undefined };
}

function unifiedHunks(lines: Lines): (Hunk & { readonly isOfNothing: boolean })[] | undefined {
  const hunks: (Hunk & { readonly isOfNothing: boolean })[] = [];
  for (let head = takeHead(lines); head; head = takeHead(lines)) {
    const sides = new Sides();
    sides.places.push(head.line);
    const isWhole = () => sides.counts[0] === head?.old && sides.counts[1] === head.now;
    while (!isWhole() || lines.next?.startsWith('\\')) {
      const line = lines.next;
      if (line === undefined) return undefined;
      if (line.startsWith('\\')) sides.endHere();
      else if (!sides.add(line) || sides.counts[0] > head.old || sides.counts[1] > head.now) return undefined;
      lines.skip();
    }
    hunks.push({ ...sides.hunk, isOfNothing: head.old === 0 && head.isAtTop });
  }
  return hunks;
}

/** How many lines of each side the next hunk has. */
function takeHead(lines: Lines) {
  const found = lines.take(/^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/);
  if (!found) return undefined;
  const [, at, old = '1', now = '1'] = found;
  return { line: found.input, old: Number(old), now: Number(now), isAtTop: Number(at) === 0 };
}

/** What stands in the place of a file that is not there on one side. */
const NONE = '/dev/null';

/** The name in a line of a head: what comes after a tab is a date. */
function nameIn(head: string): string {
  return head.trimEnd().split('\t', 1)[0] ?? '';
}

/** The files that both heads name, without what Git puts in front of them; `undefined`: there is none. */
function sidesOf(before: string, after: string): readonly [old: string | undefined, now: string | undefined] {
  const [old, now] = [nameIn(before), nameIn(after)];
  const isOfGit = [old.startsWith('a/') || old === NONE, now.startsWith('b/') || now === NONE].every(Boolean);
  const nameOf = (name: string) => (name === NONE ? undefined : isOfGit ? name.slice(2) : name);
  return [nameOf(old), nameOf(now)];
}
