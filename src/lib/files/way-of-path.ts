import { dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';

/** What is at a place. */
export type FoundThere =
  | { readonly is: 'nothing' | 'other' }
  | { readonly is: 'link'; readonly to: string }
  /** Nobody goes further: what is left of the path is as written, behind `at`. */
  | { readonly is: 'end'; readonly at: string };

/** Where a path leads. */
export type Led = {
  readonly place: string;
  readonly isThere: boolean;
  /** Whether a link on the way, or at its end, leads to something that is not there. */
  readonly isDangling: boolean;
};

/** Longest path that Linux takes, in bytes of UTF-8. Other systems take less, or say so themselves. */
const MOST_BYTES = 4_095;

/** As many links as Linux follows in one path. */
const MOST_LINKS = 40;

/** A path that the system would take for none: the code is what it says then. */
class PathError extends Error {
  readonly code: 'ENAMETOOLONG' | 'ELOOP';

  constructor(code: PathError['code'], why: string) {
    super(`${code}: ${why}`);
    this.code = code;
  }
}

/**
 * Refuses a path that is longer than any the system takes: it names no file.
 *
 * @throws an error with the code `ENAMETOOLONG`.
 */
export function refuseTooLong(path: string): void {
  // Not one byte of it is counted where the text alone is too long.
  if (path.length > MOST_BYTES || Buffer.byteLength(path) > MOST_BYTES)
    throw new PathError('ENAMETOOLONG', `it is longer than ${MOST_BYTES.toLocaleString('en-US')} bytes`);
}

/**
 * The way to the file that a path leads to as the system reads it, whether that file is there or not: folder by folder, each
 * link followed where it stands, and `..` the folder above the one that was reached. Whoever goes it is asked what is at one
 * place after the other; below one where nothing is, there is nothing to look at. In time that grows with the number of names
 * in the path and in its links, and no faster.
 *
 * @param path - Absolute. Its `..` are as written: whoever takes them for a part of the text resolves it before.
 * @throws an error with the code `ENAMETOOLONG` before anything is asked, `ELOOP` for links in a circle.
 */
export function* wayOf(path: string): Generator<string, Led, FoundThere> {
  refuseTooLong(path);
  let reached = parse(path).root;
  const names = path.slice(reached.length).split(sep).toReversed();
  let isThere = true;
  let isDangling = false;
  let links = 0;
  /** How many names are left once those are gone that links have brought. `undefined`: there are none of those. */
  let ownNames: number | undefined;
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    if (ownNames !== undefined && names.length < ownNames) ownNames = undefined;
    if (name === '' || name === '.') continue;
    if (name === '..') {
      reached = dirname(reached);
      isThere = true;
      continue;
    }
    const place = reached.endsWith(sep) ? reached + name : reached + sep + name;
    const found = isThere ? yield place : nothing;
    if (found.is === 'end')
      return { place: join(found.at, ...names.toReversed()), isThere: false, isDangling: false };
    if (found.is !== 'link') {
      reached = place;
      if (found.is === 'other') continue;
      isThere = false;
      isDangling ||= ownNames !== undefined;
      continue;
    }
    links += 1;
    if (links > MOST_LINKS) throw new PathError('ELOOP', 'it leads through too many links');
    ownNames ??= names.length;
    if (isAbsolute(found.to)) reached = parse(resolve(reached, found.to)).root;
    names.push(...found.to.slice(parse(found.to).root.length).split(sep).toReversed());
  }
  return { place: reached, isThere, isDangling };
}

const nothing = { is: 'nothing' } as const;
