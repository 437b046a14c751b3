import { asRead } from './as-read.ts';
import { GIT_DIR, PROTECTED, type Places } from './protected-places.ts';
import { matchesPattern } from './pattern.ts';
import type { ShellPattern } from './shell/word-patterns.ts';

/** A pattern, and whether what expands it may take what is hidden for what wildcards stand for. Default: as shells may be told, for `**`. */
type PathPattern = ShellPattern & { readonly fitsHidden?: boolean };

/** A name that no protected place has: a pattern that fits it, too, is meant for any file. */
const ANY_NAME = 'x.json';

/**
 * The protected place that a pattern of paths may stand for, from any of the folders, or that is above what it stands
 * for. Where it fits any file, and what gets the files only reads them, none.
 */
export function placeMatchedBy(
  { pattern, isOnlyRead, fitsHidden }: PathPattern,
  { root, cwds, users }: Places,
): string | undefined {
  const places = [
    ...PROTECTED.map((name) => ({ name, path: `${root}/${name}` })),
    ...(users?.protects ?? []).map((path) => ({ name: path, path })),
  ];
  const wholes = wholePatterns(pattern, cwds, users?.home).map(namesOf);
  const fits = fitter(fitsHidden);
  const mayBe = (path: readonly string[]) => wholes.some((whole) => mayLeadTo(path, whole, fits));
  const found = places.find(({ path }) => mayBe(namesOf(path)));
  if (isOnlyRead) {
    const other = found && [...namesOf(found.path).slice(0, -1), ANY_NAME];
    return other && mayBe(other) ? undefined : found?.name;
  }
  // Below the project there may be other repositories.
  const isOfGit = fitsHidden === true && namesOf(pattern).some((part) => fits(part, GIT_DIR));
  return found?.name ?? (isOfGit ? GIT_DIR : undefined);
}

/** Whether a pattern of paths, from a folder, may stand for another folder or for what is below it, what is hidden among it. All absolute. */
export function mayStandFor(
  pattern: string,
  { folder, cwd }: { readonly folder: string; readonly cwd: string },
): boolean {
  return wholePatterns(asRead(pattern), [asRead(cwd)], undefined).some((whole) =>
    mayLeadTo(namesOf(asRead(folder)), namesOf(whole), fitter(true)),
  );
}

function wholePatterns(pattern: string, cwds: readonly string[], home: string | undefined): string[] {
  if (pattern.startsWith('~/') && home !== undefined) return [`${home}${pattern.slice(1)}`];
  // `--out=m*`, `-om*`: a shell leaves it, and the program may not.
  const values = [/^-[A-Za-z](.+)$/s, /^--?[\w-]+=(.+)$/s].flatMap(
    (option) => option.exec(pattern)?.[1] ?? [],
  );
  return [pattern, ...values].flatMap((text) =>
    text.startsWith('/') ? [text] : cwds.map((cwd) => `${cwd}/${text}`),
  );
}

/** In any case: on many disks that is the same file. */
function namesOf(path: string): string[] {
  const kept: string[] = [];
  for (const name of path.toLowerCase().split('/'))
    if (name === '..') kept.pop();
    else if (name !== '' && name !== '.') kept.push(name);
  return kept;
}

/** Whether the pattern may be this path, or one below it, where that is a folder. `**` stands for any number of folders. */
function mayLeadTo(path: readonly string[], pattern: readonly string[], fits: Fits): boolean {
  /** How many names of the path may have been read. */
  let read = new Set([0]);
  for (const part of pattern) {
    if (read.has(path.length) && !path.at(-1)?.endsWith('.json')) return true;
    const isAny = anyFolders.test(part);
    const next = new Set(isAny ? read : []);
    for (const count of read)
      for (let end = count + 1; end <= path.length && fits(part, path[end - 1] ?? ''); end++) {
        next.add(end);
        if (!isAny) break;
      }
    read = next;
  }
  return read.has(path.length);
}

const anyFolders = /^\*\*+$/;

/** Whether a part of a pattern fits a name. */
type Fits = (part: string, name: string) => boolean;

/** Most wildcards leave out what is hidden, unless they are told of it. */
function fitter(fitsHidden: boolean | undefined): Fits {
  return (part, name) => {
    const isLeftOut = !(fitsHidden ?? anyFolders.test(part)) && name.startsWith('.') && /^[*?]/.test(part);
    return !isLeftOut && matchesPattern(part, name);
  };
}
