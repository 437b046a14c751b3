import { PROTECTED, type Places } from './protected-places.ts';
import { matchesPattern } from './pattern.ts';
import type { ShellPattern } from './shell/word-patterns.ts';

/** A name that no protected place has: a pattern that fits it, too, is meant for any file. */
const ANY_NAME = 'x.json';

/**
 * The protected place that a pattern of a shell may stand for, from any of the folders, or that is above what it stands
 * for. Where it fits any file, and a program only reads what it is told of, none.
 */
export function placeMatchedBy(
  { pattern, isOnlyRead }: ShellPattern,
  { root, cwds, users }: Places,
): string | undefined {
  const places = [
    ...PROTECTED.map((name) => ({ name, path: `${root}/${name}` })),
    ...(users?.protects ?? []).map((path) => ({ name: path, path })),
  ];
  const wholes = wholePatterns(pattern, cwds, users?.home).map(namesOf);
  const found = places.find(({ path }) => wholes.some((whole) => mayBe(whole, namesOf(path))));
  if (!found || !isOnlyRead) return found?.name;
  const other = [...namesOf(found.path).slice(0, -1), ANY_NAME];
  return wholes.some((whole) => mayBe(whole, other)) ? undefined : found.name;
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
function mayBe(pattern: readonly string[], path: readonly string[]): boolean {
  /** How many names of the path may have been read. */
  let read = new Set([0]);
  for (const part of pattern) {
    if (read.has(path.length) && !path.at(-1)?.endsWith('.json')) return true;
    const next = new Set<number>();
    for (const count of read) {
      if (/^\*\*+$/.test(part)) for (let end = count; end <= path.length; end++) next.add(end);
      const name = path[count];
      if (name !== undefined && fits(part, name)) next.add(count + 1);
    }
    read = next;
  }
  return read.has(path.length);
}

/** Wildcards leave out what is hidden, unless they are told of it. */
function fits(part: string, name: string): boolean {
  const isHidden = name.startsWith('.') && /^[*?]/.test(part);
  return !isHidden && matchesPattern(part, name);
}
