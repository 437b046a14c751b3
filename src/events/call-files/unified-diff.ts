import { nameIn, pathOfGit, sidesOf } from './patch-heads.ts';
import { blank, Sides, type Hunk, type Lines, type PatchedFile } from './patch-lines.ts';

/** The files of a unified diff; `undefined`: not all of it is understood. `known`: names that are known to be whole. */
export function unifiedFiles(lines: Lines, known: readonly string[]): PatchedFile[] | undefined {
  const files: PatchedFile[] = [];
  for (lines.skipAll(blank); !lines.isAtEnd; lines.skipAll(blank)) {
    const file = unifiedFile(lines, known);
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
  const [, indexed] = lines.take(/^Index: (\S(?:[^\n]*\S)?)\s*$/) ?? [];
  lines.take(/^=+\s*$/);
  const [, ofGit] = lines.take(/^diff --git (\S(?:[^\n]*\S)?)\s*$/) ?? [];
  const [, word] = lines.take(/^(new|deleted) file mode 100(?:644|755)\s*$/) ?? [];
  lines.take(/^similarity index .*$/);
  const [, from] = lines.take(/^rename from (\S(?:[^\n]*\S)?)\s*$/) ?? [];
  const [, to] = lines.take(/^rename to (\S(?:[^\n]*\S)?)\s*$/) ?? [];
  lines.take(/^index [\da-f]+\.\.[\da-f]+(?: 100(?:644|755))?\s*$/);
  const [, before] = lines.take(/^--- ([^\n]+)/) ?? [];
  const [, after] = lines.take(/^\+\+\+ ([^\n]+)/) ?? [];
  if ((before === undefined) !== (after === undefined) || (from === undefined) !== (to === undefined))
    return undefined;
  const is = word === 'new' || word === 'deleted' ? word : undefined;
  const sides = before === undefined || after === undefined ? undefined : ([before, after] as const);
  return { indexed, ofGit, is, from, to, sides };
}

function unifiedFile(lines: Lines, known: readonly string[]): PatchedFile | undefined {
  const head = unifiedHead(lines);
  const hunks = head && unifiedHunks(lines);
  if (!hunks) return undefined;
  const { is, sides } = head;
  const about = namesOf(head, known);
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
      ...(hunks.some(({ places: [place = ''] }) => / \+0,0 @@/.test(place)) && { isEmptied: true }),
    },
  };
}

/** Which file it is, and what it is called then. `undefined`: programs would go by one name or another. */
function namesOf(
  head: UnifiedHead,
  known: readonly string[],
): Pick<PatchedFile, 'path' | 'movedTo'> | undefined {
  const { indexed, ofGit, from, to, sides } = head;
  if ([from, to, indexed, ...(sides ?? [])].some((name) => name !== undefined && isReadTwoWays(name, known)))
    return undefined;
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
  // Behind what Git puts in front of it a name is no whole one.
  const isOdd =
    path === '' ||
    (sides !== undefined && path?.startsWith('/') === true && !sides.some((side) => nameIn(side) === path));
  return others.length > 0 || isOdd ? undefined : { path, movedTo: undefined };
}

/** Whether programs may take a line of a head for different names. */
function isReadTwoWays(head: string, known: readonly string[]): boolean {
  const name = nameIn(head);
  const behind = head.slice(name.length);
  return (
    // It would have to be decoded.
    name.startsWith('"') ||
    /[\r\u2028\u2029]/.test(name) ||
    // Without a tab behind it a name may end at its first blank.
    (/\s/.test(name) && !behind.startsWith('\t') && !known.includes(name)) ||
    // A file of that date is none, to some: it goes.
    /\b19(?:69|70)\b/.test(behind)
  );
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
