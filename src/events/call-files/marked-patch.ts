import { blank, Sides, type Hunk, type Lines, type PatchedFile } from './patch-lines.ts';

export const patchBegins = /^[ \t]*\*\*\* Begin Patch\s*$/m;

/** The files of a patch that begins with `*** Begin Patch`; `undefined`: not all of it is understood. */
export function markedFiles(lines: Lines): PatchedFile[] | undefined {
  const files: PatchedFile[] = [];
  lines.skipAll(blank);
  if (!lines.take(patchBegins)) return undefined;
  while (!lines.take(/^\*\*\* End Patch\s*$/)) {
    const [, how, name = ''] = lines.take(/^\*\*\* (Add|Update|Delete) File: (\S.*\S|\S)\s*$/) ?? [];
    // Some take what comes after a colon away.
    if (how === undefined || name.includes(':')) return undefined;
    const [, movedTo] =
      (how === 'Update' && lines.take(/^\*\*\* Move to: ([^\s:](?:[^:]*[^\s:])?)\s*$/)) || [];
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
