import { resolve } from 'node:path';
import type { AgentCall } from '../permission/agent-call.ts';
import { agreed, type Match } from './match.ts';
import { isBelowInAnyCase, readingsOf } from './path-below.ts';
import type { PatternsOf } from './path-patterns.ts';
import { folderOfPattern } from './pattern-folder.ts';
import { mayStandFor } from './pattern-places.ts';
import type { Ground } from './rule-match.ts';
import { MAX_FOLDERS } from './shell/folders-entered.ts';

/** So many folders are looked at for a pattern, from wherever it may start. */
const MAX_PLACES = 64;

type Search = Pick<AgentCall, 'cwd'> & Partial<Pick<AgentCall, 'paths' | 'mayName'>>;

/**
 * Whether a search by a pattern of paths looks into a folder: where the pattern begins, and what it stands for from there.
 * `undefined`: nobody here knows all places where it looks, or it may be there.
 */
export function searchMatch(
  pattern: string,
  folder: string,
  call: Search,
  { root, throughLinks, patternsOf }: Ground & { readonly root: string; readonly patternsOf: PatternsOf },
): Match | undefined {
  const begins = folderOfPattern(pattern);
  const starts = startsOf(pattern, call);
  const parts = patternsOf(pattern)?.map(partsOf);
  if (begins === undefined || !starts || !parts || starts.length * parts.length > MAX_PLACES)
    return undefined;
  const andReal = (place: string) => [...new Set([place, throughLinks?.(place) ?? place])];
  const folders = andReal(resolve(root, folder));
  const verdicts: Match[] = [];
  for (const cwd of starts.flatMap(andReal)) {
    const below = (path: string) => isBelowInAnyCase(path, folder, { root, cwd, throughLinks });
    verdicts.push(below(begins));
    for (const part of parts) {
      if (part === undefined) return undefined;
      const mayBeThere = andReal(resolve(cwd, part.place)).some((from) =>
        folders.some((each) => mayStandFor(part.rest, { folder: each, cwd: from })),
      );
      if (mayBeThere) return undefined;
      verdicts.push(below(part.place));
    }
  }
  return agreed(verdicts);
}

/**
 * Where a pattern of a call may start: in the folder of the call, or in another that it names. `undefined`: there are too many, or
 * one may be read in more ways than one.
 */
function startsOf(pattern: string, { cwd, paths = [], mayName = [] }: Search): string[] | undefined {
  const others = new Set([...paths, ...mayName].filter((path) => path !== pattern));
  if (others.size > MAX_FOLDERS || [...others].some((path) => readingsOf(path)?.length !== 1))
    return undefined;
  return [...new Set([cwd, ...[...others].map((path) => resolve(cwd, path))])];
}

/**
 * What of a pattern is written out, and the rest. `undefined`: it goes through folders that fit a wildcard, which may be links, or
 * may be the value of an option.
 */
function partsOf(pattern: string): { readonly place: string; readonly rest: string } | undefined {
  const names = pattern.split('/');
  const found = names.findIndex((name) => /[*?]/.test(name));
  const first = found < 0 ? names.length : found;
  const isThrough = names.slice(first, -1).some((name) => /[*?]/.test(name) && !/^\*\*+$/.test(name));
  if (isThrough || pattern.startsWith('-')) return undefined;
  const place = first === 0 ? '.' : `${names.slice(0, first).join('/')}/`;
  return { place, rest: names.slice(first).join('/') };
}
