import { shellWord } from '../../lib/text/shell-word.ts';
import type { Cli } from '../cli.ts';
import { findInstall, onPath } from './install.ts';

type Place = Pick<Cli, 'cwd' | 'env' | 'calledIn'>;

/** A command of Clifford as a person can type it as it stands, in the folder where they called this one. */
export function typedLine(place: Place, ...words: readonly string[]): string {
  return [prefixOf(place), ...words.map(shellWord)].join(' ');
}

/**
 * What to type in place of `clifford`, where that word alone does not start this one here; `undefined`: it does.
 *
 * @internal for tests
 */
export function otherName(place: Place): string | undefined {
  const prefix = prefixOf(place);
  return prefix === 'clifford' ? undefined : prefix;
}

/** Says what to type here in place of `clifford`, and why; `undefined`: that word alone starts this Clifford. */
export function otherNameText(place: Place): string | undefined {
  const name = otherName(place);
  if (name === undefined) return undefined;
  return onPath(place.cwd, place.env) === undefined
    ? `clifford is not on your PATH: in its place type ${name}`
    : `the clifford on your PATH may be another one: in its place type ${name}`;
}

function prefixOf({ cwd, env, calledIn }: Place): string {
  const call = findInstall(cwd, env).call.map(shellWord).join(' ');
  return cwd === calledIn ? call : `cd ${shellWord(cwd)} && ${call}`;
}
